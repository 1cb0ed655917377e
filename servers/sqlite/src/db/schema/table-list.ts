// The tables and views of a database, from the statements that created them. `PRAGMA table_list` is not used: it compiles every view,
// a failing one as often as there are tables, and views upon views keep it busy for hours.
import type Database from "better-sqlite3";
import { isSymbol, isWord, tokensOf } from "../sql/tokens.ts";
import { columnNamesOf } from "./schema-pragmas.ts";
import { readSchemaOnce } from "./schema-cache.ts";
import { isOwnTable, shadowNamesOf, type ShadowName } from "./shadow-tables.ts";

/** A shadow table holds the data of a virtual one. */
export type TableType = "table" | "view" | "virtual" | "shadow";

export interface TableEntry {
  readonly name: string;
  readonly type: TableType;
  readonly withoutRowid: boolean;
  readonly strict: boolean;
  /** The virtual table for whose part SQLite takes this table, which it has not created. */
  readonly takenBy?: string;
}

interface SchemaRow {
  readonly name: string;
  readonly type: "table" | "view";
  readonly sql: string;
}

/** Statements may be long and many, so only those are read that say more than that there is a table. */
const SCHEMA_ROWS = `SELECT name, type, CASE WHEN type = 'table' AND (sql LIKE 'CREATE%VIRTUAL%' OR sql LIKE '%ROWID%' OR sql LIKE '%STRICT%')
  THEN sql ELSE '' END AS sql FROM main.sqlite_schema WHERE type IN ('table', 'view')`;

/** All of them, ordered as JavaScript compares strings, because cursors are compared there. */
export const allTables = (db: Database.Database): readonly TableEntry[] => readSchemaOnce(db, "tables", () => readTables(db));

function readTables(db: Database.Database): TableEntry[] {
  const rows = db.prepare<[], SchemaRow>(SCHEMA_ROWS).all();
  const shadows = shadowNames(rows);
  const tables = rows.map(({ name, type, sql }): TableEntry => {
    if (type === "view") return { name, type, withoutRowid: false, strict: false };
    if (isVirtual(sql)) return { name, type: "virtual", withoutRowid: false, strict: false };
    const shadow = shadows.get(name.toLowerCase());
    if (shadow === undefined) return { name, type: "table", ...tableOptions(sql) };
    if (isOwnTable(shadow, columnNamesOf(db, name))) return { name, type: "shadow", ...tableOptions(sql) };
    return { name, type: "table", ...tableOptions(sql), takenBy: shadow.owner };
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

/** The users' tables that SQLite takes for parts of virtual tables: their names in lower case, and the virtual tables. */
export const takenTablesOf = (db: Database.Database): ReadonlyMap<string, string> =>
  new Map(allTables(db).flatMap(({ name, takenBy }): [string, string][] => (takenBy === undefined ? [] : [[name.toLowerCase(), takenBy]])));

/** SQLite normalizes the blanks between these words; only a program that edits the file itself writes others. */
const isVirtual = (sql: string): boolean => /^CREATE[^(]{1,200}TABLE/i.test(sql) && isWord(tokensOf(sql.slice(0, 300))[1], "VIRTUAL");

/** By name. */
const shadowNames = (rows: readonly SchemaRow[]): ReadonlyMap<string, ShadowName> =>
  new Map(
    rows
      .filter(({ sql }) => isVirtual(sql))
      .flatMap(({ name, sql }) => shadowNamesOf(name, moduleOf(sql)).map((shadow): [string, ShadowName] => [shadow.name, shadow])),
  );

/** The names that a virtual table has for its tables; none for other tables. */
export function shadowNamesOfTable(db: Database.Database, table: string): ShadowName[] {
  const row = db
    .prepare<[string], SchemaRow>("SELECT name, type, sql FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE AND type = 'table'")
    .get(table);
  return row === undefined ? [] : [...shadowNames([row]).values()];
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
