// Patches a JSONL file: where little has changed since it was written, only the lines of changed entities and relations are replaced.
import { toRelation, type RelationVersion } from "../rows/relations.ts";
import { Snapshot } from "../history/snapshot.ts";
import type { MirrorState } from "../store/mirror-state.ts";
import type { Store } from "../store/store.ts";
import { formatEntity, formatRelation } from "./records.ts";

/** With more changes, serializing everything takes no longer. */
const MAX_CHANGES = 200;
/** A larger file is not read into memory. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;
const FIRST_RELATION = Buffer.from('\n{"type":"relation",');

/** Lines to remove and lines to add. */
interface LineChanges {
  /** Old lines with the lines that replace them, which may be empty. */
  readonly replaced: (readonly [before: string, after: string])[];
  added: string;
}

interface Edit {
  readonly position: number;
  /** Bytes to remove. */
  readonly length: number;
  readonly text: string;
}

/** The file of the mirror state `from`, with all changes up to the call `seq`. Undefined where it must be serialized instead. */
export function patchFile(store: Store, file: Buffer, from: MirrorState, seq: number): Buffer[] | undefined {
  if (file.length > MAX_FILE_BYTES || file.length === 0 || file.at(-1) !== NEWLINE) return undefined;
  const hasRenames = store.get("SELECT 1 FROM turn WHERE id > ?", from.ids.turn) !== undefined;
  const hasRecords = store.get("SELECT 1 FROM record LIMIT 1") !== undefined;
  if (hasRenames || hasRecords) return undefined;
  const entityIds = changedEntities(store, from);
  const relationIds = changedRelations(store, from);
  if (entityIds.length + relationIds.length > MAX_CHANGES) return undefined;
  const entities = entityLines(store, entityIds, from.syncedSeq, seq);
  const relations = relationLines(store, relationIds, from.syncedSeq, seq);
  const edits = [...entities.replaced, ...relations.replaced].map(([before, after]) => findLine(file, before, after));
  if (entities.added !== "") edits.push({ position: startOfRelations(file), length: 0, text: entities.added });
  if (relations.added !== "") edits.push({ position: file.length, length: 0, text: relations.added });
  return applyEdits(file, edits);
}

const changedEntities = (store: Store, { ids, syncedSeq }: MirrorState): number[] =>
  selectIds(store, [
    ["SELECT id FROM entity WHERE id > ?", ids.entity],
    ["SELECT id FROM entity WHERE ended > ?", syncedSeq],
    ["SELECT DISTINCT entity AS id FROM observation WHERE id > ?", ids.observation],
    ["SELECT DISTINCT entity AS id FROM observation WHERE ended > ?", syncedSeq],
  ]);

const changedRelations = (store: Store, { ids, syncedSeq }: MirrorState): number[] =>
  selectIds(store, [
    ["SELECT id FROM relation WHERE id > ?", ids.relation],
    ["SELECT id FROM relation WHERE ended > ?", syncedSeq],
  ]);

/** Ids in ascending order; one above the limit is enough to know that there are too many. */
function selectIds(store: Store, selects: readonly (readonly [sql: string, after: number])[]): number[] {
  const rows = selects.flatMap(([sql, after]) => store.all<{ id: number }>(`${sql} LIMIT ${MAX_CHANGES + 1}`, after));
  return [...new Set(rows.map(({ id }) => id))].sort((a, b) => a - b);
}

function entityLines(store: Store, ids: readonly number[], fromSeq: number, toSeq: number): LineChanges {
  const before = new Snapshot(store, fromSeq);
  const after = new Snapshot(store, toSeq);
  const lineOf = (snapshot: Snapshot, id: number): string => {
    const entity = snapshot.entity(id);
    return entity === undefined ? "" : `${formatEntity(entity, entity.extra)}\n`;
  };
  const changes: LineChanges = { replaced: [], added: "" };
  for (const id of ids) {
    const oldLine = lineOf(before, id);
    const newLine = lineOf(after, id);
    if (oldLine === "") changes.added += newLine;
    else changes.replaced.push([oldLine, newLine]);
  }
  return changes;
}

function relationLines(store: Store, ids: readonly number[], fromSeq: number, toSeq: number): LineChanges {
  const changes: LineChanges = { replaced: [], added: "" };
  for (const id of ids) {
    const row = store.get<RelationVersion>("SELECT id, source, target, type, extra, created, ended FROM relation WHERE id = ?", id);
    if (row === undefined) continue;
    const line = `${formatRelation(toRelation(row), row.extra)}\n`;
    const wasThere = row.created <= fromSeq;
    const isThere = row.created <= toSeq && (row.ended === null || row.ended > toSeq);
    if (wasThere && !isThere) changes.replaced.push([line, ""]);
    if (!wasThere && isThere) changes.added += line;
  }
  return changes;
}

/** Undefined where the file does not have the line as the server would write it. */
function findLine(file: Buffer, line: string, text: string): Edit | undefined {
  const bytes = Buffer.from(line);
  let position = file.indexOf(bytes);
  while (position > 0 && file[position - 1] !== NEWLINE) position = file.indexOf(bytes, position + 1);
  return position === -1 ? undefined : { position, length: bytes.length, text };
}

function startOfRelations(file: Buffer): number {
  const first = FIRST_RELATION.subarray(1);
  if (file.subarray(0, first.length).equals(first)) return 0;
  const position = file.indexOf(FIRST_RELATION);
  return position === -1 ? file.length : position + 1;
}

/** Undefined where an edit is missing or two overlap. */
function applyEdits(file: Buffer, edits: readonly (Edit | undefined)[]): Buffer[] | undefined {
  const known = edits.filter((edit) => edit !== undefined);
  if (known.length < edits.length) return undefined;
  // Insertions before removals at the same position.
  known.sort((a, b) => a.position - b.position || a.length - b.length);
  const pieces: Buffer[] = [];
  let end = 0;
  for (const { position, length, text } of known) {
    if (position < end) return undefined;
    pieces.push(file.subarray(end, position), Buffer.from(text));
    end = position + length;
  }
  return [...pieces, file.subarray(end)];
}
