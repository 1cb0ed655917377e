// Searches the rows of a table or view for words: in windows of row ids, so that it can end in time and go on there, or row by row.
import type Database from "better-sqlite3";
import { exactInteger } from "../engine/engine.ts";
import type { NotSearched, SearchMatch, SearchPosition } from "../protocol/query-messages.ts";
import { readingQuotedTexts } from "../schema/quoted-texts/views.ts";
import { columnNamesOf, quoteName, rowidName } from "../schema/schema-pragmas.ts";
import type { TableEntry } from "../schema/table-list.ts";
import { beginSearch, rowHasWords, SearchStopped, returnedValue, wordParameters } from "./search-conditions.ts";
import type { SearchTerms } from "./search-terms.ts";
import { fold, foldedIndexOf, searchedText } from "./text-folding.ts";

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
  /** It ended before the first match, and cannot go on from there. */
  readonly cannotGoOn?: boolean;
  /** How many of the first matches an index found; the others come from a scan. */
  readonly ranked?: number;
  /** Parts of the table that were left out. */
  readonly notSearched?: readonly NotSearched[];
}

/** Where the search of a table begins. */
export type TableStart = Pick<SearchPosition, "rowid" | "skip">;

export interface TableSearch {
  readonly terms: SearchTerms;
  readonly limits: ScanLimits;
  readonly start: TableStart;
  /** Leaves out the rows that the indexes of full-text tables find. */
  readonly except?: readonly IndexedRows[] | undefined;
}

/** Rows that the index of a full-text table finds. */
export interface IndexedRows {
  readonly table: string;
  readonly query: string;
  /** The column that has the row ids of the full-text table. Default: the row id. */
  readonly key?: string | undefined;
}

/** A condition that leaves these rows out, with the parameters of {@link exceptParameters}. */
export const isNotIndexed = (except: readonly IndexedRows[], rowid: string | undefined): string =>
  except
    .flatMap(({ table, key }, index) => {
      const column = key === undefined ? rowid : quoteName(key);
      if (column === undefined) return [];
      return ` AND ${column} NOT IN (SELECT rowid FROM main.${quoteName(table)} WHERE ${quoteName(table)} MATCH @except${index})`;
    })
    .join("");

export const exceptParameters = (except: readonly IndexedRows[]): Record<string, string> =>
  Object.fromEntries(except.map(({ query }, index) => [`except${index}`, query]));

/** Row ids that are searched between two looks at the clock: at first, and at most. Rows of long texts take a hundred times as long as short ones. */
const FIRST_WINDOW = 500n;
const MAX_WINDOW = 16_000n;
/** A window that takes longer is followed by a smaller one. */
const MAX_WINDOW_MS = 50;
/** SQLite returns at most 2,000, with the row id. */
const MAX_COLUMNS = 1900;
/** Characters of a snippet on both sides of the match. */
const CONTEXT = 60;
const MAX_SNIPPET = 500;
const MIN_ROWID = -(2n ** 63n);

export function scanTable(db: Database.Database, table: ScannedTable, { terms, limits, start, except }: TableSearch): Found {
  const { left, until } = limits;
  const all = columnNamesOf(db, table.name);
  const columns = all.slice(0, MAX_COLUMNS);
  if (columns.length === 0) return { matches: [], isComplete: true };
  const { longBlobs } = beginSearch(db, until);
  const matches: SearchMatch[] = [];
  const search: Search = { terms, until, start, except, wasStopped: false, searchedTo: undefined, limit: () => left - matches.length + 1 };
  for (const rows of matchingRows(db, table, columns, search)) {
    matches.push(...rows.map((row) => matchOf(table.name, columns, terms, row)));
    if (matches.length > left) break;
  }
  const notSearched = leftOut(table.name, all, longBlobs);
  if (matches.length > left) return { matches: matches.slice(0, left), isComplete: false, notSearched };
  const { wasStopped, searchedTo } = search;
  const cannotGoOn = wasStopped && matches.length === 0 && searchedTo === undefined && !hasRowids(table, columns);
  return { matches, isComplete: !wasStopped, ...(searchedTo !== undefined && { searchedTo }), cannotGoOn, notSearched };
}

function leftOut(table: string, columns: readonly string[], longBlobs: ReadonlySet<number>): NotSearched[] {
  const blobs = [...longBlobs].map((at) => ({ table, column: columns[at] ?? "", reason: "BLOBs of more than 64 KB" }));
  const more = columns.length > MAX_COLUMNS ? [{ table, reason: `columns after the first ${MAX_COLUMNS}` }] : [];
  return [...blobs, ...more];
}

interface Search extends Omit<TableSearch, "limits"> {
  readonly until: number;
  /** The deadline ended the search. */
  wasStopped: boolean;
  searchedTo: bigint | undefined;
  /** Rows that the next window may return. */
  limit(): number;
}

