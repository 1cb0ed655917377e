// Looks up which texts may hold a string, newest first; the caller checks each of them. Three characters and more are looked up in the
// trigram index, one or two beyond ASCII in the short index. One or two ASCII characters are searched for in all texts, because nearly all
// of them match. Texts that wait to be indexed (text-index.ts) are read directly.
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import { byKind, TEXT_KINDS } from "../rows/texts.ts";
import { bandOf, idAt, positionOf, type TextKind } from "./index-positions.ts";
import { matchAll, shortQuery, trigramText } from "./ngrams.ts";
import { fold } from "./normalization.ts";
import { trigramChoice } from "./trigram-frequency.ts";

/** Ids of texts of one kind that may hold `wanted` (folded). */
export function* candidateIds(sql: SqlConnection, kind: TextKind, wanted: string): Generator<number> {
  const reader = new CandidateReader(sql, wanted);
  try {
    yield* reader.idsOf(kind);
  } finally {
    reader.close();
  }
}

/**
 * Reads ids of several kinds of texts that may hold `wanted` (folded): first of names, then of types, then of observations. One look-up
 * finds all of them; to find nothing takes 0.15 ms instead of the 0.21 ms of a look-up for each kind.
 */
export class CandidateReader {
  readonly #sql: SqlConnection;
  readonly #wanted: string;
  #positions: Generator<number> | undefined;
  /** The position that was read and belongs to a later kind. */
  #next: number | undefined;

  constructor(sql: SqlConnection, wanted: string) {
    this.#sql = sql;
    this.#wanted = wanted;
  }

