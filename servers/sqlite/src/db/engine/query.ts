// Runs a reading statement: rows are taken one by one until one of the bounds is met.
import { boundTo } from "../sql/parameters.ts";
import type { ReadAsked, RowsTold } from "../protocol/requests.ts";
import type { Engine } from "./engine.ts";
import { patient } from "./lock-retry.ts";
import { Inexact, RowsText, type Pieces, type Value } from "./row-encoder.ts";
import type { Vetted } from "../policy/statement-policy.ts";

/** What is fetched in one go when the last run gave no more of the very same data: that is twice as fast, but has no bound. */
const IN_ONE_GO = { from: 300, rows: 20_000, bytes: 4_000_000 };

export interface Sink extends Pieces {
  /** What was sent is void. */
  again(): void;
}

export function read(engine: Engine, asked: ReadAsked, sink: Sink): RowsTold {
  const began = performance.now();
  return engine.reading(() => {
    const vetted = engine.vetted(asked.sql, "read");
    const values = boundTo(vetted.statement, asked.params);
    const before = asked.skip > 0 ? engine.stamp() : undefined;
    const told = exactly(vetted, sink, () => patient(() => run(engine, vetted, values, asked, sink)));
    return { ...told, stamp: before ?? (told.more ? engine.stamp() : ""), elapsedMs: elapsed(began) };
  });
}

export const elapsed = (began: number): number => Math.round((performance.now() - began) * 100) / 100;

/** Plain numbers are faster; where one may be a rounded integer, all is read again with exact ones. */
export function exactly<T>(vetted: Vetted, sink: Sink, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Inexact) || vetted.exact === true) throw error;
    sink.again();
    vetted.exact = true;
    vetted.prepared.safeIntegers(true);
    return act();
  }
}

function run(
  engine: Engine,
  vetted: Vetted,
  values: unknown[],
  { room, skip, params, format }: ReadAsked,
  sink: Sink,
): Omit<RowsTold, "stamp" | "elapsedMs"> {
  const { columns, columnsJson, prepared: statement, single } = vetted;
  const rows = new RowsText(columns, room, sink, vetted.exact === true, format);
  if (single && skip === 0) {
    const row = statement.get(...values);
    if (row !== undefined) rows.add(row as Value[]); // raw
    rows.end();
    return { columns: columnsJson, rowCount: rows.rowCount, more: rows.full, clipped: rows.clipped };
  }
  const { last } = vetted;
  // Unknown until this run has ended well: memory may run out where rows became many.
  vetted.last = undefined;
  const of = (): string => JSON.stringify([params, engine.stamp()]);
  const before = last === undefined || skip > 0 ? undefined : of();
  if (last !== undefined && last.of === before) {
    for (const row of statement.all(...values)) if (!rows.add(row as Value[])) break; // raw
  } else {
    let passed = 0;
    for (const row of statement.iterate(...values)) {
      if (passed < skip) passed += 1;
      else if (!rows.add(row as Value[])) break; // raw
    }
  }
  rows.end();
  const small = rows.rowCount >= IN_ONE_GO.from && rows.rowCount <= IN_ONE_GO.rows && rows.bytes <= IN_ONE_GO.bytes;
  if (small && !rows.full && skip === 0) vetted.last = { rows: rows.rowCount, bytes: rows.bytes, of: before ?? of() };
  return { columns: columnsJson, rowCount: rows.rowCount, more: rows.full, clipped: rows.clipped };
}