/** R-trees have row ids too, but read all rows for each window of them. */
const hasRowids = ({ type, withoutRowid, isFullText = false }: ScannedTable, columns: readonly string[]): boolean =>
  !withoutRowid && type !== "view" && (type !== "virtual" || isFullText) && rowidName(columns) !== undefined;

export interface ScannedTable extends TableEntry {
  readonly isFullText?: boolean;
}

/** Rows as `[row id, …values]`, window by window; one after another where rows have no ids. */
function* matchingRows(db: Database.Database, table: ScannedTable, columns: readonly string[], search: Search): Generator<unknown[][]> {
  const source = `main.${quoteName(table.name)}`;
  const { except = [] } = search;
  const id = rowidName(columns);
  const isWithIds = hasRowids(table, columns);
  const matches = `${rowHasWords(columns, search.terms)}${isNotIndexed(except, isWithIds ? id : undefined)}`;
  const parameters = { ...wordParameters(search.terms), ...exceptParameters(except) };
  const values = columns.map(returnedValue).join(", ");
  const prepare = (sql: string): Database.Statement<unknown[], unknown[]> => db.prepare<unknown[], unknown[]>(sql).raw().safeIntegers();
  if (id === undefined || !isWithIds) {
    const rowid = table.type === "virtual" && id !== undefined ? id : "NULL";
    const statement = readingQuotedTexts(db, table.name, (schema) =>
      prepare(
        `SELECT ${rowid}, ${values} FROM ${schema}.${quoteName(table.name)} WHERE search_goes_on() AND (${matches}) LIMIT ? OFFSET ?`,
      ),
    );
    yield rowsInTime(statement.iterate(search.limit(), search.start.skip ?? 0, parameters), search);
    return;
  }
  const rowid = <Parameters extends unknown[]>(sql: string): Database.Statement<Parameters, bigint | null> =>
    db.prepare<Parameters, bigint | null>(sql).pluck().safeIntegers();
  const last = rowid<[]>(`SELECT ${id} FROM ${source} ORDER BY ${id} DESC LIMIT 1`).get() ?? null;
  if (last === null) return;
  const next = rowid<[bigint]>(`SELECT ${id} FROM ${source} WHERE ${id} >= ? ORDER BY ${id} LIMIT 1`);
  const window = prepare(`SELECT ${id}, ${values} FROM ${source} WHERE ${id} BETWEEN ? AND ? AND (${matches}) LIMIT ?`);
  const first = search.start.rowid === undefined ? MIN_ROWID : BigInt(search.start.rowid) + 1n;
  let size = FIRST_WINDOW;
  for (let from = first > last ? null : (next.get(first) ?? null); from !== null;) {
    const to: bigint = from + size < last ? from + size : last;
    const startedAt = performance.now();
    // One window at least, so that the next page begins further on.
    search.wasStopped = search.searchedTo !== undefined && startedAt > search.until;
    if (search.wasStopped) return;
    const rows = window.all(from, to, search.limit(), parameters);
    const isSlow = performance.now() - startedAt > MAX_WINDOW_MS;
    if (isSlow) size = size > 1n ? size / 2n : size;
    else if (size < MAX_WINDOW) size *= 2n;
    yield rows;
    search.searchedTo = to;
    from = to < last ? (next.get(to + 1n) ?? null) : null;
  }
}

/** The rows until the deadline. */
function rowsInTime(rows: Iterable<unknown[]>, search: Search): unknown[][] {
  const found: unknown[][] = [];
  try {
    for (const row of rows) found.push(row);
  } catch (error) {
    if (!(error instanceof SearchStopped)) throw error;
    search.wasStopped = true;
  }
  return found;
}

function matchOf(table: string, columns: readonly string[], terms: SearchTerms, [rowid, ...values]: readonly unknown[]): SearchMatch {
  const texts = values.map((value) => fold(searchedText(value)));
  const wanted = [terms.phrase, ...terms.words].find((term) => texts.some((text) => text.includes(term))) ?? terms.phrase;
  const at = texts.findIndex((text) => text.includes(wanted));
  const snippet = at === -1 ? "" : snippetOf(searchedText(values[at]), wanted);
  return { table, column: columns[at] ?? null, rowid: typeof rowid === "bigint" ? exactInteger(rowid) : null, snippet };
}

function snippetOf(value: string, wanted: string): string {
  const start = Math.max(0, foldedIndexOf(value, wanted) - CONTEXT);
  const end = Math.min(value.length, start + wanted.length + 2 * CONTEXT);
  const excerpt = value.slice(start, Math.min(end, start + MAX_SNIPPET));
  return `${start > 0 ? "…" : ""}${excerpt}${end < value.length ? "…" : ""}`;
}
