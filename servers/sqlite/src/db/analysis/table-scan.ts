// Searches an ordinary table for words, in windows of row ids so that it can end in time.
import type Database from "better-sqlite3";
import { exactInteger } from "../engine/engine.ts";
import type { SearchMatch, SearchPosition } from "../protocol/query-messages.ts";
import { columnNamesOf, quoteName, rowidName } from "../schema/schema-pragmas.ts";
import type { TableEntry } from "../schema/table-list.ts";
import type { SearchTerms } from "./search-terms.ts";

export interface ScanLimits {
  /** Matches that may still be found. */
  left: number;
  /** Time of the deadline, as `performance.now()` counts. */
  readonly until: number;
}

export interface Found {
  readonly matches: SearchMatch[];
  readonly isComplete: boolean;
  /** All rows up to this one were searched. */
  readonly searchedTo?: bigint;
}

/** Where the search of a table begins. */
export type TableStart = Pick<SearchPosition, "rowid" | "skip">;

/** Row ids that are searched between two looks at the clock. */
const WINDOW = 20_000n;
const MAX_COLUMNS = 500;
/** Characters of a snippet on both sides of the match. */
const CONTEXT = 60;
const MAX_SNIPPET = 500;
const MIN_ROWID = -(2n ** 63n);

export function scanTable(
  db: Database.Database,
  table: TableEntry,
  { terms, limits, start }: { terms: SearchTerms; limits: ScanLimits; start: TableStart },
): Found {
  const { left, until } = limits;
  const columns = columnNamesOf(db, table.name).slice(0, MAX_COLUMNS);
  if (columns.length === 0) return { matches: [], isComplete: true };
  const matches: SearchMatch[] = [];
  const search: Search = { terms, until, start, wasStopped: false, searchedTo: undefined, limit: () => left - matches.length + 1 };
  for (const rows of matchingRows(db, table, columns, search)) {
    matches.push(...rows.map((row) => matchOf(table.name, columns, terms, row)));
    if (matches.length > left) return { matches: matches.slice(0, left), isComplete: false };
  }
  const { wasStopped, searchedTo } = search;
  return { matches, isComplete: !wasStopped, ...(searchedTo !== undefined && { searchedTo }) };
}

interface Search {
  readonly terms: SearchTerms;
  readonly until: number;
  readonly start: TableStart;
  /** The deadline ended the search. */
  wasStopped: boolean;
  searchedTo: bigint | undefined;
  /** Rows that the next window may return. */
  limit(): number;
}

/** Rows as `[row id, …values]`, window by window; all at once where rows have no ids. */
function* matchingRows(
  db: Database.Database,
  { name, withoutRowid }: TableEntry,
  columns: readonly string[],
  search: Search,
): Generator<unknown[][]> {
  const table = quoteName(name);
  const { words } = search.terms;
  const conditions = words.map((word, index) => columns.map((column) => containsWord(db, quoteName(column), word, index)).join(" OR "));
  const matches = conditions.map((condition) => `(${condition})`).join(" AND ");
  const parameters = Object.fromEntries(words.map((word, index) => [`word${index}`, isAscii(word) ? likePattern(word) : word]));
  // A REAL as SQLite writes it, which is what LIKE compares: 1.0, where JavaScript would write 1.
  const values = columns
    .map((column) => `iif(typeof(${quoteName(column)}) = 'real', CAST(${quoteName(column)} AS TEXT), ${quoteName(column)})`)
    .join(", ");
  const rows = (sql: string): Database.Statement<unknown[], unknown[]> => db.prepare<unknown[], unknown[]>(sql).raw().safeIntegers();
  const id = withoutRowid ? undefined : rowidName(columns);
  if (id === undefined) {
    yield rows(`SELECT NULL, ${values} FROM ${table} WHERE ${matches} LIMIT ? OFFSET ?`).all(
      search.limit(),
      search.start.skip ?? 0,
      parameters,
    );
    return;
  }
  const rowid = <Parameters extends unknown[]>(sql: string): Database.Statement<Parameters, bigint | null> =>
    db.prepare<Parameters, bigint | null>(sql).pluck().safeIntegers();
  const last = rowid<[]>(`SELECT max(${id}) FROM ${table}`).get() ?? null;
  if (last === null) return;
  const next = rowid<[bigint]>(`SELECT min(${id}) FROM ${table} WHERE ${id} >= ?`);
  const window = rows(`SELECT ${id}, ${values} FROM ${table} WHERE ${id} BETWEEN ? AND ? AND (${matches}) LIMIT ?`);
  const first = search.start.rowid === undefined ? MIN_ROWID : BigInt(search.start.rowid) + 1n;
  for (let from = first > last ? null : (next.get(first) ?? null); from !== null;) {
    const to: bigint = from + WINDOW < last ? from + WINDOW : last;
    search.wasStopped = performance.now() > search.until;
    if (search.wasStopped) return;
    yield window.all(from, to, search.limit(), parameters);
    search.searchedTo = to;
    from = to < last ? (next.get(to + 1n) ?? null) : null;
  }
}

const isAscii = (word: string): boolean => /^[\0-\x7F]*$/.test(word);
const likePattern = (word: string): string => `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** LIKE is faster than a function of this server, but ignores letter case of ASCII only. */
function containsWord(db: Database.Database, column: string, word: string, index: number): string {
  if (isAscii(word)) return `${column} LIKE @word${index} ESCAPE '\\'`;
  defineContains(db);
  return `contains_word(${column}, @word${index})`;
}

const withContains = new WeakSet<Database.Database>();

function defineContains(db: Database.Database): void {
  if (withContains.has(db)) return;
  const contains = (value: unknown, word: unknown): number => Number(textOf(value).toLowerCase().includes(textOf(word)));
  db.function("contains_word", { deterministic: true, directOnly: true }, contains);
  withContains.add(db);
}

function matchOf(table: string, columns: readonly string[], terms: SearchTerms, [rowid, ...values]: readonly unknown[]): SearchMatch {
  const texts = values.map((value) => textOf(value).toLowerCase());
  const wanted = [terms.phrase, ...terms.words].find((term) => texts.some((text) => text.includes(term))) ?? terms.phrase;
  const at = texts.findIndex((text) => text.includes(wanted));
  const snippet = at === -1 ? "" : snippetOf(textOf(values[at]), wanted);
  return { table, column: columns[at] ?? null, rowid: typeof rowid === "bigint" ? exactInteger(rowid) : null, snippet };
}

function snippetOf(value: string, wanted: string): string {
  const start = Math.max(0, value.toLowerCase().indexOf(wanted) - CONTEXT);
  const end = Math.min(value.length, start + wanted.length + 2 * CONTEXT);
  const excerpt = value.slice(start, Math.min(end, start + MAX_SNIPPET));
  return `${start > 0 ? "…" : ""}${excerpt}${end < value.length ? "…" : ""}`;
}

/** BLOBs are not searched. */
const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : "";
