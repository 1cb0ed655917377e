// Several statements in one transaction: all of them take effect, or none.
import { DbError } from "../errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { statementsToRecreate } from "../policy/lossless-drops.ts";
import type { NeededConfirmation, StatementResult, TransactionReply, TransactionRequest } from "../protocol/change-messages.ts";
import type { RowLimits } from "../protocol/rows.ts";
import { boundParams } from "../engine/bound-params.ts";
import { isReading, parseStatement } from "../sql/statement.ts";
import { exceeds, NO_ROWS, partOf, type AlteredRows } from "./altered-rows.ts";
import { executeChange, type ChangeEffect } from "./change-execution.ts";
import { newPreviewBudget, recordChanges, type PreviewBudget } from "./change-preview.ts";
import { countingIfNeeded, inTransaction, removedBy, reportedSideEffects } from "./change.ts";
import { slipsOfChange } from "../engine/remarks/data-remarks.ts";
import { CollectedRows, type RowsEnd } from "../rows/collected-rows.ts";
import { checkDeferredKeys } from "./deferred-keys.ts";
import type { Engine } from "../engine/engine.ts";
import { explainError } from "../engine/errors/error-messages.ts";
import { withExactIntegers } from "../engine/query.ts";
import { addUp } from "../protocol/table-changes.ts";
import { brokenBy, droppedFor, NO_SCHEMA_EFFECT, withSchemaEffect, type SchemaEffect } from "./schema-effect.ts";
import { withLosses } from "./table-losses.ts";
import { mayHoldBothKinds } from "../rows/real-columns.ts";
import { RowEncoder, type RowOutput } from "../rows/row-encoder.ts";
import type { SqlValue } from "../csv/dialect.ts";

/** An upsert that updates leaves the row id of an earlier insert in place, so it counts too. */
const READS_CONNECTION_STATE = /\b(?:last_insert_rowid|changes|total_changes|do\s+update)\b/i;

export function runTransaction(engine: Engine, request: TransactionRequest): TransactionReply {
  const { statements, dryRun } = request;
  // A fresh connection, so that nothing of an earlier call is seen.
  if (statements.some(({ query }) => READS_CONNECTION_STATE.test(query))) engine.reconnect();
  return countingIfNeeded((countsRows) =>
    inTransaction(engine, (commit) => {
      const options = { limits: request.limits, countsRows, budget: dryRun ? newPreviewBudget() : undefined };
      const runAll = (): StepOutcome[] =>
        statements.map((statement, index) => namingStatement(index, engine, statement.query, () => runStep(engine, statement, options)));
      const steps = dryRun ? checkDeferredKeys(engine.db, runAll) : runAll();
      const altered = totalOf(steps);
      const broken = brokenBy(steps.map(({ schemaEffect }) => schemaEffect));
      if (!altered.isExact && exceeds(altered, request)) return undefined;
      const needed = neededConfirmation(steps, altered, request);
      const parts = needed === undefined ? [] : steps.flatMap(({ allowed, result }) => partOf(allowed, result.changes));
      const confirmation = needed === undefined ? undefined : { ...needed, parts, ...broken };
      const asking = confirmation === undefined ? {} : dryRun ? { needsConfirmation: true as const } : { confirmation };
      const rolledBack = dryRun || confirmation !== undefined;
      if (!rolledBack) commit();
      const results = steps.map(({ result }) => result);
      const changes = results.reduce((sum, result) => sum + result.changes, 0);
      return { results, changes, rolledBack, ...broken, ...asking };
    }),
  );
}

const totalOf = (steps: readonly StepOutcome[]): AlteredRows => ({
  count: steps.reduce((sum, { altered }) => sum + altered.count, 0),
  isExact: steps.every(({ altered }) => altered.isExact),
});

function neededConfirmation(
  steps: readonly StepOutcome[],
  altered: AlteredRows,
  request: TransactionRequest,
): NeededConfirmation | undefined {
  const changes = exceeds(altered, request) ? altered.count : 0;
  const dropped = request.allowDrop ? [] : steps.flatMap(({ drops }) => drops ?? []);
  if (changes === 0 && dropped.length === 0) return undefined;
  const tables = addUp(steps.flatMap(({ alsoChangedTables }) => alsoChangedTables ?? []));
  return { changes, ...(dropped.length > 0 && { drops: dropped.join(", ") }), ...(tables.length > 0 && { alsoChangedTables: tables }) };
}

