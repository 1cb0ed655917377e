// Deferred foreign keys: SQLite checks them at COMMIT, which a dry run never reaches, so a dry run checks them here.
import type Database from "better-sqlite3";
import { foreignKeysOf, quoteName } from "../schema/schema-pragmas.ts";
import { brokenKeyError } from "./foreign-key-errors.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";

/** Runs `act`, whose changes will be rolled back. Fails where their COMMIT would have failed. */
export function checkDeferredKeys<T>(db: Database.Database, act: () => T): T {
  const brokenBefore = countBrokenKeys(db);
  const result = act();
  checkNoMoreBrokenKeys(db, brokenBefore);
  return result;
}

/** Fails where COMMIT would fail, if `brokenBefore` rows already broke a foreign key when the transaction began. */
export function checkNoMoreBrokenKeys(db: Database.Database, brokenBefore: number): void {
  if (countBrokenKeys(db) > brokenBefore) throw brokenKeyError(db);
}

/** Rows that break a foreign key, in tables with deferred ones. Reads no rows where there are no such tables. */
export function countBrokenKeys(db: Database.Database): number {
  const tables = db
    .prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%DEFERRED%'")
    .pluck()
    .all()
    .filter((name) => foreignKeysOf(db, name).length > 0);
  return tables.reduce((sum, name) => sum + brokenKeysIn(db, name), 0);
}

function brokenKeysIn(db: Database.Database, table: string): number {
  let count = 0;
  try {
    const rows = db
      .prepare(`PRAGMA main.foreign_key_check(${quoteName(table)})`)
      .raw()
      .iterate();
    for (const _ of rows) count += 1;
  } catch (error) {
    // A key that refers to columns without a unique index cannot be checked; statements that use it fail by themselves.
    if (!isSqlError(error)) throw error;
  }
  return count;
}