  /** `after`: continue behind this id, that is, with lower ones; only for the first kind that is read. */
  *idsOf(kind: TextKind, after?: number): Generator<number> {
    const lookUp = lookUpOf(this.#sql, this.#wanted);
    if (lookUp === undefined) return yield* scanTexts(this.#sql, kind, this.#wanted, after);
    yield* waitingIds(this.#sql, kind, (text) => text.includes(this.#wanted), after);
    const [bandStart, end] = bandOf(kind);
    this.#positions ??= matchingPositions(this.#sql, lookUp, after === undefined ? bandStart : positionOf(kind, after) + 1n);
    for (;;) {
      this.#next ??= this.#positions.next().value as number | undefined; // undefined at the end
      if (this.#next === undefined || this.#next >= end) return;
      const id = idAt(kind, this.#next);
      this.#next = undefined;
      yield id;
    }
  }

  /** Must be called at the end: another write cannot begin before. */
  close(): void {
    this.#positions?.return(undefined);
  }
}

interface LookUp {
  readonly table: "trigram" | "gram";
  /** In the words of FTS5. */
  readonly query: string;
}

/** Undefined where no index helps. */
function lookUpOf(sql: SqlConnection, wanted: string): LookUp | undefined {
  if (Array.from(wanted).length >= 3) return { table: "trigram", query: matchAll(trigramChoice(sql)(trigramText(wanted))) };
  const query = shortQuery(wanted);
  return query === undefined ? undefined : { table: "gram", query };
}

/** Trigrams of each piece that are looked up where many pieces are: each look-up of one that is in no text costs as much as of a rare one. */
const TRIGRAMS_OF_MANY = 2;

/** The FTS5 query for texts that may hold all pieces of one of the groups. Pieces have three characters or more. */
function anyGroup(sql: SqlConnection, groups: readonly (readonly string[])[]): string {
  const rarest = trigramChoice(sql);
  const most = groups.length === 1 ? Number.POSITIVE_INFINITY : TRIGRAMS_OF_MANY;
  const queries = groups.map((pieces) => matchAll(pieces.flatMap((piece) => rarest(trigramText(piece)).slice(0, most))));
  return [...new Set(queries)].map((query) => `(${query})`).join(" OR ");
}

const IN_BAND = "SELECT rowid FROM trigram WHERE trigram MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid LIMIT ?";

/** Gives the ids of the newest texts of a kind that match. One look-up finds all kinds where they are few, which is nearly always. */
function firstMatches(sql: SqlConnection, query: string, most: number): (kind: TextKind) => number[] {
  const select = "SELECT rowid FROM trigram WHERE trigram MATCH ? ORDER BY rowid LIMIT ?";
  const positions = sql.once(`first ${most} ${query}`, () => sql.tuples<[number]>(select, query, most).flat());
  const known = positions.length < most ? Number.POSITIVE_INFINITY : (positions.at(-1) ?? 0);
  return (kind) => {
    const [start, end] = bandOf(kind);
    const isComplete = known >= end || (positions[0] ?? 0) >= start;
    const own = isComplete
      ? positions.filter((at) => at >= start && at < end)
      : sql.tuples<[number]>(IN_BAND, query, start, end, most).flat();
    return own.map((position) => idAt(kind, position));
  };
}

/** Ids of the newest texts of each kind that may hold one of the pieces. A piece of less than three characters is the only one. */
export function firstIdsWithAny(sql: SqlConnection, pieces: readonly string[], most: number): Record<TextKind, number[]> {
  const [piece = ""] = pieces;
  if (pieces.length === 1 && Array.from(piece).length < 3) return byKind((kind) => firstOf(candidateIds(sql, kind, piece), most));
  const groups = pieces.map((one) => [one]);
  const idsOf = firstMatches(sql, anyGroup(sql, groups), most);
  const holdsAny = (text: string): boolean => pieces.some((one) => text.includes(one));
  return byKind((kind) => [...waitingIds(sql, kind, holdsAny), ...idsOf(kind)].slice(0, most));
}

function firstOf(ids: Iterable<number>, most: number): number[] {
  const found: number[] = [];
  for (const id of ids) if (found.push(id) === most) break;
  return found;
}

/** Ids of the newest texts that may hold all of the words. Words shorter than three characters are not looked up. */
export function firstIdsWithAll(sql: SqlConnection, kind: TextKind, words: readonly string[], most: number): number[] {
  const long = words.filter((word) => Array.from(word).length >= 3);
  if (long.length === 0) return [];
  const rarest = trigramChoice(sql);
  const trigrams = long.flatMap((word) => rarest(trigramText(word)).slice(0, TRIGRAMS_OF_MANY));
  const waiting = waitingIds(sql, kind, (text) => long.every((word) => text.includes(word)));
  const positions = sql.tuples<[number]>(IN_BAND, matchAll(trigrams), ...bandOf(kind), most);
  return [...waiting, ...positions.map(([position]) => idAt(kind, position))].slice(0, most);
}

function* matchingPositions(sql: SqlConnection, { table, query }: LookUp, start: bigint): Generator<number> {
  const select = `SELECT rowid AS position FROM ${table} WHERE ${table} MATCH ? AND rowid >= ? ORDER BY rowid`;
  for (const { position } of sql.iterate<{ position: number }>(select, query, start)) yield position;
}

const SELECT_TEXTS: Readonly<Record<TextKind, string>> = {
  name: "SELECT name FROM entity WHERE id IN (SELECT value FROM json_each(?)) AND ended IS NULL ORDER BY id DESC",
  type: "SELECT name FROM type WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC",
  observation: "SELECT text FROM observation WHERE id IN (SELECT value FROM json_each(?)) AND ended IS NULL ORDER BY id DESC",
};

/** The newest texts of each kind, folded, that contain all pieces of one of the groups. Pieces have three characters or more. */
export function* textsWithAny(sql: SqlConnection, groups: readonly (readonly string[])[], most: number): Generator<string> {
  const holdsAny = (text: string): boolean => groups.some((pieces) => pieces.every((piece) => text.includes(piece)));
  const idsOf = firstMatches(sql, anyGroup(sql, groups), most);
  for (const kind of TEXT_KINDS) {
    const waiting = waitingTexts(sql, kind).map(([, text]) => text);
    const ids = idsOf(kind);
    const indexed = ids.length === 0 ? [] : sql.tuples<[string]>(SELECT_TEXTS[kind], JSON.stringify(ids)).flat();
    yield* [...waiting, ...indexed].map(fold).filter(holdsAny).slice(0, most);
  }
}

const WAITING: Readonly<Record<Exclude<TextKind, "type">, string>> = {
  name: "SELECT id, name FROM entity WHERE id > (SELECT name FROM indexed) AND id < ? AND ended IS NULL ORDER BY id DESC",
  observation:
    "SELECT id, text FROM observation WHERE id > (SELECT observation FROM indexed) AND id < ? AND ended IS NULL ORDER BY id DESC",
};

/** The few texts that wait to be indexed. */
const waitingTexts = (sql: SqlConnection, kind: TextKind, after = Number.MAX_SAFE_INTEGER): [id: number, text: string][] =>
  kind === "type" ? [] : sql.tuples<[number, string]>(WAITING[kind], after);

const waitingIds = (sql: SqlConnection, kind: TextKind, matches: (folded: string) => boolean, after?: number): number[] =>
  waitingTexts(sql, kind, after).flatMap(([id, text]) => (matches(fold(text)) ? [id] : []));

const SCANS: Readonly<Record<TextKind, { readonly column: string; readonly sql: string }>> = {
  name: { column: "name", sql: "SELECT id FROM entity WHERE ended IS NULL AND id < ?1 AND (CONDITION) ORDER BY id DESC" },
  type: { column: "name", sql: "SELECT id FROM type WHERE id < ?1 AND (CONDITION) ORDER BY id DESC" },
  observation: { column: "text", sql: "SELECT id FROM observation WHERE ended IS NULL AND id < ?1 AND (CONDITION) ORDER BY id DESC" },
};

function* scanTexts(sql: SqlConnection, kind: TextKind, wanted: string, after = Number.MAX_SAFE_INTEGER): Generator<number> {
  const { column, sql: select } = SCANS[kind];
  // LIKE and GLOB end a text at a NUL. What is beyond ASCII may be ASCII when it is folded.
  const condition = `${column} LIKE ?2 ESCAPE '\\' OR instr(${column}, char(0)) OR ${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*'`;
  const pattern = `%${wanted.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
  const statement = select.replace("CONDITION", () => condition);
  for (const { id } of sql.iterate<{ id: number }>(statement, after, pattern)) yield id;
}
