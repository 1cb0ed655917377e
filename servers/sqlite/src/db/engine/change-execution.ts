// Executes one checked statement that changes data, inside the transaction of its caller, and counts what it changed.
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import type { RowLimits, RowsReply } from "../protocol/rows.ts";
import type { Verb } from "../sql/statement.ts";
import type { Engine } from "./engine.ts";
import { elapsedSince } from "./query.ts";
import { RowEncoder, type RowOutput } from "../rows/row-encoder.ts";

export interface ChangeEffect {
  readonly changes: number;
  /** Changes of foreign keys and triggers included. */
  readonly totalChanges: number;
  readonly lastInsertRowid: number | string | null;
  readonly returning?: RowsReply;
}

export interface ChangeRun {
  readonly values: readonly unknown[];
  /** For the rows of RETURNING. */
  readonly limits: RowLimits;
  readonly output: RowOutput;
}

export function executeChange(engine: Engine, allowed: AllowedStatement, run: ChangeRun): ChangeEffect {
  const { targetType, hasSideEffects } = allowed;
  const changesBefore = hasSideEffects ? engine.totalChanges() : 0;
  const effect = allowed.prepared.reader ? executeReturning(engine, allowed, run) : executePlain(engine, allowed, run);
  // A virtual table keeps its rows in shadow tables, which are no further rows to the caller.
  if (!hasSideEffects || targetType === "virtual") return { ...effect, totalChanges: effect.changes };
  const totalChanges = engine.totalChanges() - changesBefore;
  // Of a view SQLite counts no changes, and RETURNING gives the rows as they were meant: what counts is what the triggers did.
  if (targetType === "view") return { ...effect, changes: totalChanges, totalChanges };
  return { ...effect, totalChanges: Math.max(effect.changes, totalChanges) };
}

type PartialEffect = Omit<ChangeEffect, "totalChanges">;

function executePlain(engine: Engine, allowed: AllowedStatement, { values }: ChangeRun): PartialEffect {
  const rowidBefore = rowidBeforeInsert(engine, allowed);
  const { changes } = allowed.prepared.run(...values);
  const lastInsertRowid = insertedRowid(engine, allowed, { changes, rowidBefore });
  return { changes: countsChanges(allowed.statement.verb) ? changes : 0, lastInsertRowid };
}

function executeReturning(engine: Engine, allowed: AllowedStatement, { values, limits, output }: ChangeRun): PartialEffect {
  const startedAt = performance.now();
  const rowidBefore = rowidBeforeInsert(engine, allowed);
  const rows = new RowEncoder(allowed.columns, { ...limits, omitOversizedRow: true }, output, { usesBigInts: true });
  // Every row is fetched, because the statement does its work meanwhile. Rows beyond the limits are only counted.
  let changes = 0;
  for (const row of allowed.prepared.iterate(...values)) {
    changes += 1;
    rows.add(row as SqlValue[]); // raw
  }
  rows.end();
  const { rowCount, isFull: hasMore, clipped } = rows;
  const elapsedMs = elapsedSince(startedAt);
  const returning = { columns: allowed.columnsJson, rowCount, hasMore, clipped, dataVersion: "", elapsedMs };
  return { changes, lastInsertRowid: insertedRowid(engine, allowed, { changes, rowidBefore }), returning };
}

const rowidBeforeInsert = (engine: Engine, { rowid }: AllowedStatement): number | string | undefined =>
  rowid === "perhaps" ? engine.lastInsertRowid() : undefined;

interface RowidChange {
  readonly changes: number;
  readonly rowidBefore: number | string | undefined;
}

/** The id of the inserted row; null where no row is known to have been inserted. */
function insertedRowid(engine: Engine, { rowid }: AllowedStatement, { changes, rowidBefore }: RowidChange): number | string | null {
  if (rowid === "no" || changes === 0) return null;
  const id = engine.lastInsertRowid();
  return id === rowidBefore || (rowid === "unless-zero" && id === 0) ? null : id;
}

export const isInsert = (verb: Verb): boolean => verb === "INSERT" || verb === "REPLACE";
export const isUpdateOrDelete = (verb: Verb): boolean => verb === "UPDATE" || verb === "DELETE";
/** CREATE, DROP and others change no rows, whatever SQLite's counter says. */
export const countsChanges = (verb: Verb): boolean => isInsert(verb) || isUpdateOrDelete(verb);
