// Merges the changes of another program into the present graph, in one change. Additions in the store since then stay: of an entity
// that is gone from the file, only the observations that were in the file end.
import {
  endEntity,
  endObservation,
  endRelation,
  findEntity,
  findEntityById,
  hasRelation,
  insertEntity,
  insertObservation,
  insertRelation,
  observationsOf,
} from "../store/rows.ts";
import type { CallHandle, Store } from "../store/store.ts";
import type { SnapshotEntity } from "../history/snapshot.ts";
import { changeType } from "../write/renames.ts";
import type { ChangedEntity, Differences, FileEntity } from "./differences.ts";

/** May pause after each entity, relation and observation. */
export function* mergeDifferences(store: Store, call: CallHandle, differences: Differences): Generator<void> {
  const seq = call.seq();
  for (const entity of differences.newEntities) {
    addToEntity(store, seq, entity);
    yield;
  }
  for (const changed of differences.changedEntities) {
    mergeEntity(store, seq, changed);
    yield;
  }
  for (const gone of differences.goneEntities) {
    yield* endGoneEntity(store, seq, gone);
    yield;
  }
  for (const { relation, extra } of differences.newRelations) {
    const { from, to, relationType } = relation;
    if (!hasRelation(store, from, to, relationType)) insertRelation(store, seq, from, to, relationType, extra);
    yield;
  }
  for (const { id, extra } of differences.changedRelations) store.run("UPDATE relation SET extra = ? WHERE id = ?", extra, id);
  for (const id of differences.goneRelations) {
    endRelation(store, seq, id);
    yield;
  }
  for (const line of differences.newRecords) insertRecord(store, seq, line);
  for (const id of differences.goneRecords) store.run("UPDATE record SET ended = ? WHERE id = ? AND ended IS NULL", seq, id);
}

export const insertRecord = (store: Store, seq: number, line: string): number =>
  store.insert("INSERT INTO record (line, created) VALUES (?, ?)", line, seq);

/** Creates an entity, or adds its observations to the one that has the name. Returns whether it was created. */
export function addToEntity(store: Store, seq: number, { name, entityType, observations, extra }: FileEntity): boolean {
  const existing = findEntity(store, name);
  const id = existing?.id ?? insertEntity(store, seq, { name, entityType, extra });
  const texts = new Set(existing === undefined ? [] : observationsOf(store, id).map(({ text }) => text));
  for (const text of observations) if (!texts.has(text)) insertObservation(store, seq, id, text);
  return existing === undefined;
}

function mergeEntity(store: Store, seq: number, { before, entityType, extra, added, gone }: ChangedEntity): void {
  const present = findEntityById(store, before.id);
  if (present === undefined) {
    // Deleted in the store and added to in the file: what was added is not lost.
    const entity = { name: before.name, entityType: entityType ?? before.entityType, observations: added, extra };
    if (added.length > 0) addToEntity(store, seq, entity);
    return;
  }
  if (entityType !== undefined) changeType(store, seq, present, entityType);
  if (extra !== undefined) store.run("UPDATE entity SET extra = ? WHERE id = ?", extra, before.id);
  endOccurrences(store, seq, before.id, gone);
  addToEntity(store, seq, { name: present.name, entityType: present.type, observations: added, extra: undefined });
}

/** Ends one observation for each of the texts, which may occur several times. */
function endOccurrences(store: Store, seq: number, entity: number, texts: readonly string[]): void {
  if (texts.length === 0) return;
  const left = new Map<string, number>();
  for (const text of texts) left.set(text, (left.get(text) ?? 0) + 1);
  for (const observation of observationsOf(store, entity)) {
    const count = left.get(observation.text) ?? 0;
    if (count === 0) continue;
    left.set(observation.text, count - 1);
    endObservation(store, seq, observation);
  }
}

function* endGoneEntity(store: Store, seq: number, before: SnapshotEntity): Generator<void> {
  const present = findEntityById(store, before.id);
  if (present === undefined) return;
  const inFile = new Set(before.observations);
  const observations = observationsOf(store, before.id);
  const isUnchanged = present.name === before.name && observations.every(({ text }) => inFile.has(text));
  if (isUnchanged) return yield* endEntity(store, seq, present);
  for (const observation of observations) if (inFile.has(observation.text)) endObservation(store, seq, observation);
}
