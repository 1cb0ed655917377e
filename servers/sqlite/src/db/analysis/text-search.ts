// Finds a text anywhere: full-text tables by rank, ordinary tables by a scan that ends in time.
import type Database from "better-sqlite3";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { exactInteger, type Engine } from "../engine/engine.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { refusal } from "../errors.ts";
import type { SearchMatch, SearchReply, SearchRequest } from "../protocol/query-messages.ts";
import { columnNamesOf, quoteName } from "../schema/schema-pragmas.ts";
import { tableNotFound } from "../schema/table-description.ts";
import { moduleOf, sameTable, userTables, type TableEntry } from "../schema/table-list.ts";
import { fullTextQuery, searchTermsOf, type SearchTerms } from "./search-terms.ts";
import { scanTable, type ScanLimits } from "./table-scan.ts";

/** The search ends after this time with what it has found. */
const MAX_SEARCH_MS = 5000;
/** LIKE takes patterns of up to 50,000 bytes. */
const MAX_TEXT_LENGTH = 8000;
const MAX_UNFINISHED = 100;
const MAX_SNIPPET = 500;

export function searchText({ db }: Engine, { text, tables, maxMatches }: SearchRequest): SearchReply {
  if (text.trim() === "") throw refusal("Invalid query: expected a text to find, got blanks.");
  if (text.length > MAX_TEXT_LENGTH)
    throw refusal(`Invalid query: the text has ${text.length} characters, the limit is ${MAX_TEXT_LENGTH}. Search for a part of it.`);
  const limits: ScanLimits = { left: maxMatches, until: performance.now() + MAX_SEARCH_MS };
  const terms = searchTermsOf(text);
  const matches: SearchMatch[] = [];
  const unfinished: string[] = [];
  for (const table of searchedTables(db, tables)) {
    const isComplete =
      limits.left > 0 &&
      skipUnreadable(tables, () => {
        const found = table.type === "virtual" ? searchByRank(db, table.name, terms, limits) : scanTable(db, table, terms, limits);
        matches.push(...found.matches);
        limits.left -= found.matches.length;
        return found.isComplete;
      });
    if (!isComplete) unfinished.push(table.name);
  }
  return { matches, truncated: unfinished.length > 0, unfinished: unfinished.slice(0, MAX_UNFINISHED) };
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
function skipUnreadable(names: readonly string[], search: () => boolean): boolean {
  try {
    return search();
  } catch (error) {
    if (names.length > 0 || !(isObjectError(error) || systemErrorCode(error) === "refused")) throw error;
    return false;
  }
}

interface Found {
  readonly matches: SearchMatch[];
  readonly isComplete: boolean;
}

/** FTS5 returns the best rows first, with the words around the match. Other virtual tables are not searched. */
function searchByRank(db: Database.Database, table: string, terms: SearchTerms, { left }: ScanLimits): Found {
  const sql = db.prepare<[string], string>("SELECT sql FROM main.sqlite_schema WHERE name = ?").pluck().get(table) ?? "";
  const query = fullTextQuery(terms);
  if (moduleOf(sql) !== "fts5" || query === undefined) return { matches: [], isComplete: true };
  const [column, ...otherColumns] = columnNamesOf(db, table);
  const name = quoteName(table);
  const rows = db
    .prepare<[string, number], { rowid: bigint; rank: number; snippet: string | null }>(
      `SELECT rowid, rank, snippet(${name}, -1, '', '', '…', 24) AS snippet FROM ${name} WHERE ${name} MATCH ? ORDER BY rank LIMIT ?`,
    )
    .safeIntegers()
    .all(query, left + 1);
  const matches = rows.slice(0, left).map(({ rowid, rank, snippet }) => ({
    table,
    column: otherColumns.length === 0 ? (column ?? null) : null,
    rowid: exactInteger(rowid),
    snippet: (snippet ?? "").slice(0, MAX_SNIPPET), // contentless tables have no texts to show
    rank,
  }));
  return { matches, isComplete: rows.length <= left };
}
