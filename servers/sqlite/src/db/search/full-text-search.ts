// Searches a full-text table: by its index, and by a scan of its texts for what the index does not find.
import type Database from "better-sqlite3";
import { exactInteger } from "../engine/engine.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";
import { optionsOf } from "../schema/broken-references.ts";
import { tokenizerWords } from "../schema/missing-parts.ts";
import { columnNamesOf, quoteName } from "../schema/schema-pragmas.ts";
import { moduleOf, tableNamed, type TableEntry } from "../schema/table-list.ts";
import { tokensOf } from "../sql/tokens.ts";
import type { SearchTerms } from "./search-terms.ts";
import { exceptParameters, isNotIndexed, scanTable, type Found, type IndexedRows, type TableSearch } from "./table-scan.ts";

const MAX_SNIPPET = 500;
/** Letters in a row that an index of trigrams needs. */
const MIN_TRIGRAM = 3;

interface FullTextTable {
  readonly name: string;
  readonly module: "fts3" | "fts4" | "fts5";
  /** Without texts of its own they are in another table, which is searched too, or nowhere. */
  readonly content: "own" | "other" | "none";
  readonly isTrigram: boolean;
}

export const isFullText = (module: string): module is FullTextTable["module"] => /^fts[345]$/.test(module);

export function searchFullText(
  db: Database.Database,
  entry: TableEntry,
  { sql, module }: { sql: string; module: FullTextTable["module"] },
  search: TableSearch,
): Found {
  const table = fullTextTable(entry.name, sql, module);
  const { terms, start, limits } = search;
  const query = matchQuery(table, terms);
  // A page that goes on after a row id goes on with the scan.
  const matched = query === undefined || start.rowid !== undefined ? undefined : matchesOrMissing(db, table, query, search);
  if (matched?.isComplete === false) return matched;
  const byIndex = matched?.matches ?? [];
  const hasFound = byIndex.length > 0 || start.skip !== undefined;
  if (table.content === "none" && !hasFound)
    return {
      matches: [],
      isComplete: true,
      notSearched: [{ table: table.name, reason: "its texts are not stored, so only whole words are found" }],
    };
  if (table.content !== "own" || (hasFound && ![...terms.given, ...terms.words].some(foldsOtherwise)))
    return { matches: byIndex, isComplete: true, ranked: byIndex.length };
  const scan = {
    terms,
    start: start.rowid === undefined ? {} : { rowid: start.rowid },
    limits: { ...limits, left: limits.left - byIndex.length },
  };
  const except = matched !== undefined && query !== undefined ? [{ table: table.name, query }] : undefined;
  const found = scanTexts(db, entry, { ...scan, ...(except !== undefined && { except }) });
  return { ...found, matches: [...byIndex, ...found.matches], ranked: byIndex.length };
}

function fullTextTable(name: string, sql: string, module: FullTextTable["module"]): FullTextTable {
  const content = optionsOf(sql).get("content");
  return {
    name,
    module,
    content: content === undefined ? "own" : content === "" ? "none" : "other",
    isTrigram: tokenizerWords(tokensOf(sql))[0] === "trigram",
  };
}

/** The rows of another table that a full-text table finds. */
export interface IndexedContent extends IndexedRows {
  /** The name of the other table in lower case. */
  readonly content: string;
}

/** Undefined where the full-text table has texts of its own or none, or finds nothing by its index. */
export function indexedContent(name: string, sql: string, terms: SearchTerms): IndexedContent | undefined {
  const module = moduleOf(sql);
  const options = optionsOf(sql);
  const content = options.get("content") ?? "";
  if (!isFullText(module) || content === "") return undefined;
  const query = matchQuery(fullTextTable(name, sql, module), terms);
  if (query === undefined) return undefined;
  return { table: name, query, key: options.get("content_rowid"), content: content.toLowerCase() };
}

/** Tokenizers do not know that ß is ss, and those of FTS3 compare only letters of ASCII. */
const foldsOtherwise = (word: string): boolean => /ss|[^\0-\x7F]/.test(word);

