// Executes one checked statement that changes data, inside the transaction of its caller, and counts what it changed.
import { areChangesReported, reportChange } from "@oarlock/domain-kit";
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { touchedTables } from "../policy/touched-tables.ts";
import { createdOrDropped } from "../policy/schema-change.ts";
import type { TableChanges } from "../protocol/table-changes.ts";
import type { RowLimits, RowsReply } from "../protocol/rows.ts";
import { countsChanges } from "../sql/statement.ts";
import { alteredRows, countOf, countRows, type AlteredRows } from "./altered-rows.ts";
import type { Engine } from "../engine/engine.ts";
import { namingConstraint } from "./constraint-errors.ts";
import { elapsedSince } from "../engine/query.ts";
import { alsoChangedBy, countByTable } from "./side-effects.ts";
import { wholeTableOf } from "./whole-table.ts";
import { RowEncoder, type RowOutput } from "../rows/row-encoder.ts";

export interface ChangeEffect {
  readonly changes: number;
  /** Changes of foreign keys and triggers included. */
  readonly totalChanges: number;
  /** Changes of foreign keys and triggers. */
  readonly alsoChanged?: number;
  readonly alsoChangedTables?: readonly TableChanges[];
  readonly altered: AlteredRows;
  readonly lastInsertRowid: number | string | null;
  readonly returning?: RowsReply;
  /** The table, where a statement without WHERE has changed all of its rows. */
  readonly wholeTable?: string;
}

export interface ChangeRun {
  readonly values: readonly unknown[];
  /** For the rows of RETURNING. */
  readonly limits: RowLimits;
  readonly output: RowOutput;
  /** Counts the rows of the tables before and after, so that `altered` is exact. */
  readonly countsRows: boolean;
}

export function executeChange(engine: Engine, allowed: AllowedStatement, run: ChangeRun): ChangeEffect {
  if (areChangesReported()) reportChange(touchedTables(allowed));
  if (allowed.statement.verb === "DROP") return executeDrop(engine, allowed, run);
  const before = run.countsRows ? countRows(engine.db, allowed) : undefined;
  const effect = executeCounting(engine, allowed, run);
  const after = before === undefined ? undefined : countRows(engine.db, allowed);
  const counted = before === undefined || after === undefined ? undefined : { before, after };
  const wholeTable = wholeTableOf(engine.db, allowed, effect.changes);
  return { ...effect, altered: alteredRows(allowed, effect.totalChanges, counted), ...(wholeTable !== undefined && { wholeTable }) };
}

/** DROP TABLE first deletes the rows of the table, so foreign keys change rows of other tables. Only those count. */
function executeDrop(engine: Engine, allowed: AllowedStatement, run: ChangeRun): ChangeEffect {
  const { hasSideEffects } = allowed.rowEffects;
  const ownRows = hasSideEffects ? countOf(engine.db, createdOrDropped(allowed.statement).name) : 0;
  const effect = executeCounting(engine, allowed, run);
  const totalChanges = hasSideEffects ? effect.totalChanges - ownRows : 0;
  const also = alsoChangedBy(allowed, { changes: 0, totalChanges }, undefined);
  return { ...effect, ...also, totalChanges, altered: { count: totalChanges, isExact: true } };
}

function executeCounting(engine: Engine, allowed: AllowedStatement, run: ChangeRun): Omit<ChangeEffect, "altered"> {
  const { targetType, rowEffects } = allowed;
  const hasOtherChanges = targetType === "view" || rowEffects.hasSideEffects;
  const changesBefore = hasOtherChanges ? engine.totalChanges() : 0;
  const execute = (): PartialEffect =>
    allowed.prepared.reader ? executeReturning(engine, allowed, run) : executePlain(engine, allowed, run);
  const failing = { allowed, values: run.values };
  const { result: effect, rows } = countByTable(engine.db, allowed, () => namingConstraint(engine.db, failing, execute));
  // The total would include the shadow tables of a virtual table, which a caller does not count as rows.
  if (!hasOtherChanges) return { ...effect, totalChanges: effect.changes };
  const totalChanges = engine.totalChanges() - changesBefore;
  // Of a view SQLite counts no changes, and RETURNING gives the rows as they were meant: what counts is what the triggers did.
  if (targetType === "view") {
    const tables = alsoChangedBy(allowed, { changes: 0, totalChanges }, rows)?.alsoChangedTables;
    return { ...effect, changes: totalChanges, totalChanges, ...(tables !== undefined && { alsoChangedTables: tables }) };
  }
  const also = alsoChangedBy(allowed, { changes: effect.changes, totalChanges }, rows);
  return { ...effect, ...also, totalChanges: Math.max(effect.changes, totalChanges) };
}

type PartialEffect = Omit<ChangeEffect, "totalChanges" | "alsoChanged" | "alsoChangedTables" | "altered" | "wholeTable">;

function executePlain(engine: Engine, allowed: AllowedStatement, { values }: ChangeRun): PartialEffect {
  const rowidBefore = rowidBeforeInsert(engine, allowed);
  const { changes, lastInsertRowid: rowid } = allowed.prepared.run(...values);
  const lastInsertRowid = insertedRowid(engine, allowed, { changes, rowidBefore, rowid });
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
  // ALTER TABLE … ADD COLUMN … NOT NULL is a reader too, because it looks for rows without a value.
  if (!countsChanges(allowed.statement.verb)) return { changes: 0, lastInsertRowid: null };
  return { changes, lastInsertRowid: insertedRowid(engine, allowed, { changes, rowidBefore }), returning };
}

const rowidBeforeInsert = (engine: Engine, { rowid }: AllowedStatement): number | string | undefined =>
  rowid === "perhaps" ? engine.lastInsertRowid() : undefined;

interface RowidChange {
  readonly changes: number;
  readonly rowidBefore: number | string | undefined;
  /** As the driver reports it: rounded past 2^53. */
  readonly rowid?: number | bigint;
}

/** The id of the inserted row; null where no row is known to have been inserted. */
function insertedRowid(engine: Engine, { rowid: use }: AllowedStatement, change: RowidChange): number | string | null {
  const { changes, rowidBefore, rowid } = change;
  if (use === "no" || changes === 0) return null;
  const id = typeof rowid === "number" && Number.isSafeInteger(rowid) ? rowid : engine.lastInsertRowid();
  return id === rowidBefore || (use === "unless-zero" && id === 0) ? null : id;
}
