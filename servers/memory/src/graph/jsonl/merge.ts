// Brings the changes of another program into the graph as it is now, as one change. Nothing that was said here since is lost by it:
// of an entity that is gone from the file, what was added meanwhile stays.
import { hasRelation } from "../write/creation.ts";
import {
  endEntity,
  endObservation,
  endRelation,
  entityNamed,
  entityOf,
  insertEntity,
  insertObservation,
  insertRelation,
  observationsOf,
} from "../store/rows.ts";
import { retype } from "../write/renames.ts";
import type { Change, Store } from "../store/store.ts";
import type { ChangedEntity, Differences, NewEntity } from "./differences.ts";
import type { PastEntity } from "../history/snapshot.ts";

export function* apply(store: Store, change: Change, differences: Differences): Generator<void> {
  const seq = change.seq();
  for (const entity of differences.newEntities) {
    joinEntity(store, seq, entity);
    yield;
  }
  for (const changed of differences.changed) {
    applyChanged(store, seq, changed);
    yield;
  }
  for (const gone of differences.goneEntities) {
    yield* applyGone(store, seq, gone);
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

/** False where one of the name is there already: then it gets what it does not have yet. */
export function joinEntity(store: Store, seq: number, { name, entityType, observations, extra }: NewEntity): boolean {
  const known = entityNamed(store, name);
  const id = known?.id ?? insertEntity(store, seq, { name, entityType, extra });
  addTexts(store, seq, id, observations, known === undefined);
  return known === undefined;
}

/** Of an entity that was there, only what it does not have yet. */
function addTexts(store: Store, seq: number, id: number, texts: readonly string[], isNew: boolean): void {
  const present = new Set(isNew ? [] : observationsOf(store, id).map(({ text }) => text));
  for (const text of texts) if (!present.has(text)) insertObservation(store, seq, id, text);
}

function applyChanged(store: Store, seq: number, { past, entityType, extra, added, gone }: ChangedEntity): void {
  const current = entityOf(store, past.id);
  if (current === undefined) {
    // Deleted here and added to there: what was added is not lost.
    if (added.length === 0) return;
    joinEntity(store, seq, { name: past.name, entityType: entityType ?? past.entityType, observations: added, extra: extra?.now });
    return;
  }
  if (entityType !== undefined) retype(store, seq, current, entityType);
  if (extra !== undefined) store.run("UPDATE entity SET extra = ? WHERE id = ?", extra.now, past.id);
  const doomed = new Map<string, number>();
  for (const text of gone) doomed.set(text, (doomed.get(text) ?? 0) + 1);
  for (const observation of gone.length === 0 ? [] : observationsOf(store, past.id)) {
    const left = doomed.get(observation.text) ?? 0;
    if (left === 0) continue;
    doomed.set(observation.text, left - 1);
    endObservation(store, seq, observation);
  }
  addTexts(store, seq, past.id, added, false);
}

function* applyGone(store: Store, seq: number, past: PastEntity): Generator<void> {
  const current = entityOf(store, past.id);
  if (current === undefined) return;
  const known = new Set(past.observations);
  const present = observationsOf(store, past.id);
  const isUntouched = present.every(({ text }) => known.has(text)) && current.name === past.name;
  if (isUntouched) return yield* endEntity(store, seq, current);
  for (const observation of present) if (known.has(observation.text)) endObservation(store, seq, observation);
}
