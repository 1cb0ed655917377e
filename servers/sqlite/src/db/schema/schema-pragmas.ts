// Columns, keys and indexes of a table, by PRAGMA statements. The tables of the same names are not used: a file may hold tables that
// are called so, and they would answer.
import type Database from "better-sqlite3";
import { isObjectError } from "../engine/sqlite-errors.ts";
import { quoteName } from "../sql/tokens.ts";
import { readSchemaOnce } from "./schema-cache.ts";
import { readingQuotedTexts } from "./quoted-texts/views.ts";

export { quoteName } from "../sql/tokens.ts";

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
  /** 1: hidden in a virtual table, 2: generated, 3: generated and stored. */
  readonly hidden: number;
}

export interface ForeignKeyColumn {
  readonly id: number;
  readonly table: string;
  readonly from: string;
  readonly to: string | null;
  readonly on_update: string;
  readonly on_delete: string;
}

export interface IndexInfo {
  readonly name: string;
  readonly unique: number;
  /** Made by CREATE INDEX, UNIQUE or PRIMARY KEY. */
  readonly origin: "c" | "u" | "pk";
  readonly partial: number;
}

export interface IndexColumn {
  /** Null for an expression. */
  readonly name: string | null;
  readonly desc: number;
  readonly coll: string;
  readonly key: number;
}

const pragma = <T>(db: Database.Database, sql: string): T[] => db.pragma(sql) as T[]; // the columns that SQLite documents

/** Without the hidden columns of virtual tables. */
export const columnsOf = (db: Database.Database, table: string): readonly ColumnInfo[] =>
  readSchemaOnce(db, `columns ${table}`, () =>
    readingQuotedTexts(db, table, (schema) => pragma<ColumnInfo>(db, `${schema}.table_xinfo(${quoteName(table)})`)).filter(
      ({ hidden }) => hidden !== 1,
    ),
  );

export const columnNamesOf = (db: Database.Database, table: string): string[] => columnsOf(db, table).map(({ name }) => name);

/** The columns, or why SQLite cannot tell them: a view may use a table that no longer exists. */
export function columnsOrError(db: Database.Database, table: string): { columns: readonly ColumnInfo[]; error?: string } {
  try {
    return { columns: columnsOf(db, table) };
  } catch (error) {
    if (!isObjectError(error)) throw error;
    return { columns: [], error: error.message.slice(0, 200) };
  }
}

/** The name of the row id; undefined where columns have taken all of its names. */
export const rowidName = (columns: readonly string[]): string | undefined =>
  ["rowid", "_rowid_", "oid"].find((name) => !columns.some((column) => column.toLowerCase() === name));

/** The columns of each foreign key of a table. */
export function foreignKeysOf(db: Database.Database, table: string): ForeignKeyColumn[][] {
  const columns = pragma<ForeignKeyColumn & { seq: number }>(db, `main.foreign_key_list(${quoteName(table)})`);
  const sorted = columns.toSorted((one, other) => one.id - other.id || one.seq - other.seq);
  return [...Map.groupBy(sorted, ({ id }) => id).values()];
}

export const indexesOf = (db: Database.Database, table: string): IndexInfo[] => pragma(db, `main.index_list(${quoteName(table)})`);

/** The columns that an index is ordered by. */
export const indexColumnsOf = (db: Database.Database, index: string): IndexColumn[] =>
  pragma<IndexColumn>(db, `main.index_xinfo(${quoteName(index)})`).filter(({ key }) => key === 1);

/** All columns that an index is ordered by, the row id or primary key at its end included. */
export const indexOrderOf = (db: Database.Database, index: string): (IndexColumn & { readonly isRowid: boolean })[] =>
  pragma<IndexColumn & { cid: number }>(db, `main.index_xinfo(${quoteName(index)})`).map((column) => ({
    ...column,
    isRowid: column.cid === -1,
  }));

/** The names of a table's primary key columns, in the order of the key. */
export const primaryKeyOf = (columns: readonly ColumnInfo[]): string[] =>
  columns
    .filter(({ pk }) => pk > 0)
    .toSorted((one, other) => one.pk - other.pk)
    .map(({ name }) => name);

/** Everything that SQLite has of one kind: pragmas, modules of virtual tables, or functions. */
export const featureNames = (db: Database.Database, list: "pragma_list" | "module_list" | "function_list"): string[] => [
  ...new Set(pragma<{ name: string }>(db, list).map(({ name }) => name)),
];
