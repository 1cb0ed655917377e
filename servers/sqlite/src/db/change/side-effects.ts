// Which tables triggers and foreign keys change, and how many rows of each. SQLite counts them together, so where there are several
// tables, temporary triggers count them while the statement runs.
import type Database from "better-sqlite3";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { changeTarget } from "../policy/write-targets.ts";
import type { TableChanges } from "../protocol/table-changes.ts";
import { countsChanges } from "../sql/statement.ts";
import { withTriggers, type TemporaryTrigger } from "./temporary-triggers.ts";

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
  const counter = rowCounterOf(db);
  const rows = new Map<string, number>();
  counter.rows = rows;
  try {
    return { result: withTriggers(db, "count", alsoChanges.flatMap(countingTriggers), act), rows };
  } finally {
    counter.rows = undefined;
  }
}

interface RowCounter {
  /** Undefined while nothing is counted. */
  rows: Map<string, number> | undefined;
}

const counters = new WeakMap<Database.Database, RowCounter>();

/** Defines the function that the triggers call. At other times it does nothing. */
function rowCounterOf(db: Database.Database): RowCounter {
  const known = counters.get(db);
  if (known !== undefined) return known;
  const counter: RowCounter = { rows: undefined };
  db.function("count_changed_row", (table: unknown) => {
    const name = String(table);
    counter.rows?.set(name, (counter.rows.get(name) ?? 0) + 1);
    return null;
  });
  counters.set(db, counter);
  return counter;
}

const countingTriggers = (table: string): TemporaryTrigger[] =>
  EVENTS.map((event) => ({ table, event: `AFTER ${event}`, body: `SELECT count_changed_row('${table.replaceAll("'", "''")}')` }));

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
