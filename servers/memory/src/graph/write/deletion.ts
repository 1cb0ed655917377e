// Deletes entities, observations and relations from the current graph. They stay in history; only a purge (purge.ts) removes them. Names
// and texts that do not exist are ignored. Each generator may pause at its `yield`s.
import type { Relation } from "../model.ts";
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

/** Deletes entities with their observations and all relations at their names, also at names that no entity has. */
export function* deleteEntities(store: Store, call: CallHandle, names: readonly string[]): Generator<void, DeletedCounts> {
  checkItemCount(names.length);
  const counts: DeletedCounts = { entities: 0, observations: 0, relations: 0 };
  for (const name of new Set(names)) {
    if (!isStorable(name)) continue;
    const entity = findEntity(store, name);
    if (entity !== undefined) {
      counts.entities++;
      counts.observations += observationCount(store, entity.id);
      yield* endEntity(store, call.seq(), entity);
    }
    for (const id of relationIdsAt(store, name)) {
      counts.relations += endRelation(store, call.seq(), id);
      yield;
    }
  }
  return counts;
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

export function* deleteObservations(
  store: Store,
  call: CallHandle,
  deletions: readonly ObservationDeletion[],
): Generator<void, DeletedCounts> {
  checkItemCount(deletions.reduce((sum, { observations }) => sum + 1 + observations.length, 0));
  let count = 0;
  for (const { entityName, observations } of deletions) {
    const entity = findEntity(store, entityName);
    if (entity === undefined) continue;
    const texts = new Set(observations);
    for (const observation of observationsOf(store, entity.id)) {
      if (!texts.has(observation.text)) continue;
      endObservation(store, call.seq(), observation);
      count++;
      yield;
    }
  }
  return { entities: 0, observations: count, relations: 0 };
}

export function* deleteRelations(store: Store, call: CallHandle, relations: readonly Relation[]): Generator<void, DeletedCounts> {
  checkItemCount(relations.length);
  const select = "SELECT id FROM relation WHERE source = ? AND target = ? AND type = ? AND ended IS NULL";
  let count = 0;
  for (const { from, to, relationType } of relations) {
    if (!isStorable(from, to, relationType)) continue;
    const id = store.get<{ id: number }>(select, from, to, relationType)?.id;
    if (id !== undefined) count += endRelation(store, call.seq(), id);
    yield;
  }
  return { entities: 0, observations: 0, relations: count };
}
