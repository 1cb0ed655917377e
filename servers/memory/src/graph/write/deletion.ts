// Deletions: what is deleted is past, and history still tells of it; what is purged is gone (see purge.ts). What is not there is
// no error.
import { checkCount, isStorable, type Relation } from "../model.ts";
import { endEntity, endObservation, endRelation, entityNamed, observationsOf } from "../store/rows.ts";
import type { Change, Store } from "../store/store.ts";

export interface Deleted {
  entities: number;
  observations: number;
  relations: number;
}

/** With their observations, and with every relation at either end. */
export function* deleteEntities(store: Store, change: Change, names: readonly string[]): Generator<void, Deleted> {
  checkCount(names.length);
  const deleted: Deleted = { entities: 0, observations: 0, relations: 0 };
  for (const name of new Set(names)) {
    if (!isStorable(name)) continue;
    const entity = entityNamed(store, name);
    if (entity !== undefined) {
      deleted.entities++;
      deleted.observations += observationCount(store, entity.id);
      yield* endEntity(store, change.seq(), entity);
    }
    // Also those of a name that no entity has.
    for (const id of relationsAt(store, name)) {
      deleted.relations += endRelation(store, change.seq(), id);
      yield;
    }
  }
  return deleted;
}

const observationCount = (store: Store, entity: number): number =>
  store.get<{ count: number }>("SELECT count(*) AS count FROM observation WHERE entity = ? AND ended IS NULL", entity)?.count ?? 0;

/** How much a deletion of entities has to do. */
export const weightOf = (store: Store, names: readonly string[]): number =>
  names.reduce((sum, name) => {
    const id = entityNamed(store, name)?.id;
    return sum + 1 + (id === undefined ? 0 : observationCount(store, id));
  }, 0);

export interface Deletion {
  entityName: string;
  observations: string[];
}

export function* deleteObservations(store: Store, change: Change, deletions: readonly Deletion[]): Generator<void, Deleted> {
  checkCount(deletions.reduce((sum, { observations }) => sum + 1 + observations.length, 0));
  let count = 0;
  for (const { entityName, observations } of deletions) {
    const entity = entityNamed(store, entityName);
    if (entity === undefined) continue;
    const doomed = new Set(observations);
    for (const observation of observationsOf(store, entity.id)) {
      if (!doomed.has(observation.text)) continue;
      endObservation(store, change.seq(), observation);
      count++;
      yield;
    }
  }
  return { entities: 0, observations: count, relations: 0 };
}

export function* deleteRelations(store: Store, change: Change, relations: readonly Relation[]): Generator<void, Deleted> {
  checkCount(relations.length);
  let count = 0;
  for (const { from, to, relationType } of relations) {
    if (!isStorable(from, to, relationType)) continue;
    const row = store.get<{ id: number }>(
      "SELECT id FROM relation WHERE source = ? AND target = ? AND type = ? AND ended IS NULL",
      from,
      to,
      relationType,
    );
    if (row !== undefined) count += endRelation(store, change.seq(), row.id);
    yield;
  }
  return { entities: 0, observations: 0, relations: count };
}

function relationsAt(store: Store, name: string): number[] {
  const sql =
    "SELECT id FROM relation WHERE source = ?1 AND ended IS NULL UNION SELECT id FROM relation WHERE target = ?1 AND ended IS NULL";
  return store.all<{ id: number }>(sql, name).map(({ id }) => id);
}
