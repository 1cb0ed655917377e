// Runs a changing statement in a transaction of its own, so that it can be undone when it does more than was agreed to.
import { refused } from "../errors.ts";
import { boundTo } from "../sql/parameters.ts";
import type { RowsTold, WriteAsked, WriteTold } from "../protocol/requests.ts";
import { asIfKept } from "./deferred-keys.ts";
import { tablesOf } from "../schema/table-list.ts";
import type { Engine } from "./engine.ts";
import { patient } from "./lock-retry.ts";
import { elapsed, type Sink } from "./query.ts";
import { RowsText, type Value } from "./row-encoder.ts";
import { droppedBy, namedBy } from "../policy/write-targets.ts";
import type { Vetted } from "../policy/statement-policy.ts";

interface Done {
  changes: number;
  /** With what foreign keys and triggers changed besides. */
  total: number;
  lastInsertRowid: number | string | null;
  returning?: RowsTold;
}

export function write(engine: Engine, asked: WriteAsked, sink: Sink): WriteTold {
  const vetted = freshIfNeeded(engine, asked.sql);
  const { statement } = vetted;
  const { verb } = statement;
  const named = verb === "CREATE" ? namedBy(statement) : undefined;
  if (asked.createTable === true && named?.kind !== "TABLE")
    throw refused("create_table takes one CREATE TABLE statement; write_query takes the others");
  const drop = droppedBy(statement);
  if (drop !== undefined && !asked.drop && !asked.dryRun)
    return { verb, changes: 0, lastInsertRowid: null, rolledBack: true, ask: { changes: 0, drop } };
  const existed =
    named?.kind === "TABLE" ? tablesOf(engine.db).find(({ name }) => name.toLowerCase() === named.name.toLowerCase())?.type : undefined;
  const values = boundTo(statement, asked.params);
  // One statement is all or nothing by itself, unless it says otherwise; where nothing has to be looked at first, it needs no
  // transaction around it.
  if (!asked.dryRun && inserts(verb) && !vetted.prepared.reader && !vetted.spreads && !vetted.mayFailHalfway) {
    const { total: _, ...told } = patient(() => run(engine, vetted, values, asked, sink));
    return { verb, ...told, rolledBack: false };
  }
  const done = inTransaction(engine, (keep) => {
    const act = (): Done => run(engine, vetted, values, asked, sink);
    const { total, ...told } = asked.dryRun ? asIfKept(engine.db, act) : act();
    const tooMany = asked.most !== null && (verb === "DELETE" || verb === "UPDATE") && total > asked.most;
    if (!asked.dryRun && !tooMany) keep();
    const more = counts(verb) && total > told.changes ? { alsoChanged: total - told.changes } : {};
    return { ...told, ...more, rolledBack: asked.dryRun || tooMany, ...(tooMany && !asked.dryRun && { ask: { changes: total } }) };
  });
  return { verb, ...done, ...(named?.kind === "TABLE" && { table: named.name, ...(existed !== undefined && { existed }) }) };
}

/** Nothing of an earlier call is seen: where a statement asks for it, the connection is a new one. */
function freshIfNeeded(engine: Engine, sql: string): Vetted {
  const vetted = engine.vetted(sql, "write");
  if (!vetted.looksBack && (vetted.rowid !== "perhaps" || engine.lastRowid() === 0)) return vetted;
  engine.renew();
  return engine.vetted(sql, "write");
}

/** What `act` did stays only if it called `keep`. */
export function inTransaction<T>(engine: Engine, act: (keep: () => void) => T): T {
  const { db } = engine;
  engine.begin();
  try {
    let kept = false;
    const result = act(() => {
      kept = true;
    });
    if (kept) engine.commit();
    return result;
  } finally {
    if (db.inTransaction) db.exec("ROLLBACK");
  }
}

export function run(engine: Engine, vetted: Vetted, values: unknown[], asked: Pick<WriteAsked, "room">, sink: Sink): Done {
  const { aim, spreads } = vetted;
  const before = spreads ? engine.totalChanges() : 0;
  const told = ran(engine, vetted, values, asked, sink);
  // A virtual table keeps its rows in rows of its own tables: those are no others.
  if (!spreads || aim === "virtual") return { ...told, total: told.changes };
  const total = engine.totalChanges() - before;
  // Of a view SQLite itself counts nothing, and RETURNING gives the rows that were asked for: what counts is what came of it.
  return aim === "view" ? { ...told, changes: total, total } : { ...told, total: Math.max(told.changes, total) };
}

function ran(engine: Engine, vetted: Vetted, values: unknown[], { room }: Pick<WriteAsked, "room">, sink: Sink): Omit<Done, "total"> {
  const { prepared, statement } = vetted;
  const earlier = vetted.rowid === "perhaps" ? engine.lastRowid() : undefined;
  const idFor = (changes: number, given?: number | bigint): number | string | null => {
    if (vetted.rowid === "no" || changes === 0) return null;
    const id = given === undefined ? engine.lastRowid() : exactRowid(engine, given);
    // Where it is still the one of before, no row is known to have come.
    return id === earlier || (vetted.rowid === "unless-zero" && id === 0) ? null : id;
  };
  if (!prepared.reader) {
    const { changes, lastInsertRowid } = prepared.run(...values);
    return { changes: counts(statement.verb) ? changes : 0, lastInsertRowid: idFor(changes, lastInsertRowid) };
  }
  const began = performance.now();
  const rows = new RowsText(vetted.columns, { ...room, noneIfTooLarge: true }, sink, true);
  // Every row is taken, as the statement does its work meanwhile; those that have no room are counted.
  let changes = 0;
  for (const row of prepared.iterate(...values)) {
    changes += 1;
    rows.add(row as Value[]); // raw
  }
  rows.end();
  const { rowCount, full, clipped } = rows;
  const returning = { columns: vetted.columnsJson, rowCount, more: full, clipped, stamp: "", elapsedMs: elapsed(began) };
  return { changes, lastInsertRowid: idFor(changes), returning };
}

const inserts = (verb: string): boolean => verb === "INSERT" || verb === "REPLACE";
export const counts = (verb: string): boolean => inserts(verb) || verb === "UPDATE" || verb === "DELETE";

/** Past 2^53 it comes rounded, and is asked for once more. */
const exactRowid = (engine: Engine, given: number | bigint): number | string =>
  Number.isSafeInteger(Number(given)) ? Number(given) : engine.lastRowid();

export const rowid = (value: number | bigint): number | string => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));
