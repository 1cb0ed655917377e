// Finds a text anywhere: full-text tables by rank, ordinary tables by a scan that ends in time.
import type Database from "better-sqlite3";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { exactInteger, type Engine } from "../engine/engine.ts";
import { explainError } from "../engine/error-messages.ts";
import { whyUnreadable } from "../engine/full-text-errors.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { DbError, refusal } from "../errors.ts";
import type { SearchMatch, SearchPosition, SearchReply, SearchRequest, UnreadableTable } from "../protocol/query-messages.ts";
import { columnNamesOf, quoteName } from "../schema/schema-pragmas.ts";
import { tableNotFound } from "../schema/table-description.ts";
import { moduleOf, sameTable, userTables, type TableEntry } from "../schema/table-list.ts";
import { fullTextQuery, searchTermsOf, type SearchTerms } from "./search-terms.ts";
import { scanTable, type Found, type ScanLimits, type TableStart } from "./table-scan.ts";

/** The search ends after this time with what it has found. */
const MAX_SEARCH_MS = 5000;
/** LIKE takes patterns of up to 50,000 bytes. */
const MAX_TEXT_LENGTH = 8000;
const MAX_UNFINISHED = 100;
const MAX_SNIPPET = 500;

export function searchText({ db }: Engine, { text, tables: names, maxMatches, maxBytes, after }: SearchRequest): SearchReply {
  if (text.trim() === "") throw refusal("Invalid query: expected a text to find, got blanks.");
  if (text.length > MAX_TEXT_LENGTH)
    throw refusal(`Invalid query: the text has ${text.length} characters, the limit is ${MAX_TEXT_LENGTH}. Search for a part of it.`);
  const page = new SearchPage(maxMatches, maxBytes);
  const terms = searchTermsOf(text);
  for (const table of tablesFrom(searchedTables(db, names), after)) {
    const start = after?.table === table.name ? after : {};
    const search = (limits: ScanLimits): Found =>
      table.type === "virtual" ? searchByRank(db, table.name, { terms, limits, start }) : scanTable(db, table, { terms, limits, start });
    page.add(table, start, (limits) => findOrExplain(db, table.name, names.length > 0, () => search(limits)));
  }
  const { matches, unfinished, unreadable, next } = page;
  const truncated = unfinished.length > 0;
  return { matches, truncated, unfinished: unfinished.slice(0, MAX_UNFINISHED), unreadable: unreadable.slice(0, MAX_UNFINISHED), next };
}

/** The matches of one reply, in the order of the tables. */
class SearchPage {
  readonly matches: SearchMatch[] = [];
  readonly unfinished: string[] = [];
  readonly unreadable: UnreadableTable[] = [];
  /** Where the next page begins. */
  next: SearchPosition | undefined;
  readonly #limits: ScanLimits;
  #bytesLeft: number;

  constructor(maxMatches: number, maxBytes: number) {
    this.#limits = { left: maxMatches, until: performance.now() + MAX_SEARCH_MS };
    this.#bytesLeft = maxBytes;
  }

