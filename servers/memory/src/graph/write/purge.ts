// Purging: what is named leaves the tables, their history and the indexes, and its bytes leave the database and its log.
import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { backupsOf } from "../store/backups.ts";
import { isBusy } from "../errors.ts";
import type { Deleted, Deletion } from "./deletion.ts";
import { isStorable, type Relation } from "../model.ts";
import { shown, setShown } from "../jsonl/mirror-state.ts";
import { inSlices } from "../store/time-slices.ts";
import type { Change, Store } from "../store/store.ts";

interface Row {
  id: number;
  name: string;
  ended: number | null;
}

export interface Purged {
  counts: Deleted;
  /** What must not be found any more. */
  texts: string[];
}

/** Entities of these names, those of the past too, with all that was ever said of them. Each `yield` is a place to pause; so below. */
export function* purgeEntities(store: Store, change: Change, names: readonly string[]): Generator<void, Purged> {
  const counts: Deleted = { entities: 0, observations: 0, relations: 0 };
  const texts = [...names];
  for (const name of new Set(names)) {
    if (!isStorable(name)) continue;
    for (const row of rowsOf(store, name)) {
      if (row.name !== name) texts.push(row.name);
      counts.entities++;
      counts.observations += purgeObservations(store, row.id, () => true, texts);
      if (row.ended === null) store.texts.remove("name", row.id, row.name);
      store.run("DELETE FROM turn WHERE entity = ?", row.id);
      store.run("DELETE FROM entity WHERE id = ?", row.id);
      yield;
    }
    // A name that it went by before, and what was said when it went into another one.
    store.run("DELETE FROM turn WHERE past = ? OR present = ?", name, name);
    for (const side of ["source", "target"]) {
      counts.relations += store.run(`DELETE FROM relation WHERE ${side} = ? AND ended IS NULL`, name);
      counts.relations += store.run(`DELETE FROM relation WHERE ${side} = ? AND ended IS NOT NULL`, name);
    }
  }
  return finish(store, change, { counts, texts });
}

/** Those that have or had the name, and those that went into them: what was said of these was said of the one that is named. */
function rowsOf(store: Store, name: string): Row[] {
  const rows = store.all<Row>(
    "SELECT id, name, ended FROM entity WHERE name = ?1 AND ended IS NULL UNION ALL SELECT id, name, ended FROM entity WHERE name = ?1 AND ended IS NOT NULL",
    name,
  );
  const known = new Set(rows.map(({ id }) => id));
  // The list grows while it is walked: what went into another may have taken in others before.
  for (const { id } of rows) {
    const merged = store.all<Row>(
      "SELECT e.id, e.name, e.ended FROM turn t JOIN entity e ON e.name = t.past AND e.ended = t.seq WHERE t.entity = ? AND t.kind = 'merged'",
      id,
    );
    for (const row of merged) {
      if (known.has(row.id)) continue;
      known.add(row.id);
      rows.push(row);
    }
  }
  return rows;
}

export function* purgeSomeObservations(store: Store, change: Change, deletions: readonly Deletion[]): Generator<void, Purged> {
  let observations = 0;
  const purged: string[] = [];
  for (const { entityName, observations: texts } of deletions) {
    if (!isStorable(entityName)) continue;
    const doomed = new Set(texts);
    for (const { id } of rowsOf(store, entityName)) observations += purgeObservations(store, id, (text) => doomed.has(text), purged);
    yield;
  }
  return finish(store, change, { counts: { entities: 0, observations, relations: 0 }, texts: purged });
}

export function* purgeRelations(store: Store, change: Change, relations: readonly Relation[]): Generator<void, Purged> {
  let count = 0;
  const ends = "source = ? AND target = ? AND type = ?";
  for (const { from, to, relationType } of relations) {
    if (!isStorable(from, to, relationType)) continue;
    count += store.run(`DELETE FROM relation WHERE ${ends} AND ended IS NULL`, from, to, relationType);
    count += store.run(`DELETE FROM relation WHERE ${ends} AND ended IS NOT NULL`, from, to, relationType);
    yield;
  }
  return finish(store, change, {
    counts: { entities: 0, observations: 0, relations: count },
    texts: relations.map((one) => one.relationType),
  });
}

