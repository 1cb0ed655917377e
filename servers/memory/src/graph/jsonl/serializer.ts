// The bytes of a mirror: written anew from the store, or, where little has changed since the file that is there, that file with
// some of its lines changed.
import type { Relation } from "../model.ts";
import type { RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { entityLine, relationLine } from "./records.ts";
import { Past } from "../history/snapshot.ts";
import type { Shown } from "./mirror-state.ts";

const PIECE = 256 * 1024;

/** All of it, in pieces: entities, then relations, each in the order in which they came, then what others have added. */
export function* anew(store: Store, seq: number): Generator<string> {
  const past = new Past(store, seq);
  let piece = "";
  for (const page of past.entities()) {
    for (const entity of page) {
      piece += `${entityLine(entity, entity.extra)}\n`;
      if (piece.length < PIECE) continue;
      yield piece;
      piece = "";
    }
    yield "";
  }
  for (const page of past.relations()) {
    for (const row of page) piece += `${relationLine(asRelation(row), row.extra)}\n`;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  for (const { line } of past.records()) piece += `${line}\n`;
  yield piece;
}

const asRelation = ({ source, target, type }: RelationRow): Relation => ({ from: source, to: target, relationType: type });

/** More changes than this, and writing anew costs no more. */
const MOST_EDITS = 200;
/** A larger file is not held in memory for it. */
const LARGEST = 64 * 1024 * 1024;

const RELATIONS = Buffer.from('\n{"type":"relation",');

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

/** The file that shows `from`, changed to show `seq`; undefined where it is better written anew. */
export function patched(store: Store, file: Buffer, from: Shown, seq: number): Buffer[] | undefined {
  if (file.length > LARGEST || file.length === 0 || file.at(-1) !== 10) return undefined;
  if (store.get("SELECT 1 FROM turn WHERE id > ?", from.ids.turn) !== undefined) return undefined;
  if (store.get("SELECT 1 FROM record LIMIT 1") !== undefined) return undefined;
  const edits = editsOf(store, file, from, seq);
  if (edits === undefined) return undefined;
  // What is put in before what is taken out at the same place.
  edits.sort((a, b) => a.at - b.at || a.length - b.length);
  const pieces: Buffer[] = [];
  let done = 0;
  for (const { at, length, text } of edits) {
    if (at < done) return undefined;
    pieces.push(file.subarray(done, at), Buffer.from(text));
    done = at + length;
  }
  return [...pieces, file.subarray(done)];
}

function editsOf(store: Store, file: Buffer, from: Shown, seq: number): Edit[] | undefined {
  const before = new Past(store, from.seq);
  const now = new Past(store, seq);
  const ids = (sql: string, ...values: number[]): number[] =>
    store.all<{ id: number }>(`${sql} LIMIT ${MOST_EDITS + 1}`, ...values).map(({ id }) => id);
  const touched = new Set([
    ...ids("SELECT id FROM entity WHERE id > ?", from.ids.entity),
    ...ids("SELECT id FROM entity WHERE ended > ?", from.seq),
    ...ids("SELECT DISTINCT entity AS id FROM observation WHERE id > ?", from.ids.observation),
    ...ids("SELECT DISTINCT entity AS id FROM observation WHERE ended > ?", from.seq),
  ]);
  const relations = new Set([
    ...ids("SELECT id FROM relation WHERE id > ?", from.ids.relation),
    ...ids("SELECT id FROM relation WHERE ended > ?", from.seq),
  ]);
  if (touched.size + relations.size > MOST_EDITS) return undefined;
  const edits: Edit[] = [];
  let newEntities = "";
  for (const id of [...touched].sort((a, b) => a - b)) {
    const old = before.entity(id);
    const fresh = now.entity(id);
    const text = fresh === undefined ? "" : `${entityLine(fresh, fresh.extra)}\n`;
    if (old === undefined) newEntities += text;
    else if (!replace(file, `${entityLine(old, old.extra)}\n`, text, edits)) return undefined;
  }
  let newRelations = "";
  for (const id of [...relations].sort((a, b) => a - b)) {
    const row = store.get<RelationRow & { extra: string | null; created: number; ended: number | null }>(
      "SELECT id, source, target, type, extra, created, ended FROM relation WHERE id = ?",
      id,
    );
    if (row === undefined) return undefined;
    const line = `${relationLine(asRelation(row), row.extra)}\n`;
    const was = row.created <= from.seq;
    const is = row.created <= seq && (row.ended === null || row.ended > seq);
    if (was && !is && !replace(file, line, "", edits)) return undefined;
    if (!was && is) newRelations += line;
  }
  if (newEntities !== "") edits.push({ at: beginOfRelations(file), length: 0, text: newEntities });
  if (newRelations !== "") edits.push({ at: file.length, length: 0, text: newRelations });
  return edits;
}

function beginOfRelations(file: Buffer): number {
  if (file.subarray(0, RELATIONS.length - 1).equals(RELATIONS.subarray(1))) return 0;
  const at = file.indexOf(RELATIONS);
  return at === -1 ? file.length : at + 1;
}

/** False where the line is not in the file as we would write it. */
function replace(file: Buffer, line: string, text: string, edits: Edit[]): boolean {
  const needle = Buffer.from(line);
  let at = file.indexOf(needle);
  while (at > 0 && file[at - 1] !== 10) at = file.indexOf(needle, at + 1);
  if (at === -1) return false;
  edits.push({ at, length: needle.length, text });
  return true;
}
