// Which tables triggers and foreign keys change, and how many rows of each. SQLite counts them together, so where there are several
// tables, temporary triggers count them while the statement runs.
import type Database from "better-sqlite3";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import type { TableChanges } from "../protocol/table-changes.ts";
import { quoteName } from "../schema/schema-pragmas.ts";
import { countsChanges } from "../sql/statement.ts";
import { isSqlError } from "../engine/sqlite-errors.ts";

/** Rows by table: those that the statement names itself included. */
type RowsByTable = ReadonlyMap<string, number>;

export interface CountedByTable<T> {
  readonly result: T;
  /** Undefined where nothing was counted. */
  readonly rows: RowsByTable | undefined;
}

const EVENTS = ["INSERT", "UPDATE", "DELETE"] as const;

/** Runs `act`, which executes the statement. */
export function countByTable<T>(db: Database.Database, allowed: AllowedStatement, act: () => T): CountedByTable<T> {
  const { alsoChanges, triggersWriteVirtualTables } = allowed.rowEffects;
  const needsCount = countsChanges(allowed.statement.verb) && (alsoChanges.length > 1 || triggersWriteVirtualTables);
  if (!needsCount || alsoChanges.length === 0) return { result: act(), rows: undefined };
  const rows = rowCounterOf(db);
  rows.clear();
  const triggers = startCounting(db, alsoChanges);
  try {
    return { result: act(), rows: new Map(rows) };
  } finally {
    // A failed statement may have ended the transaction, and the triggers with it.
    for (const trigger of triggers) db.exec(`DROP TRIGGER IF EXISTS temp.${trigger}`);
  }
}

const counters = new WeakMap<Database.Database, Map<string, number>>();

/** Defines the function that the triggers call. */
function rowCounterOf(db: Database.Database): Map<string, number> {
  const known = counters.get(db);
  if (known !== undefined) return known;
  const rows = new Map<string, number>();
  db.function("count_changed_row", (table: unknown) => {
    const name = String(table);
    rows.set(name, (rows.get(name) ?? 0) + 1);
    return null;
  });
  counters.set(db, rows);
  return rows;
}

/** Returns the names of the triggers. */
function startCounting(db: Database.Database, tables: readonly string[]): string[] {
  return tables.flatMap((table, index) =>
    EVENTS.flatMap((event) => {
      const trigger = `oarlock_count_${index}_${event}`;
      const name = `'${table.replaceAll("'", "''")}'`;
      try {
        db.exec(`CREATE TEMP TRIGGER ${trigger} AFTER ${event} ON main.${quoteName(table)} BEGIN SELECT count_changed_row(${name}); END`);
        return [trigger];
      } catch (error) {
        if (!isSqlError(error)) throw error;
        return [];
      }
    }),
  );
}

export interface AlsoChanged {
  readonly alsoChanged: number;
  readonly alsoChangedTables: readonly TableChanges[];
}

interface TotalChanges {
  /** Rows that the statement itself changes. */
  readonly changes: number;
  readonly totalChanges: number;
}

/** What triggers and foreign keys have changed; undefined where that is nothing. */
export function alsoChangedBy(
  { rowEffects, statement, targetType }: AllowedStatement,
  { changes, totalChanges }: TotalChanges,
  rows: RowsByTable | undefined,
): AlsoChanged | undefined {
  if (totalChanges <= changes) return undefined;
  const tables = rowEffects.alsoChanges;
  if (rows === undefined) {
    const rest = totalChanges - changes;
    const [only, ...others] = tables;
    const isOnly = only !== undefined && others.length === 0;
    return { alsoChanged: rest, alsoChangedTables: isOnly ? [{ table: only, changes: rest }] : tables.map((table) => ({ table })) };
  }
  const target = targetType === "view" ? undefined : changeTarget(statement)?.toLowerCase();
  const counted = tables
    .map((table) => ({ table, changes: (rows.get(table) ?? 0) - (table.toLowerCase() === target ? changes : 0) }))
    .filter((one) => one.changes > 0);
  const alsoChanged = counted.reduce((sum, one) => sum + one.changes, 0);
  return alsoChanged === 0 ? undefined : { alsoChanged, alsoChangedTables: counted };
}
