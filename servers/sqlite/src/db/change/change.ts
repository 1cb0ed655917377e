// One changing statement in a transaction of its own, which is rolled back where it does more than the user has allowed.
import { refusal } from "../errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { statementsToRecreate } from "../policy/lossless-drops.ts";
import { createdOrDropped } from "../policy/schema-change.ts";
import type { WriteReply, WriteRequest } from "../protocol/change-messages.ts";
import { tableNamed } from "../schema/table-list.ts";
import { boundParams } from "../engine/bound-params.ts";
import { countsChanges, type Statement, type Verb } from "../sql/statement.ts";
import { exceeds, partOf } from "./altered-rows.ts";
import { newPreviewBudget, recordChanges } from "./change-preview.ts";
import { executeChange, type ChangeEffect } from "./change-execution.ts";
import { slipsOfChange } from "../engine/remarks/data-remarks.ts";
import { checkDeferredKeys } from "./deferred-keys.ts";
import type { Engine } from "../engine/engine.ts";
import { retryWhileBusy } from "../engine/lock-retry.ts";
import { brokenBy, droppedFor, withSchemaEffect } from "./schema-effect.ts";
import { namingDeferredKey } from "./foreign-key-errors.ts";
import { needsNoTransaction } from "./single-insert.ts";
import { withLosses } from "./table-losses.ts";
import type { RowOutput } from "../rows/row-encoder.ts";

export function runChange(engine: Engine, request: WriteRequest, output: RowOutput): WriteReply {
  const { sql, params, limits, dryRun, allowDrop } = request;
  const allowed = allowWithoutEarlierState(engine, sql);
  const { statement } = allowed;
  const { verb } = statement;
  const created = createdTable(engine, statement);
  if (request.createTableOnly === true && created === undefined)
    throw refusal("create_table takes one CREATE TABLE statement. Use write_query for others.");
  const slipsOf = (changes: number): Pick<WriteReply, "slips"> => slipsOfChange(engine.db, allowed, params, changes);
  const values = boundParams(engine.db, statement, params);
  // A run that counts rows is the second one: the rollback of the first may have brought back a schema that the statement does not fit.
  const execute = (countsRows: boolean): ChangeEffect =>
    executeChange(engine, countsRows ? engine.allowed(sql, "write") : allowed, { values, limits, output, countsRows });
  if (!dryRun && needsNoTransaction(allowed))
    return {
      ...replyOf(
        verb,
        retryWhileBusy(() => execute(false)),
      ),
      ...created,
      ...slipsOf(1),
    };
  const reply = countingIfNeeded((countsRows) =>
    inTransaction(engine, (commit) => {
      const recreating = statementsToRecreate(engine.db, statement);
      // The statement runs before the user is asked: one that fails needs no question, and the question names what it would break.
      const { result: outcome, losses } = withLosses(engine.db, allowed, () =>
        withSchemaEffect(engine.db, statement, recreating, () =>
          dryRun
            ? recordChanges(engine, allowed, newPreviewBudget(), () => checkDeferredKeys(engine.db, () => execute(countsRows)))
            : { result: execute(countsRows), previews: [] },
        ),
      );
      const { result: done, effect: schemaEffect } = outcome;
      const { result: effect, previews } = done;
      const { altered } = effect;
      const broken = brokenBy([schemaEffect]);
      const removed = removedBy(droppedFor(statement, schemaEffect), losses);
      const needsDropPermission = removed !== undefined && !allowDrop;
      const needsConfirmation = needsDropPermission || exceeds(altered, request);
      if (needsConfirmation && !altered.isExact) {
        output.restart();
        return undefined;
      }
      if (!dryRun && !needsConfirmation) commit();
      return {
        ...replyOf(verb, effect),
        ...(schemaEffect.schemaChange !== undefined && { schemaChange: schemaEffect.schemaChange }),
        ...(losses.length > 0 && { alsoRemoved: losses }),
        ...broken,
        rolledBack: dryRun || needsConfirmation,
        ...(previews.length > 0 && { previews }),
        ...(needsConfirmation && dryRun && { needsConfirmation }),
        ...(needsConfirmation &&
          !dryRun && {
            confirmation: {
              changes: altered.count,
              parts: partOf(allowed, effect.changes, engine.db),
              ...(removed !== undefined && { drops: removed }),
              ...(effect.alsoChangedTables !== undefined && { alsoChangedTables: effect.alsoChangedTables }),
              ...broken,
            },
          }),
      };
    }),
  );
  return { ...reply, ...created, ...slipsOf(reply.changes) };
}

/** What a statement removes, in words: what it names, and what else is lost. Undefined where that is nothing. */
export function removedBy(drops: string | undefined, losses: readonly string[]): string | undefined {
  const removed = [...(drops === undefined ? [] : [drops]), ...losses];
  return removed.length === 0 ? undefined : removed.join(", ");
}

/** Runs `act` without counting rows, which takes time in large tables; and again with it where `act` cannot decide without. */
export const countingIfNeeded = <T>(act: (countsRows: boolean) => T | undefined): T => act(false) ?? (act(true) as T); // then it decides

const replyOf = (
  verb: Verb,
  { changes, alsoChanged, alsoChangedTables, lastInsertRowid, returning, wholeTable }: ChangeEffect,
): WriteReply => ({
  verb,
  changes,
  lastInsertRowid,
  ...reportedSideEffects(verb, alsoChanged, alsoChangedTables),
  ...(returning !== undefined && { returning }),
  ...(wholeTable !== undefined && { wholeTable }),
  rolledBack: false,
});

/** SQLite's counter has other meanings after CREATE, ALTER and others. What triggers of a view do is the change itself. */
export const reportedSideEffects = (
  verb: Verb,
  alsoChanged: number | undefined,
  alsoChangedTables: ChangeEffect["alsoChangedTables"],
): Pick<WriteReply, "alsoChanged" | "alsoChangedTables"> =>
  alsoChanged === undefined || !(countsChanges(verb) || verb === "DROP")
    ? {}
    : { alsoChanged, ...(alsoChangedTables !== undefined && { alsoChangedTables }) };

/** A statement that reads the state of the connection gets a fresh one, so that it sees nothing of an earlier call. */
function allowWithoutEarlierState(engine: Engine, sql: string): AllowedStatement {
  const allowed = engine.allowed(sql, "write");
  const mayReportEarlierRowid = allowed.rowid === "perhaps" && engine.lastInsertRowid() !== 0;
  if (!allowed.readsConnectionState && !mayReportEarlierRowid) return allowed;
  engine.reconnect();
  return engine.allowed(sql, "write");
}

/** The table of a CREATE TABLE; undefined for other statements. */
function createdTable(engine: Engine, statement: Statement): Pick<WriteReply, "table" | "existingType"> | undefined {
  if (statement.verb !== "CREATE") return undefined;
  const { kind, name } = createdOrDropped(statement);
  if (kind !== "TABLE") return undefined;
  const existing = tableNamed(engine.db, name);
  return { table: name, ...(existing !== undefined && { existingType: existing.type }) };
}

/** Keeps the changes of `act` only if it has called `commit`. */
export function inTransaction<T>(engine: Engine, act: (commit: () => void) => T): T {
  engine.beginWrite();
  try {
    let isWanted = false;
    const result = act(() => {
      isWanted = true;
    });
    if (isWanted) namingDeferredKey(engine.db, () => engine.commit());
    return result;
  } finally {
    engine.rollback();
  }
}