function purgeObservations(store: Store, entity: number, isDoomed: (text: string) => boolean, texts: string[]): number {
  const rows = store.all<{ id: number; text: string; ended: number | null }>(
    "SELECT id, text, ended FROM observation WHERE entity = ?1 AND ended IS NULL UNION ALL SELECT id, text, ended FROM observation WHERE entity = ?1 AND ended IS NOT NULL",
    entity,
  );
  const doomed = rows.filter(({ text }) => isDoomed(text));
  for (const { id, text, ended } of doomed) {
    if (ended === null) store.texts.remove("observation", id, text);
    store.run("DELETE FROM observation WHERE id = ?", id);
    texts.push(text);
  }
  return doomed.length;
}

/** Types that nothing is of any more go too, and the mirror is to be written anew. */
function finish(store: Store, change: Change, purged: Purged): Purged {
  const { entities, observations, relations } = purged.counts;
  if (entities + observations + relations === 0) return { ...purged, texts: [] };
  // Of what is gone no row tells that it went.
  store.setMeta("purged", change.seq());
  const unused = store.all<{ id: number; name: string }>("SELECT id, name FROM type WHERE id NOT IN (SELECT type FROM entity)");
  for (const { id, name } of unused) {
    store.texts.remove("type", id, name);
    store.run("DELETE FROM type WHERE id = ?", id);
    purged.texts.push(name);
  }
  const state = shown(store);
  if (state !== undefined) setShown(store, { ...state, isStale: true });
  return purged;
}

const CHUNK = 4 * 1024 * 1024;
/** To look for more texts than this takes longer than to write the file anew. */
const MANY = 300;

/**
 * After a purge: writes the log back and empties it, so that no old page is left in it, and looks whether any of the texts is still
 * found in the file; then the file is written anew. Backups that have one of them are removed. Other processes may hold up either for a moment.
 */
export async function scrub(store: Store, path: string, texts: readonly string[]): Promise<void> {
  if (path === ":memory:") return;
  await mergeIndexes(store);
  await emptyLog(store);
  const needles = texts.map((text) => Buffer.from(text)).filter(({ length }) => length >= 6);
  for (const copy of backupsOf(path)) if (await inSlices(contains(copy, needles))) rmSync(copy, { force: true });
  if (needles.length <= MANY && !(await inSlices(contains(path, needles)))) return;
  await again(store, () => store.db.exec("VACUUM"));
  await emptyLog(store);
}

/** Pages that one step of a merge writes. */
const STEP = 500;

/** Makes one part of all parts of an index, as only then what was deleted is no more in it; in steps, so that others get their turn. */
async function mergeIndexes(store: Store): Promise<void> {
  for (const table of ["trigram", "gram"]) {
    // A negative number begins with all parts; then it goes on until a step has nothing to do.
    for (let pages = -STEP; ; pages = STEP) {
      const before = changesOf(store);
      await again(store, () => store.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages));
      if (pages > 0 && changesOf(store) - before < 2) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

const changesOf = (store: Store): number => store.get<{ count: number }>("SELECT total_changes() AS count")?.count ?? 0;

const emptyLog = (store: Store): Promise<void> =>
  again(store, () => {
    const [result] = store.db.pragma("wal_checkpoint(TRUNCATE)") as [{ busy: number }]; // one row, always
    return result.busy === 0;
  });

/** Until it is done, or others have held it up for too long: what they hold are pages that nobody finds any more. */
async function again(store: Store, act: () => unknown): Promise<void> {
  for (const end = performance.now() + 2000; performance.now() < end;) {
    // A change in pieces may have begun meanwhile; it ends by itself.
    while (store.busy !== undefined) await store.busy;
    try {
      if (act() !== false) return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40));
  }
}

function* contains(path: string, needles: readonly Buffer[]): Generator<void, boolean> {
  const longest = Math.max(0, ...needles.map(({ length }) => length));
  if (longest === 0 || longest > CHUNK / 2) return needles.length > 0;
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let position = 0; ; position += CHUNK - longest) {
      const read = readSync(file, chunk, 0, CHUNK, position);
      const part = chunk.subarray(0, read);
      for (const needle of needles) {
        if (part.includes(needle)) return true;
        yield;
      }
      if (read < CHUNK) return false;
    }
  } finally {
    closeSync(file);
  }
}