interface StepOutcome {
  readonly allowed: AllowedStatement;
  readonly result: StatementResult;
  readonly drops: string | undefined;
  readonly altered: AlteredRows;
  readonly alsoChangedTables: ChangeEffect["alsoChangedTables"];
  readonly schemaEffect: SchemaEffect;
}

interface StepOptions {
  readonly limits: RowLimits;
  readonly countsRows: boolean;
  /** Of a dry run. */
  readonly budget: PreviewBudget | undefined;
}

function runStep(engine: Engine, { query, params }: TransactionRequest["statements"][number], options: StepOptions): StepOutcome {
  const { limits, budget } = options;
  const reads = isReading(parseStatement(query));
  const allowed = engine.allowed(query, reads ? "read" : "write");
  const { statement } = allowed;
  const { verb } = statement;
  const values = boundParams(engine.db, statement, params);
  const rows = new CollectedRows();
  if (reads) {
    const end = readRows(allowed, values, limits, rows);
    const result = { verb, changes: 0, rows: rows.reply(allowed, end) };
    return { allowed, result, drops: undefined, altered: NO_ROWS, alsoChangedTables: undefined, schemaEffect: NO_SCHEMA_EFFECT };
  }
  const execute = (): ChangeEffect => executeChange(engine, allowed, { values, output: rows, ...options });
  const recreating = statementsToRecreate(engine.db, statement);
  const { result: effects, losses } = withLosses(engine.db, allowed, () =>
    withSchemaEffect(engine.db, statement, recreating, () =>
      budget === undefined ? { result: execute(), previews: [] } : recordChanges(engine, allowed, budget, execute),
    ),
  );
  const { result: outcome, effect: schemaEffect } = effects;
  const { result: done, previews } = outcome;
  const { changes, lastInsertRowid, returning, altered, alsoChanged, alsoChangedTables, wholeTable } = done;
  const { schemaChange } = schemaEffect;
  const result = {
    verb,
    changes,
    lastInsertRowid,
    ...(returning !== undefined && { rows: rows.reply(allowed, returning) }),
    ...reportedSideEffects(verb, alsoChanged, alsoChangedTables),
    ...(losses.length > 0 && { alsoRemoved: losses }),
    ...(wholeTable !== undefined && { wholeTable }),
    ...slipsOfChange(engine.db, allowed, params, changes),
    ...(schemaChange !== undefined && { schemaChange }),
    ...(previews.length > 0 && { previews }),
  };
  return { allowed, result, drops: removedBy(droppedFor(statement, schemaEffect), losses), altered, alsoChangedTables, schemaEffect };
}

function readRows(allowed: AllowedStatement, values: readonly unknown[], limits: RowLimits, output: RowOutput): RowsEnd {
  return withExactIntegers(allowed, mayHoldBothKinds(allowed.columns), output, (usesBigInts) => {
    allowed.prepared.safeIntegers(usesBigInts);
    const rows = new RowEncoder(allowed.columns, { ...limits, omitOversizedRow: true }, output, { usesBigInts });
    for (const row of allowed.prepared.iterate(...values)) if (!rows.add(row as SqlValue[])) break; // raw
    rows.end();
    return { rowCount: rows.rowCount, hasMore: rows.isFull, clipped: rows.clipped };
  });
}

/** Names the failed statement in its error. */
function namingStatement<T>(index: number, engine: Engine, query: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const explained = explainError(error, query, engine.db);
    if (!(explained instanceof DbError)) throw explained;
    const undone = explained.code === "refused" ? "Nothing was done." : "All statements were rolled back.";
    // SQLite's own messages have no full stop.
    const stop = /[.?!…]$/.test(explained.message) ? "" : ".";
    throw new DbError(explained.code, `Statement ${index + 1}: ${explained.message}${stop} ${undone}`);
  }
}
