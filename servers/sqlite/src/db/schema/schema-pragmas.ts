// What SQLite itself tells of a database. Asked by PRAGMA statements, never by the tables of the same names: a file may hold
// tables that are called so, and they would answer.
import type Database from "better-sqlite3";
import { isOfOneThing } from "../engine/lock-retry.ts";
import { tablesOf, type Listed } from "./table-list.ts";

export interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
  /** 1 hidden in a virtual table, 2 generated, 3 generated and stored. */
  readonly hidden: number;
}

export interface KeyPart {
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
  readonly origin: "c" | "u" | "pk";
  readonly partial: number;
}

export interface IndexColumn {
  /** Null stands for an expression. */
  readonly name: string | null;
  readonly desc: number;
  readonly coll: string;
  readonly key: number;
}

/** A name as it stands in a statement, whatever is in it. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const ask = <T>(db: Database.Database, pragma: string): T[] => db.pragma(pragma) as T[]; // the columns that SQLite documents

/** Those that people made, and that hold no other's data. */
export const ownTablesOf = (db: Database.Database): Listed[] =>
  tablesOf(db).filter(({ name, type }) => type !== "shadow" && !/^sqlite_/i.test(name));

/** Without the hidden ones of virtual tables. */
export const columnsOf = (db: Database.Database, table: string): ColumnInfo[] =>
  ask<ColumnInfo>(db, `main.table_xinfo(${quoted(table)})`).filter(({ hidden }) => hidden !== 1);

/** As `columnsOf`; or why they cannot be told, as of a view on what is gone: the other tables have theirs nevertheless. */
export function columnsOrWhy(db: Database.Database, table: string): { columns: ColumnInfo[]; error?: string } {
  try {
    return { columns: columnsOf(db, table) };
  } catch (error) {
    if (!isOfOneThing(error)) throw error;
    return { columns: [], error: error.message.slice(0, 200) };
  }
}

/** What the ids of rows are called; undefined where columns have taken all these names. */
export const rowidAmong = (columns: readonly string[]): string | undefined =>
  ["rowid", "_rowid_", "oid"].find((name) => !columns.some((column) => column.toLowerCase() === name));

export const columnNamesOf = (db: Database.Database, table: string): string[] => columnsOf(db, table).map(({ name }) => name);

export const foreignKeysOf = (db: Database.Database, table: string): KeyPart[] =>
  ask<KeyPart & { seq: number }>(db, `main.foreign_key_list(${quoted(table)})`).toSorted(
    (one, other) => one.id - other.id || one.seq - other.seq,
  );

export const indexesOf = (db: Database.Database, table: string): IndexInfo[] => ask(db, `main.index_list(${quoted(table)})`);

/** The columns that an index is ordered by. */
export const indexColumnsOf = (db: Database.Database, index: string): IndexColumn[] =>
  ask<IndexColumn>(db, `main.index_xinfo(${quoted(index)})`).filter(({ key }) => key === 1);

export const namesOf = (db: Database.Database, list: "pragma_list" | "module_list" | "function_list"): string[] => [
  ...new Set(ask<{ name: string }>(db, list).map(({ name }) => name)),
];
