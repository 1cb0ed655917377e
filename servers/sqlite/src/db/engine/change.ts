// One changing statement in a transaction of its own, which is rolled back where it does more than the user has allowed.
import { refusal } from "../errors.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { createdOrDropped, droppedBy } from "../policy/write-targets.ts";
import type { WriteReply, WriteRequest } from "../protocol/change-messages.ts";
import { tableNamed } from "../schema/table-list.ts";
import { bindValues } from "../sql/parameters.ts";
import type { Statement } from "../sql/statement.ts";
import { countsChanges, executeChange, isUpdateOrDelete } from "./change-execution.ts";
import { checkDeferredKeys } from "./deferred-keys.ts";
import type { Engine } from "./engine.ts";
import type { RowOutput } from "../rows/row-encoder.ts";

export function runChange(engine: Engine, request: WriteRequest, output: RowOutput): WriteReply {
  const { sql, params, limits, dryRun, maxChanges, allowDrop } = request;
  const allowed = allowWithoutEarlierState(engine, sql);
  const { statement } = allowed;
  const { verb } = statement;
  const created = createdTable(engine, statement);
  if (request.createTableOnly === true && created === undefined)
    throw refusal("create_table takes one CREATE TABLE statement. Use write_query for others.");
  const drops = droppedBy(statement);
  if (drops !== undefined && !allowDrop && !dryRun)
    return { verb, changes: 0, lastInsertRowid: null, rolledBack: true, confirmation: { changes: 0, drops } };
  const values = bindValues(statement, params);
  return inTransaction(engine, (commit) => {
    const execute = () => executeChange(engine, allowed, { values, limits, output });
    const { totalChanges, ...effect } = dryRun ? checkDeferredKeys(engine.db, execute) : execute();
    const needsConfirmation = !dryRun && maxChanges !== null && isUpdateOrDelete(verb) && totalChanges > maxChanges;
    if (!dryRun && !needsConfirmation) commit();
    return {
      verb,
      ...effect,
      ...(countsChanges(verb) && totalChanges > effect.changes && { alsoChanged: totalChanges - effect.changes }),
      rolledBack: dryRun || needsConfirmation,
      ...(needsConfirmation && { confirmation: { changes: totalChanges } }),
      ...created,
    };
  });
}

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
