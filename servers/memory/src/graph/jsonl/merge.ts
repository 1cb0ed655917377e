// Merges the changes of another program into the present graph, in one change. Additions in the store since then stay: of an entity
// that is gone from the file, only the observations that were in the file end.
import type { CallHandle, Rows } from "../rows/rows.ts";
import type { SnapshotEntity } from "../history/snapshot.ts";
import { endEntity } from "../write/deletion.ts";
import type { ChangedEntity, Differences, FileEntity } from "./differences.ts";

/** May pause after each entity, relation and observation. */
export function* mergeDifferences(rows: Rows, call: CallHandle, differences: Differences): Generator<void> {
  const seq = call.seq();
  prepareAdditions(rows, differences);
  for (const entity of differences.newEntities) {
    addToEntity(rows, seq, entity);
    yield;
  }
  for (const changed of differences.changedEntities) {
    mergeEntity(rows, seq, changed);
    yield;
  }
  for (const gone of differences.goneEntities) {
    yield* endGoneEntity(rows, seq, gone);
    yield;
  }
  for (const { relation, extra } of differences.newRelations) {
    const { from, to, relationType } = relation;
    if (rows.relations.idOf(from, to, relationType) === undefined) rows.relations.insert(seq, from, to, relationType, extra);
    yield;
  }
  for (const { id, extra } of differences.changedRelations) rows.relations.setExtra(id, extra);
  for (const id of differences.goneRelations) {
    rows.relations.end(seq, id);
    yield;
  }
  for (const line of differences.newRecords) rows.insertRecord(seq, line);
  for (const id of differences.goneRecords) rows.endRecord(seq, id);
}

function prepareAdditions(rows: Rows, { newEntities, newRelations }: Differences): void {
  const names = newEntities.map(({ name }) => name);
  const relations = newRelations.map(({ relation: { from, to, relationType } }) => [from, to, relationType] as const);
  rows.prepare({ names, relations, types: newEntities.map(({ entityType }) => entityType) });
  rows.prepare({ observationsOf: names.flatMap((name) => rows.entities.named(name)?.id ?? []) });
}

type AddedEntity = Omit<FileEntity, "times"> & Pick<ChangedEntity, "times">;

/** Creates an entity, or adds its observations to the one that has the name. Returns whether it was created. */
export function addToEntity(rows: Rows, seq: number, { name, entityType, observations, extra, times }: AddedEntity): boolean {
  const existing = rows.entities.named(name);
  const id = existing?.id ?? rows.entities.insert(seq, { name, entityType, extra });
  const present = existing === undefined ? [] : rows.observations.of(id);
  const texts = new Set(present.map(({ text }) => text));
  for (const text of observations) if (!texts.has(text)) rows.observations.insert(seq, id, text, times?.get(text));
  if (times === undefined) return existing === undefined;
  for (const { id: observation, text, times: known } of present)
    if (times.has(text) && times.get(text) !== (known ?? null)) rows.observations.setTimes(observation, times.get(text) ?? null);
  return existing === undefined;
}

function mergeEntity(rows: Rows, seq: number, { before, entityType, extra, added, gone, times }: ChangedEntity): void {
  const present = rows.entities.byId(before.id);
  if (present === undefined) {
    // Deleted in the store and added to in the file: what was added is not lost.
    const entity = { name: before.name, entityType: entityType ?? before.entityType, observations: added, extra, ...(times && { times }) };
    if (added.length > 0) addToEntity(rows, seq, entity);
    return;
  }
  if (entityType !== undefined) rows.entities.changeType(seq, present, entityType);
  if (extra !== undefined) rows.entities.setExtra(before.id, extra);
  endOccurrences(rows, seq, before.id, gone);
  const additions = { name: present.name, entityType: present.type, observations: added, extra: undefined };
  addToEntity(rows, seq, { ...additions, ...(times && { times }) });
}

/** Ends one observation for each of the texts, which may occur several times. */
function endOccurrences(rows: Rows, seq: number, entity: number, texts: readonly string[]): void {
  if (texts.length === 0) return;
  const left = new Map<string, number>();
  for (const text of texts) left.set(text, (left.get(text) ?? 0) + 1);
  for (const observation of rows.observations.of(entity)) {
    const count = left.get(observation.text) ?? 0;
    if (count === 0) continue;
    left.set(observation.text, count - 1);
    rows.observations.end(seq, observation);
  }
}

function* endGoneEntity(rows: Rows, seq: number, before: SnapshotEntity): Generator<void> {
  const present = rows.entities.byId(before.id);
  if (present === undefined) return;
  const inFile = new Set(before.observations);
  const observations = rows.observations.of(before.id);
  const isUnchanged = present.name === before.name && observations.every(({ text }) => inFile.has(text));
  if (isUnchanged) return yield* endEntity(rows, seq, present);
  for (const observation of observations) if (inFile.has(observation.text)) rows.observations.end(seq, observation);
}