  /** @param search Searches the table, or tells why it cannot be read. */
  add({ name }: TableEntry, start: TableStart, search: (limits: ScanLimits) => Found | UnreadableTable): void {
    if (this.#limits.left <= 0) this.next ??= { table: name };
    const outcome = this.next === undefined ? search(this.#limits) : undefined;
    if (outcome !== undefined && "reason" in outcome) this.unreadable.push(outcome);
    const found = outcome === undefined || "reason" in outcome ? undefined : outcome;
    const fitting = this.#fitting(found?.matches ?? []);
    this.matches.push(...fitting);
    this.#limits.left -= fitting.length;
    const isComplete = found?.isComplete === true && fitting.length === found.matches.length;
    if (!isComplete) this.unfinished.push(name);
    if (found !== undefined && !isComplete) this.next = positionAfter(name, start, fitting, found);
  }

  /** The first matches that fit. The first one of a page always does. */
  #fitting(matches: readonly SearchMatch[]): SearchMatch[] {
    const fitting: SearchMatch[] = [];
    for (const match of matches) {
      const bytes = Buffer.byteLength(JSON.stringify(match));
      if (bytes > this.#bytesLeft && this.matches.length + fitting.length > 0) break;
      this.#bytesLeft -= bytes;
      fitting.push(match);
    }
    return fitting;
  }
}

/** After the last match of the page; without one, after the rows that were searched. */
function positionAfter(table: string, start: TableStart, fitting: readonly SearchMatch[], { matches, searchedTo }: Found): SearchPosition {
  const last = fitting.at(-1);
  const isCut = fitting.length < matches.length || searchedTo === undefined;
  if (!isCut) return { table, rowid: String(searchedTo) };
  if (last === undefined) return { table, ...start };
  if (last.rowid === null || last.rank !== undefined) return { table, skip: (start.skip ?? 0) + fitting.length };
  return { table, rowid: String(last.rowid) };
}

/** The table where the page before ended, and those after it. */
function tablesFrom(tables: readonly TableEntry[], after: SearchPosition | undefined): readonly TableEntry[] {
  if (after === undefined) return tables;
  const index = tables.findIndex(({ name }) => name === after.table);
  if (index === -1) throw refusal(`The table ${clip(after.table)} was removed since the previous page. Search again without cursor.`);
  return tables.slice(index);
}

/** The named tables or all of them, full-text tables first. */
function searchedTables(db: Database.Database, names: readonly string[]): TableEntry[] {
  const tables = userTables(db);
  for (const name of names) {
    const table = tableWithName(tables, name);
    if (table === undefined) throw tableNotFound(db, name);
    if (table.type === "view") throw refusal(`${clip(name)} is a view: views are not searched. Search the tables that it reads.`);
  }
  const wanted = new Set(names.map((name) => tableWithName(tables, name)));
  const searched = tables.filter((table) => table.type !== "view" && (names.length === 0 || wanted.has(table)));
  return searched.toSorted((one, other) => Number(other.type === "virtual") - Number(one.type === "virtual"));
}

const tableWithName = (tables: readonly TableEntry[], name: string): TableEntry | undefined =>
  tables.find((table) => table.name === name) ?? sameTable(tables, name);

/** A table that is damaged or uses a denied function does not hide the matches of the others, unless it was named. */
function findOrExplain(db: Database.Database, table: string, isNamed: boolean, search: () => Found): Found | UnreadableTable {
  try {
    return search();
  } catch (error) {
    if (!(isObjectError(error) || systemErrorCode(error) === "refused")) throw error;
    const missing = whyUnreadable(db, table);
    const explained = missing === undefined ? explainError(error, "", db) : new DbError("sql", missing);
    if (isNamed || !(explained instanceof DbError)) throw explained;
    return { table, reason: explained.message };
  }
}

/** FTS5 returns the best rows first, with the words around the match. Other virtual tables are not searched. */
function searchByRank(
  db: Database.Database,
  table: string,
  { terms, limits, start }: { terms: SearchTerms; limits: ScanLimits; start: TableStart },
): Found {
  const { left } = limits;
  const sql = db.prepare<[string], string>("SELECT sql FROM main.sqlite_schema WHERE name = ?").pluck().get(table) ?? "";
  const query = fullTextQuery(terms);
  if (moduleOf(sql) !== "fts5" || query === undefined) return { matches: [], isComplete: true };
  const [column, ...otherColumns] = columnNamesOf(db, table);
  const name = quoteName(table);
  const rows = db
    .prepare<[string, number, number], { rowid: bigint; rank: number; snippet: string | null }>(
      `SELECT rowid, rank, snippet(${name}, -1, '', '', '…', 24) AS snippet FROM ${name} WHERE ${name} MATCH ? ORDER BY rank LIMIT ? OFFSET ?`,
    )
    .safeIntegers()
    .all(query, left + 1, start.skip ?? 0);
  const matches = rows.slice(0, left).map(({ rowid, rank, snippet }) => ({
    table,
    column: otherColumns.length === 0 ? (column ?? null) : null,
    rowid: exactInteger(rowid),
    snippet: (snippet ?? "").slice(0, MAX_SNIPPET), // contentless tables have no texts to show
    rank,
  }));
  return { matches, isComplete: rows.length <= left };
}
