// Purges entities, observations and relations: removes their rows with all history and their index entries. scrub.ts then removes their
// bytes from the files. Each generator may pause at its `yield`s.
import { reportChange } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { setLastPurgeSeq } from "../store/calls.ts";
import { getMirrorState, setMirrorState } from "../store/mirror-state.ts";
import type { CallHandle, Store } from "../store/store.ts";
import { isStorable } from "../validation.ts";
import type { DeletedCounts, ObservationDeletion } from "./deletion.ts";

interface EntityVersion {
  id: number;
  name: string;
  /** Null for the current one. */
  ended: number | null;
}

export interface Purged {
  counts: DeletedCounts;
  /** Texts that must not be in any file of the memory any more. Empty where nothing was removed. */
  texts: string[];
}

/** Purges all entities that have or had one of the names, with all observations and relations they ever had. */
export function* purgeEntities(store: Store, call: CallHandle, names: readonly string[]): Generator<void, Purged> {
  const counts: DeletedCounts = { entities: 0, observations: 0, relations: 0 };
  const texts = [...names];
  let formerNames = 0;
  for (const name of new Set(names)) {
    if (!isStorable(name)) continue;
    for (const entity of allVersions(store, name)) {
      reportChange([entity.name]);
      counts.entities++;
      counts.observations += yield* removeObservations(store, entity.id, () => true, texts);
      if (entity.ended === null) store.textIndex.remove("name", entity.id, entity.name);
      texts.push(...formerValues(store, entity.id));
      store.run("DELETE FROM turn WHERE entity = ?", entity.id);
      store.run("DELETE FROM entity WHERE id = ?", entity.id);
      yield;
    }
    store.run("DELETE FROM turn WHERE (past = ?1 OR present = ?1) AND kind IN ('source', 'target')", name);
    // Renames of other entities from or to this name, and its merge into another entity.
    formerNames += store.run("DELETE FROM turn WHERE (past = ?1 OR present = ?1) AND kind <> 'type'", name);
    for (const end of ["source", "target"]) counts.relations += removeRelations(store, `${end} = ?`, name);
  }
  return finishPurge(store, call, { counts: { ...counts, ...(formerNames > 0 && { formerNames }) }, texts });
}

/** Names and types that an entity had before. */
const formerValues = (store: Store, entity: number): string[] =>
  store.all<{ past: string }>("SELECT past FROM turn WHERE entity = ?", entity).map(({ past }) => past);

/** Entities that have or had the name, and those that were merged into them: observations of these became observations of the named one. */
function allVersions(store: Store, name: string): EntityVersion[] {
  const versions = store.all<EntityVersion>(
    "SELECT id, name, ended FROM entity WHERE name = ?1 AND ended IS NULL UNION ALL SELECT id, name, ended FROM entity WHERE name = ?1 AND ended IS NOT NULL",
    name,
  );
  const known = new Set(versions.map(({ id }) => id));
  // The list grows while it is iterated: a merged entity may have had others merged into it before.
  for (const { id } of versions) {
    const merged = store.all<EntityVersion>(
      "SELECT e.id, e.name, e.ended FROM turn t JOIN entity e ON e.name = t.past AND e.ended = t.seq WHERE t.entity = ? AND t.kind = 'merged'",
      id,
    );
    for (const version of merged) {
      if (known.has(version.id)) continue;
      known.add(version.id);
      versions.push(version);
    }
  }
  return versions;
}

export function* purgeObservations(store: Store, call: CallHandle, deletions: readonly ObservationDeletion[]): Generator<void, Purged> {
  let count = 0;
  const texts: string[] = [];
  for (const { entityName, observations } of deletions) {
    if (!isStorable(entityName)) continue;
    const wanted = new Set(observations);
    const before = count;
    for (const { id } of allVersions(store, entityName)) count += yield* removeObservations(store, id, (text) => wanted.has(text), texts);
    if (count > before) reportChange([entityName]);
    yield;
  }
  return finishPurge(store, call, { counts: { entities: 0, observations: count, relations: 0 }, texts });
}

export function* purgeRelations(store: Store, call: CallHandle, relations: readonly Relation[]): Generator<void, Purged> {
  let count = 0;
  for (const { from, to, relationType } of relations) {
    if (!isStorable(from, to, relationType)) continue;
    const removed = removeRelations(store, "source = ? AND target = ? AND type = ?", from, to, relationType);
    if (removed > 0) reportChange([from, to, relationType]);
    count += removed;
    yield;
  }
  const texts = relations.flatMap(({ from, to, relationType }) => [relationType, ...[from, to].filter((name) => !isUsed(store, name))]);
  return finishPurge(store, call, { counts: { entities: 0, observations: 0, relations: count }, texts });
}

/** Whether an entity or a relation has or had the name. */
const isUsed = (store: Store, name: string): boolean =>
  [
    "SELECT 1 FROM entity WHERE name = ?1 AND ended IS NULL UNION ALL SELECT 1 FROM entity WHERE name = ?1 AND ended IS NOT NULL LIMIT 1",
    ...["source", "target"].map((end) => {
      const select = `SELECT 1 FROM relation WHERE ${end} = ?1 AND ended`;
      return `${select} IS NULL UNION ALL ${select} IS NOT NULL LIMIT 1`;
    }),
  ].some((select) => store.get(select, name) !== undefined);

/** Removes current and past observations, adds their texts to `texts`, and returns their number. */
function* removeObservations(store: Store, entity: number, isWanted: (text: string) => boolean, texts: string[]): Generator<void, number> {
  const select = "SELECT id, text, ended FROM observation WHERE entity = ?1";
  const rows = store.all<{ id: number; text: string; ended: number | null }>(
    `${select} AND ended IS NULL UNION ALL ${select} AND ended IS NOT NULL`,
    entity,
  );
  let count = 0;
  for (const { id, text, ended } of rows) {
    if (!isWanted(text)) continue;
    if (ended === null) store.textIndex.remove("observation", id, text);
    store.run("DELETE FROM observation WHERE id = ?", id);
    texts.push(text);
    count++;
    yield;
  }
  return count;
}

/** In two statements, because current and past relations have indexes of their own. */
const removeRelations = (store: Store, where: string, ...values: string[]): number =>
  store.run(`DELETE FROM relation WHERE ${where} AND ended IS NULL`, ...values) +
  store.run(`DELETE FROM relation WHERE ${where} AND ended IS NOT NULL`, ...values);

/** Also removes types that no entity has any more, and has the mirror written again. */
function finishPurge(store: Store, call: CallHandle, purged: Purged): Purged {
  const { entities, observations, relations, formerNames = 0 } = purged.counts;
  if (entities + observations + relations + formerNames === 0) return { ...purged, texts: [] };
  setLastPurgeSeq(store, call.seq());
  store.run("DELETE FROM turn WHERE kind IN ('source', 'target') AND NOT EXISTS (SELECT 1 FROM relation WHERE id = -turn.entity)");
  const unused = store.all<{ id: number; name: string }>("SELECT id, name FROM type WHERE id NOT IN (SELECT type FROM entity)");
  for (const { id, name } of unused) {
    store.textIndex.remove("type", id, name);
    store.run("DELETE FROM type WHERE id = ?", id);
    purged.texts.push(name);
  }
  const state = getMirrorState(store);
  if (state !== undefined) setMirrorState(store, { ...state, isStale: true });
  return purged;
}
