// Temporary triggers, which observe tables while one statement runs.
import type Database from "better-sqlite3";
import { quoteName } from "../schema/schema-pragmas.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";

export interface TemporaryTrigger {
  readonly table: string;
  /** For example "AFTER INSERT". */
  readonly event: string;
  /** Statements without the last semicolon. */
  readonly body: string;
}

/** Runs `act`, which executes the statement, with the triggers. Tables that take no triggers have none. */
export function withTriggers<T>(db: Database.Database, prefix: string, triggers: readonly TemporaryTrigger[], act: () => T): T {
  const created = triggers.flatMap(({ table, event, body }, index) => {
    const name = quoteName(`oarlock_${prefix}_${index}`);
    try {
      db.exec(`CREATE TEMP TRIGGER ${name} ${event} ON main.${quoteName(table)} BEGIN ${body}; END`);
      return [name];
    } catch (error) {
      if (!isSqlError(error)) throw error;
      return [];
    }
  });
  try {
    return act();
  } finally {
    // A failed statement may have ended the transaction, and the triggers with it.
    for (const name of created) db.exec(`DROP TRIGGER IF EXISTS temp.${name}`);
  }
}
