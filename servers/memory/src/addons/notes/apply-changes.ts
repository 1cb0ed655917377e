// Brings changes of notes into the graph, in one call. Only what a note has gained or lost is changed, so what the graph gained since stays;
// history keeps what goes.
import { checkName, checkText, checkType } from "../../graph/validation.ts";
import type { EntityRow } from "../../graph/rows/entities.ts";
import type { ObservationRow } from "../../graph/rows/observations.ts";
import type { CallHandle, Rows } from "../../graph/rows/rows.ts";
import { sameTags, tagsOf, withTags } from "../../graph/tags.ts";
import { endEntity } from "../../graph/write/deletion.ts";
import { setTimes } from "../../graph/write/fact-times.ts";
import { fingerprint, surplus, type NoteBase } from "./note-base.ts";
import { relationKey, type NoteContent } from "./note-content.ts";
import { formatFact, parseFact } from "./timed-facts.ts";

export interface NoteChange {
  /** Undefined for a new note. */
  readonly before: NoteBase | undefined;
  /** Undefined for a note that is gone. */
  readonly after: NoteContent | undefined;
}

/** Throws a GraphError for what the graph cannot hold. */
export function checkContent({ name, entityType, observations, relations }: NoteContent): void {
  checkName(name);
  checkType(entityType, "Type of the entity");
  for (const fact of observations) checkText(parseFact(fact).text, "Observation");
  for (const { relationType, to } of relations) {
    checkType(relationType, "Type of a relation");
    checkName(to, "End of a relation");
  }
}

export function* applyNoteChanges(rows: Rows, call: CallHandle, changes: readonly NoteChange[]): Generator<void> {
  const names = changes.flatMap(({ before, after }) => [before?.name, after?.name]).filter((name) => name !== undefined);
  const types = changes.flatMap(({ after }) => after?.entityType ?? []);
  const relations = changes.flatMap(
    ({ after }) => after?.relations.map(({ relationType, to }) => [after.name, to, relationType] as const) ?? [],
  );
  rows.prepare({ names, types, relationsAt: names, relations });
  rows.prepare({ observationsOf: names.flatMap((name) => rows.entities.named(name)?.id ?? []) });
  for (const { before, after } of changes) {
    if (after === undefined) {
      if (before !== undefined) yield* remove(rows, call, before);
    } else yield* change(rows, call, before, after);
    yield;
  }
}

/** Of an entity that has gained observations, only those that the note had end. */
function* remove(rows: Rows, call: CallHandle, before: NoteBase): Generator<void> {
  const entity = rows.entities.named(before.name);
  const known = new Set(before.observations);
  const observations = entity === undefined ? [] : rows.observations.of(entity.id);
  const isWhole = before.isEntity && observations.every((row) => keysOf(row).some((key) => known.has(key)));
  if (entity !== undefined && isWhole) {
    for (const id of rows.relations.idsAt(entity.name)) rows.relations.end(call.seq(), id);
    return yield* endEntity(rows, call.seq(), entity);
  }
  for (const row of observations) if (keysOf(row).some((key) => known.has(key))) rows.observations.end(call.seq(), row);
  endRelations(rows, call, before.name, before.relations);
}

function* change(rows: Rows, call: CallHandle, before: NoteBase | undefined, after: NoteContent): Generator<void> {
  const entity = present(rows, call, before, after);
  const name = entity?.name ?? after.name;
  if (entity !== undefined) {
    if (before !== undefined && after.entityType !== before.entityType) rows.entities.changeType(call.seq(), entity, after.entityType);
    changeTags(rows, call, entity, before?.tags ?? [], after.tags);
    yield* changeObservations(rows, call, entity, before?.observations ?? [], after.observations);
  }
  const keys = after.relations.map((relation) => fingerprint(relationKey(relation)));
  const gone = before?.relations.filter((key) => !keys.includes(key)) ?? [];
  if (gone.length > 0) endRelations(rows, call, name, gone);
  for (const [at, { relationType, to }] of after.relations.entries()) {
    const isNew = before === undefined || !before.relations.includes(keys[at] ?? "");
    if (isNew && rows.relations.idOf(name, to, relationType) === undefined) rows.relations.insert(call.seq(), name, to, relationType);
    yield;
  }
}

/** The entity of the note, which is renamed or created where that is necessary; undefined where the note has none. */
function present(rows: Rows, call: CallHandle, before: NoteBase | undefined, after: NoteContent): EntityRow | undefined {
  const named = rows.entities.named(after.name);
  if (named !== undefined || !after.isEntity) return named;
  const former = before === undefined || before.name === after.name ? undefined : rows.entities.named(before.name);
  if (former !== undefined) rows.entities.rename(call.seq(), former, after.name);
  // Deleted in the graph and changed in the note: the note counts, and history has the deletion.
  else rows.entities.insert(call.seq(), { name: after.name, entityType: after.entityType, extra: extraOf(after) });
  return rows.entities.named(after.name);
}

const extraOf = ({ tags }: NoteContent): string | undefined => (tags.length === 0 ? undefined : withTags(undefined, tags));

function changeTags(rows: Rows, call: CallHandle, { id, extra }: EntityRow, before: readonly string[], after: readonly string[]): void {
  const [present, wanted] = [tagsOf(extra), new Set(after)];
  const kept = present.filter((tag) => wanted.has(tag) || !before.includes(tag));
  const tags = [...kept, ...after.filter((tag) => !kept.includes(tag) && !before.includes(tag))];
  if (sameTags(present, tags)) return;
  call.seq();
  rows.entities.setExtra(id, withTags(extra, tags));
}

/** Notes that were written before times were in them have the text alone. */
const keysOf = (row: ObservationRow): string[] => [fingerprint(formatFact(row)), fingerprint(row.text)];

/** A text that stands in the place of another one supersedes it. A text that stays gets its new times. */
function* changeObservations(
  rows: Rows,
  call: CallHandle,
  { id }: EntityRow,
  before: readonly string[],
  after: readonly string[],
): Generator<void> {
  const present = rows.observations.of(id);
  const rowOf = new Map(present.map((row) => [row.text, row]));
  const added = surplus(after, before, fingerprint).map(parseFact);
  const stays = new Set(added.map(({ text }) => text));
  const goneKeys = surplus(before, after.map(fingerprint), (key) => key);
  const gone = goneKeys.flatMap((key) => present.find((row) => !stays.has(row.text) && keysOf(row).includes(key)) ?? []);
  const ids: number[] = [];
  for (const { text, times = null } of added) {
    const row = rowOf.get(text);
    // One that was deleted in the graph and is new in the note is added again.
    if (row === undefined) ids.push(rows.observations.insert(call.seq(), id, text, times));
    else if ((row.times ?? null) !== times) setTimes(rows, call, row.id, times ?? undefined);
    yield;
  }
  const isReplaced = gone.length === ids.length;
  for (const [at, observation] of gone.entries()) rows.observations.end(call.seq(), observation, isReplaced ? ids[at] : undefined);
}

function endRelations(rows: Rows, call: CallHandle, source: string, keys: readonly string[]): void {
  const wanted = new Set(keys);
  for (const { id, type, target } of [...rows.relations.at("source", source)])
    if (wanted.has(fingerprint(relationKey({ relationType: type, to: target })))) rows.relations.end(call.seq(), id);
}