/** Undefined: the index finds no word of the text. */
function matchQuery({ module, isTrigram }: FullTextTable, { given }: SearchTerms): string | undefined {
  const words = given.filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length < given.length || (isTrigram && words.some((word) => Array.from(word).length < MIN_TRIGRAM))) return undefined;
  const [first, ...others] = words.map((word) => (module === "fts5" ? quoted(word) : `"${word.replaceAll('"', " ")}"`));
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others].join(" AND ");
  // FTS5 ranks rows with the phrase first.
  return module === "fts5" ? `${quoted(given.join(" "))} OR (${all})` : all;
}

const quoted = (term: string): string => `"${term.replaceAll('"', '""')}"`;

/** Undefined where the tokenizer of the table is not here. */
function matchesOrMissing(db: Database.Database, table: FullTextTable, query: string, search: TableSearch): Found | undefined {
  try {
    return matchesOf(db, table, query, search);
  } catch (error) {
    if (isSqlError(error) && table.content === "own") return undefined;
    throw error;
  }
}

interface MatchRow {
  readonly rowid: bigint;
  readonly rank: number | null;
  readonly snippet: string | null;
}

/** Characters of a value in which the snippet is looked for. */
const MAX_LOOKED_AT = 20_000;
/** Of wider tables no column is named. */
const MAX_LOOKED_AT_COLUMNS = 50;

/** FTS5 returns the best rows first; both show the words around the match. */
function matchesOf(
  db: Database.Database,
  { name: table, module, content }: FullTextTable,
  query: string,
  { limits: { left }, start, except = [] }: TableSearch,
): Found {
  const columns = columnNamesOf(db, table);
  const name = quoteName(table);
  const hasTexts = content !== "none" && columns.length > 1 && columns.length <= MAX_LOOKED_AT_COLUMNS;
  const texts = hasTexts ? columns.map((column) => `substr(${quoteName(column)}, 1, ${MAX_LOOKED_AT})`) : [];
  const extra =
    module === "fts5"
      ? `rank, snippet(${name}, -1, '', '', '…', 24) AS snippet`
      : `NULL AS rank, snippet(${name}, '', '', '…', -1, 24) AS snippet`;
  const order = module === "fts5" ? "rank" : "rowid";
  const rows = db
    .prepare<[string, number, number, object], MatchRow & Record<string, unknown>>(
      `SELECT ${["rowid", extra, ...texts.map((text, index) => `${text} AS text${index}`)].join(", ")} FROM ${name} WHERE ${name} MATCH ?${isNotIndexed(except, "rowid")} ORDER BY ${order} LIMIT ? OFFSET ?`,
    )
    .safeIntegers()
    .all(query, left + 1, start.skip ?? 0, exceptParameters(except));
  const matches = rows.slice(0, left).map(({ rowid, rank, snippet, ...row }) => ({
    table,
    column: (columns.length === 1 ? columns[0] : columns[texts.findIndex((_, index) => holds(row[`text${index}`], snippet))]) ?? null,
    rowid: exactInteger(rowid),
    snippet: (snippet ?? "").slice(0, MAX_SNIPPET), // contentless tables have no texts to show
    ...(rank !== null && { rank }),
  }));
  return { matches, isComplete: rows.length <= left, ranked: matches.length };
}

/** Whether the first part of a snippet comes from a text. */
const holds = (text: unknown, snippet: string | null): boolean => {
  const [part = ""] = (snippet ?? "").split("…").filter((one) => one.trim() !== "");
  return part !== "" && typeof text === "string" && text.includes(part);
};

/** A table whose tokenizer is not here cannot be opened; its texts are in an ordinary table. */
function scanTexts(db: Database.Database, entry: TableEntry, search: TableSearch): Found {
  try {
    return scanTable(db, { ...entry, isFullText: true }, search);
  } catch (error) {
    const content = isSqlError(error) ? tableNamed(db, `${entry.name}_content`) : undefined;
    if (content?.type !== "shadow") throw error;
    const { matches, notSearched = [], ...found } = scanTable(db, { ...content, type: "table" }, search);
    const reason = `its tokenizer is not here, so its texts were searched in ${content.name}`;
    return { ...found, matches, notSearched: [...notSearched, { table: entry.name, reason }] };
  }
}
