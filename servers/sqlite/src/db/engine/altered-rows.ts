// Counts the rows that a change updates, replaces or deletes, its triggers and foreign keys included. Rows that are only added do not count.
import type Database from "better-sqlite3";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import type { ChangePermission } from "../protocol/change-messages.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { countsChanges, isUpdateOrDelete } from "../sql/statement.ts";

/** An upper bound, where the rows of the tables were not counted. */
export interface AlteredRows {
  readonly count: number;
  readonly isExact: boolean;
}

export const NO_ROWS: AlteredRows = { count: 0, isExact: true };

/** Whether the altered rows are known only where the rows of the tables are counted before and after. */
const needsRowCount = ({ statement: { verb }, rowEffects: { mayAlter, mayReplace } }: AllowedStatement): boolean =>
  mayAlter && countsChanges(verb) && (mayReplace || !isUpdateOrDelete(verb));

/** Rows in the tables that the statement may add to; undefined where they need not be counted. */
export const countRows = (db: Database.Database, allowed: AllowedStatement): number | undefined =>
  needsRowCount(allowed) ? allowed.rowEffects.addsTo.reduce((sum, table) => sum + countOf(db, table), 0) : undefined;

const countOf = (db: Database.Database, table: string): number =>
  db
    .prepare<[], number>(`SELECT count(*) FROM main.${quoteName(table)}`)
    .pluck()
    .get() ?? 0;

/**
 * @param totalChanges Rows that were added, updated or deleted. SQLite does not count replaced ones.
 * @param addedRows By how many rows the tables have grown; undefined where they were not counted.
 */
export function alteredRows(allowed: AllowedStatement, totalChanges: number, addedRows: number | undefined): AlteredRows {
  const { statement, rowEffects } = allowed;
  if (!rowEffects.mayAlter || !countsChanges(statement.verb)) return NO_ROWS;
  if (!needsRowCount(allowed)) return { count: totalChanges, isExact: true };
  if (addedRows === undefined) return { count: totalChanges * (1 + rowEffects.maxReplaced), isExact: false };
  // A replaced row is missing from the growth, an updated one does not add to it.
  return { count: Math.max(0, totalChanges - addedRows), isExact: true };
}

export const exceeds = ({ count }: AlteredRows, { maxChanges }: Pick<ChangePermission, "maxChanges">): boolean =>
  maxChanges !== null && count > maxChanges;
