// Deferred foreign keys are looked at when a transaction is made to stay, and a dry run never is: there we look ourselves.
import type Database from "better-sqlite3";
import { DbError } from "../errors.ts";
import { codeOf } from "./lock-retry.ts";
import { foreignKeysOf, quoted } from "../schema/schema-pragmas.ts";

/** Runs `act`, whose changes will be undone; fails as their commit would have failed. */
export function asIfKept<T>(db: Database.Database, act: () => T): T {
  const before = brokenIn(db);
  const done = act();
  mustKeep(db, before);
  return done;
}

/** Fails as the commit would have failed, where `before` rows broke a foreign key at the beginning. */
export function mustKeep(db: Database.Database, before: number): void {
  if (brokenIn(db) > before)
    throw new DbError("sql", "FOREIGN KEY constraint failed: it is deferred, and would be broken still at the end of the transaction");
}

/** Rows that break a foreign key, in the tables that have deferred ones. Nothing is looked through where there are none. */
export function brokenIn(db: Database.Database): number {
  const tables = db
    .prepare<[], string>("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND sql LIKE '%DEFERRED%'")
    .pluck()
    .all()
    .filter((name) => foreignKeysOf(db, name).length > 0);
  return tables.reduce((sum, name) => sum + brokenOf(db, name), 0);
}

function brokenOf(db: Database.Database, table: string): number {
  let broken = 0;
  try {
    const rows = db
      .prepare(`PRAGMA main.foreign_key_check(${quoted(table)})`)
      .raw()
      .iterate();
    for (const _ of rows) broken += 1;
  } catch (error) {
    // A key whose other side fits no unique columns cannot be looked at; the statements that it concerns say so themselves.
    if (codeOf(error) !== "SQLITE_ERROR") throw error;
  }
  return broken;
}
