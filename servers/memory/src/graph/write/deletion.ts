// Deletes entities, observations and relations from the current graph. They stay in history; only a purge (purge.ts) removes them. Names
// and texts that do not exist change nothing and are reported. Each generator may pause at its `yield`s.
import { nearestNames } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { suggestNames } from "../read/suggestions.ts";
import { endEntity, endObservation, endRelation, findEntity, observationsOf } from "../store/rows.ts";
import type { CallHandle, Store } from "../store/store.ts";
import { checkItemCount, isStorable } from "../validation.ts";

/** How many were deleted or purged. */
export interface DeletedCounts {
  entities: number;
  observations: number;
  relations: number;
  /** Former names that were removed from the history of other entities. Only of a purge. */
  formerNames?: number;
}

/** A name or text to delete that does not exist, and similar ones that do. */
export interface MissingItem {
  readonly item: string;
  readonly suggestions: readonly string[];
}

export interface Deleted {
  readonly counts: DeletedCounts;
  readonly missing: readonly MissingItem[];
}

/** Missing items with suggestions: the others of a long list have none. */
const MAX_SUGGESTED = 5;

class MissingItems {
  readonly items: MissingItem[] = [];

  add(item: string, suggest: () => readonly string[]): void {
    this.items.push({ item, suggestions: this.items.length < MAX_SUGGESTED ? suggest() : [] });
  }
}

/** Deletes entities with their observations and all relations at their names, also at names that no entity has. */
export function* deleteEntities(store: Store, call: CallHandle, names: readonly string[]): Generator<void, Deleted> {
  checkItemCount(names.length);
  const counts: DeletedCounts = { entities: 0, observations: 0, relations: 0 };
  const missing = new MissingItems();
  for (const name of new Set(names)) {
    if (!isStorable(name)) continue;
    const entity = findEntity(store, name);
    if (entity !== undefined) {
      counts.entities++;
      counts.observations += observationCount(store, entity.id);
      yield* endEntity(store, call.seq(), entity);
    }
    const relationIds = relationIdsAt(store, name);
    if (entity === undefined && relationIds.length === 0) missing.add(name, () => suggestNames(store, name));
    for (const id of relationIds) {
      counts.relations += endRelation(store, call.seq(), id);
      yield;
    }
  }
  return { counts, missing: missing.items };
}

const observationCount = (store: Store, entity: number): number =>
  store.get<{ count: number }>("SELECT count(*) AS count FROM observation WHERE entity = ? AND ended IS NULL", entity)?.count ?? 0;

function relationIdsAt(store: Store, name: string): number[] {
  const sql =
    "SELECT id FROM relation WHERE source = ?1 AND ended IS NULL UNION SELECT id FROM relation WHERE target = ?1 AND ended IS NULL";
  return store.all<{ id: number }>(sql, name).map(({ id }) => id);
}

export interface ObservationDeletion {
  entityName: string;
  observations: string[];
}

export function* deleteObservations(store: Store, call: CallHandle, deletions: readonly ObservationDeletion[]): Generator<void, Deleted> {
  checkItemCount(deletions.reduce((sum, { observations }) => sum + 1 + observations.length, 0));
  let count = 0;
  const missing = new MissingItems();
  for (const { entityName, observations } of deletions) {
    const entity = findEntity(store, entityName);
    if (entity === undefined) {
      missing.add(entityName, () => suggestNames(store, entityName));
      continue;
    }
    const texts = new Set(observations);
    const existing = observationsOf(store, entity.id);
    const existingTexts = new Set(existing.map(({ text }) => text));
    for (const text of texts) if (!existingTexts.has(text)) missing.add(text, () => nearestNames(text, existingTexts, 1));
    for (const observation of existing) {
      if (!texts.has(observation.text)) continue;
      endObservation(store, call.seq(), observation);
      count++;
      yield;
    }
  }
  return { counts: { entities: 0, observations: count, relations: 0 }, missing: missing.items };
}

export function* deleteRelations(store: Store, call: CallHandle, relations: readonly Relation[]): Generator<void, Deleted> {
  checkItemCount(relations.length);
  const select = "SELECT id FROM relation WHERE source = ? AND target = ? AND type = ? AND ended IS NULL";
  let count = 0;
  const missing = new MissingItems();
  for (const { from, to, relationType } of relations) {
    if (!isStorable(from, to, relationType)) continue;
    const id = store.get<{ id: number }>(select, from, to, relationType)?.id;
    if (id === undefined)
      missing.add(`${from} → ${relationType} → ${to}`, () => nearestNames(relationType, typesBetween(store, from, to), 1));
    else count += endRelation(store, call.seq(), id);
    yield;
  }
  return { counts: { entities: 0, observations: 0, relations: count }, missing: missing.items };
}

const typesBetween = (store: Store, from: string, to: string): string[] =>
  store
    .all<{ type: string }>("SELECT type FROM relation WHERE source = ? AND target = ? AND ended IS NULL", from, to)
    .map(({ type }) => type);
