// One changing statement in a transaction of its own, which is rolled back where it does more than the user has allowed.
import { refusal } from "../errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { createdOrDropped, droppedBy } from "../policy/write-targets.ts";
import type { WriteReply, WriteRequest } from "../protocol/change-messages.ts";
import { tableNamed } from "../schema/table-list.ts";
import { bindValues } from "../sql/parameters.ts";
import { countsChanges, type Statement, type Verb } from "../sql/statement.ts";
import { exceeds } from "./altered-rows.ts";
import { newPreviewBudget, recordChanges } from "./change-preview.ts";
import { executeChange, type ChangeEffect } from "./change-execution.ts";
import { checkDeferredKeys } from "./deferred-keys.ts";
import type { Engine } from "./engine.ts";
import { retryWhileBusy } from "./lock-retry.ts";
import { needsNoTransaction } from "./single-insert.ts";
import type { RowOutput } from "../rows/row-encoder.ts";

export function runChange(engine: Engine, request: WriteRequest, output: RowOutput): WriteReply {
  const { sql, params, limits, dryRun, allowDrop } = request;
  const allowed = allowWithoutEarlierState(engine, sql);
  const { statement } = allowed;
  const { verb } = statement;
  const created = createdTable(engine, statement);
  if (request.createTableOnly === true && created === undefined)
    throw refusal("create_table takes one CREATE TABLE statement. Use write_query for others.");
  const drops = droppedBy(statement);
  const needsDropPermission = drops !== undefined && !allowDrop && !dryRun;
  if (needsDropPermission && !allowed.rowEffects.hasSideEffects)
    return { verb, changes: 0, lastInsertRowid: null, rolledBack: true, confirmation: { changes: 0, drops } };
  const values = bindValues(statement, params);
  const execute = (countsRows: boolean): ChangeEffect => executeChange(engine, allowed, { values, limits, output, countsRows });
  if (!dryRun && needsNoTransaction(allowed))
    return {
      ...replyOf(
        verb,
        retryWhileBusy(() => execute(false)),
      ),
      ...created,
    };
  const reply = countingIfNeeded((countsRows) =>
    inTransaction(engine, (commit) => {
      const { result: effect, previews } = dryRun
        ? recordChanges(engine, allowed, newPreviewBudget(), () => checkDeferredKeys(engine.db, () => execute(countsRows)))
        : { result: execute(countsRows), previews: [] };
      const { altered } = effect;
      const needsConfirmation = !dryRun && (needsDropPermission || exceeds(altered, request));
      if (needsConfirmation && !altered.isExact) {
        output.restart();
        return undefined;
      }
      if (!dryRun && !needsConfirmation) commit();
      return {
        ...replyOf(verb, effect),
        rolledBack: dryRun || needsConfirmation,
        ...(previews.length > 0 && { previews }),
        ...(needsConfirmation && { confirmation: { changes: altered.count, ...(drops !== undefined && { drops }) } }),
      };
    }),
  );
  return { ...reply, ...created };
}

/** Runs `act` without counting rows, which takes time in large tables; and again with it where `act` cannot decide without. */
export const countingIfNeeded = <T>(act: (countsRows: boolean) => T | undefined): T => act(false) ?? (act(true) as T); // then it decides

const replyOf = (verb: Verb, { changes, totalChanges, lastInsertRowid, returning }: ChangeEffect): WriteReply => ({
  verb,
  changes,
  lastInsertRowid,
  ...(reportsSideEffects(verb) && totalChanges > changes && { alsoChanged: totalChanges - changes }),
  ...(returning !== undefined && { returning }),
  rolledBack: false,
});

/** SQLite's counter has other meanings after CREATE, ALTER and others. */
export const reportsSideEffects = (verb: Verb): boolean => countsChanges(verb) || verb === "DROP";

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
    if (isWanted) engine.commit();
    return result;
  } finally {
    engine.rollback();
  }
}
