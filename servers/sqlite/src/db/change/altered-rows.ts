// Counts the rows that a change updates, replaces or deletes, its triggers and foreign keys included. Rows that are only added do not count.
import type Database from "better-sqlite3";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import type { ChangePermission, StatementPart } from "../protocol/change-messages.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { tableNamed } from "../schema/table-list.ts";
import { countsChanges, isUpdateOrDelete } from "../sql/statement.ts";

/** An upper bound, where the rows of the tables were not counted. */
export interface AlteredRows {
  readonly count: number;
  readonly isExact: boolean;
}

export const NO_ROWS: AlteredRows = { count: 0, isExact: true };

/** Whether the altered rows are known only where the rows of the tables are counted before and after. */
const needsRowCount = ({ statement: { verb }, rowEffects: { mayAlter, mayReplace, clears } }: AllowedStatement): boolean =>
  mayAlter && countsChanges(verb) && (mayReplace || clears.length > 0 || !isUpdateOrDelete(verb));

/** Rows of the tables that a statement may add to, and of those that it may clear. */
export interface RowCounts {
  readonly added: number;
  readonly cleared: readonly IndexedRows[];
}

interface IndexedRows {
  readonly count: number;
  /** The count is that of the texts, which may be in another table and stay there when the index is cleared. */
  readonly isOfTexts: boolean;
}

/** Undefined where the rows need not be counted. */
export function countRows(db: Database.Database, allowed: AllowedStatement): RowCounts | undefined {
  if (!needsRowCount(allowed)) return undefined;
  const { addsTo, clears } = allowed.rowEffects;
  return { added: addsTo.reduce((sum, table) => sum + countOf(db, table), 0), cleared: clears.map((table) => countIndexed(db, table)) };
}

/** Full-text tables keep a row of sizes for each indexed row, unless they were created without. */
function countIndexed(db: Database.Database, table: string): IndexedRows {
  const sizes = `${table}_docsize`;
  const isOfTexts = tableNamed(db, sizes) === undefined;
  return { count: countOf(db, isOfTexts ? table : sizes), isOfTexts };
}

export const countOf = (db: Database.Database, table: string): number =>
  db
    .prepare<[], number>(`SELECT count(*) FROM main.${quoteName(table)}`)
    .pluck()
    .get() ?? 0;

/** Counts before and after a change; undefined where they were not taken. */
export interface CountedRows {
  readonly before: RowCounts;
  readonly after: RowCounts;
}

/** @param totalChanges Rows that were added, updated or deleted. SQLite does not count replaced ones. */
export function alteredRows(allowed: AllowedStatement, totalChanges: number, counted: CountedRows | undefined): AlteredRows {
  const { statement, rowEffects } = allowed;
  const { mayAlter, maxReplaced, clears, isCommand } = rowEffects;
  if (!mayAlter || !countsChanges(statement.verb)) return NO_ROWS;
  if (!needsRowCount(allowed)) return { count: totalChanges, isExact: true };
  if (counted === undefined) return { count: clears.length > 0 ? Infinity : totalChanges * (1 + maxReplaced), isExact: false };
  const { before, after } = counted;
  const cleared = before.cleared.reduce((sum, { count, isOfTexts }, index) => {
    const left = isOfTexts ? 0 : (after.cleared[index]?.count ?? 0);
    return sum + Math.max(0, count - left);
  }, 0);
  // A replaced row is missing from the growth, an updated one does not add to it.
  const replaced = isCommand ? 0 : Math.max(0, totalChanges - (after.added - before.added));
  return { count: replaced + cleared, isExact: true };
}

/** @param countedIn The database, in which the rows of the table are counted after the change. Default: they are not. */
export function partOf({ statement, targetType }: AllowedStatement, changes: number, countedIn?: Database.Database): StatementPart[] {
  const { verb } = statement;
  const table = changeTarget(statement);
  if (!countsChanges(verb) || table === undefined || changes === 0) return [];
  if (countedIn === undefined || !isUpdateOrDelete(verb) || targetType !== "table") return [{ verb, table, changes }];
  return [{ verb, table, changes, rows: countOf(countedIn, table) + (verb === "DELETE" ? changes : 0) }];
}

export const exceeds = ({ count }: AlteredRows, { maxChanges }: Pick<ChangePermission, "maxChanges">): boolean =>
  maxChanges !== null && count > maxChanges;
