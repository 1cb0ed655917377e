// Finds a text anywhere: full-text tables by their index, everything else by a scan that ends in time. Names what it leaves out.
import type Database from "better-sqlite3";
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import type { Engine } from "../engine/engine.ts";
import { explainError } from "../engine/errors/error-messages.ts";
import { whyUnreadable } from "../engine/errors/full-text-errors.ts";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { DbError, refusal } from "../errors.ts";
import type { SearchMatch, SearchPosition, SearchReply, SearchRequest, UnreadableTable } from "../protocol/query-messages.ts";
import { readingQuotedTexts } from "../schema/quoted-texts/views.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { tableNotFound } from "../schema/table-description.ts";
import { moduleOf, sameTable, userTables, type TableEntry } from "../schema/table-list.ts";
import { indexedContent, isFullText, searchFullText, type IndexedContent } from "./full-text-search.ts";
import { nearWords } from "./near-words.ts";
import { SearchPage } from "./search-page.ts";
import { searchTermsOf } from "./search-terms.ts";
import { scanTable, type Found, type IndexedRows, type TableSearch } from "./table-scan.ts";

const MAX_SEARCH_MS = 5000;
/** LIKE takes patterns of up to 50,000 bytes. */
const MAX_TEXT_LENGTH = 8000;
const MAX_NAMES = 100;
const MAX_NEAR_MATCHES = 5;
const MAX_NEAR_MS = 1000;

export function searchText(engine: Engine, request: SearchRequest, maxMs = MAX_SEARCH_MS): SearchReply {
  const { db } = engine;
  const { text, tables: names, maxMatches, maxBytes, after } = request;
  if (text.trim() === "") throw refusal("Invalid query: expected a text to find, got blanks.");
  if (text.length > MAX_TEXT_LENGTH)
    throw refusal(`Invalid query: the text has ${text.length} characters, the limit is ${MAX_TEXT_LENGTH}. Search for a part of it.`);
  const page = new SearchPage({ maxMatches, maxBytes, maxMs, hadMatches: after?.hadMatches === true, failed: after?.failed ?? [] });
  const terms = searchTermsOf(text);
  const tables = searchedTables(db, names);
  const indexed = tables.flatMap(({ name, type }) => (type === "virtual" ? (indexedContent(name, createdBy(db, name), terms) ?? []) : []));
  const readable = (): IndexedContent[] => indexed.filter(({ table }) => !page.failed.includes(table));
  const views: string[] = [];
  let searchesViews = names.length > 0 || tables.some(({ name, type }) => type === "view" && name === after?.table);
  for (const table of tablesFrom(tables, after)) {
    // What a view shows is in the tables that it reads, unless it computes it: so views are searched where nothing was found.
    searchesViews ||= table.type === "view" && !page.hasMatches;
    if (table.type === "view" && (!searchesViews || (names.length === 0 && !streams(db, table.name)))) {
      views.push(table.name);
      continue;
    }
    const start = after?.table === table.name ? after : {};
    page.add(table, start, (limits) =>
      findOrExplain(db, table.name, names.length > 0, () =>
        searchTable(db, table, { terms, limits, start, except: foundBefore(readable(), table.name) }),
      ),
    );
  }
  const { matches, unfinished, unreadable, notSearched, searched, next } = page;
  const isVain = !page.hasMatches && unfinished.length === 0;
  const near = isVain ? nearWords(db, tables, terms.words) : undefined;
  return {
    matches,
    truncated: unfinished.length > 0,
    unfinished: unfinished.slice(0, MAX_NAMES),
    unreadable: unreadable.slice(0, MAX_NAMES),
    notSearched: notSearched.slice(0, MAX_NAMES),
    views: after === undefined ? views.slice(0, MAX_NAMES) : [],
    searched,
    near: near?.words ?? [],
    nearMatches: near === undefined ? [] : searchNear(engine, request, near.text),
    next,
  };
}

/** The first rows that hold the nearest words. */
function searchNear(engine: Engine, request: SearchRequest, text: string): SearchMatch[] {
  const maxMatches = Math.min(request.maxMatches, MAX_NEAR_MATCHES);
  return searchText(engine, { ...request, after: undefined, text, maxMatches }, MAX_NEAR_MS).matches;
}

/** The rows of a table, or of the table that a full-text one indexes, that full-text tables before it find. */
function foundBefore(indexed: readonly IndexedContent[], table: string): IndexedRows[] {
  const at = indexed.findIndex((one) => one.table === table);
  if (at === -1) return indexed.filter(({ content }) => content === table.toLowerCase());
  return indexed.slice(0, at).flatMap(({ key: _key, ...one }) => (one.content === indexed[at]?.content ? [one] : []));
}

const createdBy = (db: Database.Database, table: string): string =>
  db.prepare<[string], string>("SELECT sql FROM main.sqlite_schema WHERE name = ?").pluck().get(table) ?? "";

function searchTable(db: Database.Database, table: TableEntry, search: TableSearch): Found {
  if (table.type !== "virtual") return scanTable(db, table, search);
  const sql = createdBy(db, table.name);
  const module = moduleOf(sql);
  if (isFullText(module)) return searchFullText(db, table, { sql, module }, search);
  if (module !== "fts5vocab") return scanTable(db, table, search);
  return { matches: [], isComplete: true, notSearched: [{ table: table.name, reason: "it lists the words of a full-text table" }] };
}

/** Whether a view gives its first row without reading all rows first, so that its search can end in time. */
function streams(db: Database.Database, view: string): boolean {
  try {
    const plan = readingQuotedTexts(db, view, (schema) =>
      db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN SELECT * FROM ${schema}.${quoteName(view)}`).all(),
    );
    return !plan.some(({ detail }) => /TEMP B-TREE|MATERIALIZE|CO-ROUTINE|RECURSIVE/.test(detail));
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return true; // the search reports why it cannot be read
  }
}

/** The table where the page before ended, and those after it. */
function tablesFrom(tables: readonly TableEntry[], after: SearchPosition | undefined): readonly TableEntry[] {
  if (after === undefined) return tables;
  const index = tables.findIndex(({ name }) => name === after.table);
  if (index === -1) throw refusal(`The table ${clip(after.table)} was removed since the previous page. Search again without cursor.`);
  return tables.slice(index);
}

/** The named tables or all of them: full-text tables first, views last. */
function searchedTables(db: Database.Database, names: readonly string[]): TableEntry[] {
  const tables = userTables(db);
  const wanted = new Set(names.map((name) => tableWithName(tables, name) ?? tableNotFound(db, name)));
  for (const table of wanted) if (table instanceof DbError) throw table;
  const order = ({ type }: TableEntry): number => (type === "virtual" ? 0 : type === "view" ? 2 : 1);
  return tables.filter((table) => names.length === 0 || wanted.has(table)).toSorted((one, other) => order(one) - order(other));
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
