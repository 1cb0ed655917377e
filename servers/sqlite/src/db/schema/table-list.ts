// The tables and views of a database, from the statements that created them. `PRAGMA table_list` is not used: it compiles every view,
// a failing one as often as there are tables, and views upon views keep it busy for hours.
import type Database from "better-sqlite3";
import { isSymbol, isWord, tokensOf } from "../sql/tokens.ts";

/** A shadow table holds the data of a virtual one. */
export type TableType = "table" | "view" | "virtual" | "shadow";

export interface TableEntry {
  readonly name: string;
  readonly type: TableType;
  readonly withoutRowid: boolean;
  readonly strict: boolean;
}

const RTREE_SUFFIXES = ["node", "parent", "rowid"];
const FTS3_SUFFIXES = ["content", "docsize", "segdir", "segments", "stat"];
/** Suffixes of the shadow tables of each module: its `xShadowName`. */
const SHADOW_SUFFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ["fts3", FTS3_SUFFIXES],
  ["fts4", FTS3_SUFFIXES],
  ["fts5", ["config", "content", "data", "docsize", "idx"]],
  ["rtree", RTREE_SUFFIXES],
  ["rtree_i32", RTREE_SUFFIXES],
  ["geopoly", RTREE_SUFFIXES],
]);

interface SchemaRow {
  readonly name: string;
  readonly type: "table" | "view";
  readonly sql: string;
}

/** Statements may be long and many, so only those are read that say more than that there is a table. */
const SCHEMA_ROWS = `SELECT name, type, CASE WHEN type = 'table' AND (sql LIKE 'CREATE%VIRTUAL%' OR sql LIKE '%ROWID%' OR sql LIKE '%STRICT%')
  THEN sql ELSE '' END AS sql FROM main.sqlite_schema WHERE type IN ('table', 'view')`;

/** All of them, ordered as JavaScript compares strings, because cursors are compared there. */
export function allTables(db: Database.Database): TableEntry[] {
  const rows = db.prepare<[], SchemaRow>(SCHEMA_ROWS).all();
  const shadows = shadowNames(rows);
  const tables = rows.map(({ name, type, sql }): TableEntry => {
    if (type === "view") return { name, type, withoutRowid: false, strict: false };
    if (isVirtual(sql)) return { name, type: "virtual", withoutRowid: false, strict: false };
    return { name, type: shadows.has(name.toLowerCase()) ? "shadow" : "table", ...tableOptions(sql) };
  });
  tables.push({ name: "sqlite_schema", type: "table", withoutRowid: false, strict: false });
  return tables.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Without shadow tables and SQLite's own. */
export const userTables = (db: Database.Database): TableEntry[] =>
  allTables(db).filter(({ name, type }) => type !== "shadow" && !/^sqlite_/i.test(name));

/** Finds a table as SQLite does, letter case ignored. */
export const tableNamed = (db: Database.Database, name: string): TableEntry | undefined => sameTable(allTables(db), name);

export function sameTable(tables: readonly TableEntry[], name: string): TableEntry | undefined {
  const wanted = name.toLowerCase();
  return tables.find((table) => table.name.toLowerCase() === wanted);
}

/** Names in lower case. */
export const shadowTablesOf = (db: Database.Database): ReadonlySet<string> =>
  new Set(allTables(db).flatMap(({ name, type }) => (type === "shadow" ? [name.toLowerCase()] : [])));

/** SQLite normalizes the blanks between these words; only a program that edits the file itself writes others. */
const isVirtual = (sql: string): boolean => /^CREATE[^(]{1,200}TABLE/i.test(sql) && isWord(tokensOf(sql.slice(0, 300))[1], "VIRTUAL");

/** Names in lower case. */
function shadowNames(rows: readonly SchemaRow[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, sql } of rows) {
    if (!isVirtual(sql)) continue;
    for (const suffix of SHADOW_SUFFIXES.get(moduleOf(sql)) ?? []) names.add(`${name}_${suffix}`.toLowerCase());
  }
  return names;
}

/** The module in `CREATE VIRTUAL TABLE name USING module`, in lower case. */
export function moduleOf(sql: string): string {
  const tokens = tokensOf(sql);
  const using = tokens.findIndex((token, index) => index > 3 && isWord(token, "USING"));
  return (tokens[using + 1]?.value ?? "").toLowerCase();
}

/** The options after the columns. */
function tableOptions(sql: string): Pick<TableEntry, "withoutRowid" | "strict"> {
  if (!/ROWID|STRICT/i.test(sql)) return { withoutRowid: false, strict: false };
  const tokens = tokensOf(sql);
  const options = tokens.slice(tokens.findLastIndex((token) => isSymbol(token, ")")) + 1);
  const has = (word: string): boolean => options.some((token) => isWord(token, word));
  return { withoutRowid: has("ROWID"), strict: has("STRICT") };
}
