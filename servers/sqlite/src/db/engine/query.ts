// Runs a statement that only reads: takes rows one by one until a limit is reached.
import type { SqlValue } from "../csv/dialect.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import type { ReadRequest } from "../protocol/query-messages.ts";
import type { KeyValue, RowsReply } from "../protocol/rows.ts";
import { boundParams } from "./bound-params.ts";
import { keyOf } from "../paging/key-values.ts";
import { isPlannedByValues, keysetOf, type KeyedRun } from "../paging/keyset.ts";
import type { Engine } from "./engine.ts";
import { retryWhileBusy } from "./lock-retry.ts";
import { hasNullInList } from "./null-lists.ts";
import { remarksOnData } from "./remarks/data-remarks.ts";
import { noteResult, rowsOfQuery } from "./repeated-query.ts";
import { mayHoldBothKinds } from "../rows/real-columns.ts";
import { InexactInteger, RowEncoder, type RowOutput } from "../rows/row-encoder.ts";

export function runQuery(engine: Engine, request: ReadRequest, output: RowOutput): RowsReply {
  return engine.readTransaction(() => readPage(engine, request, output));
}

/** One page of the rows of one statement, in the transaction of the caller. */
export function readPage(engine: Engine, request: ReadRequest, output: RowOutput): RowsReply {
  const startedAt = performance.now();
  const statement = engine.allowed(request.sql, "read");
  const values = boundParams(engine.db, statement.statement, request.params);
  const versionBefore = request.skip > 0 ? engine.dataVersion() : undefined;
  // CSV and Markdown tell 1 from 1.0 in every column, JSON where the type of the column does not.
  const isText = request.format === "csv" || request.format === "markdown";
  const isExact = isText || mayHoldBothKinds(statement.columns);
  const source = sourceOf(engine, statement, values, request);
  const { rows, lastKey } = withExactIntegers(statement, isExact, output, (usesBigInts) =>
    retryWhileBusy(() => {
      const encoder = new RowEncoder(statement.columns, request.limits, output, { usesBigInts, format: request.format });
      for (const run of source.runs) run.statement.prepared.safeIntegers(usesBigInts);
      return { rows: encoder, lastKey: fetchRows(engine, source, { statement, values, request, usesBigInts }, encoder) };
    }),
  );
  const { rowCount, isFull: hasMore, clipped } = rows;
  const dataVersion = versionBefore ?? (hasMore ? engine.dataVersion() : "");
  return {
    columns: statement.columnsJson,
    rowCount,
    hasMore,
    clipped,
    dataVersion,
    elapsedMs: elapsedSince(startedAt),
    texts: statement.texts,
    missingCollation: statement.missingCollation,
    ...(request.skip === 0 &&
      request.after === undefined &&
      hasNullInList(engine, statement, { rowCount, hasMore }) && { hasNullInList: true }),
    ...(request.skip === 0 && request.after === undefined && { slips: slipsOf(engine, statement, request, { rowCount, hasMore }) }),
    lastKey,
  };
}

/** Those in the data are for callers that may read all of it: a named query tells about its own rows only. */
function slipsOf(
  engine: Engine,
  statement: AllowedStatement,
  { params, allowsSeveral }: ReadRequest,
  rows: Pick<RowsReply, "rowCount" | "hasMore">,
): RowsReply["slips"] {
  const inData = allowsSeveral === true ? remarksOnData(engine.db, statement, params, rows) : [];
  return inData.length === 0 ? statement.slips : [...(statement.slips ?? []), ...inData];
}

/** Milliseconds with two decimals. */
export const elapsedSince = (startedAt: number): number => Math.round((performance.now() - startedAt) * 100) / 100;

/**
 * Runs `act` with plain numbers, and again with `bigint` where one may be a rounded integer; from then on the statement gets `bigint`.
 * `act` prepares its statements for either.
 * With `bigint` from the start, 10,000 rows take 1 to 2 ms more, of 7.
 */
export function withExactIntegers<T>(
  statement: AllowedStatement,
  exactFromStart: boolean,
  output: RowOutput,
  act: (usesBigInts: boolean) => T,
): T {
  const usesBigInts = exactFromStart || statement.usesBigInts;
  try {
    return act(usesBigInts);
  } catch (error) {
    if (!(error instanceof InexactInteger) || usesBigInts) throw error;
    output.restart();
    statement.usesBigInts = true;
    return act(true);
  }
}

/** Where the rows of a page come from. */
interface RowSource {
  readonly runs: readonly KeyedRun[];
  /** Columns of the result. A row continues with its key, which has `keyLength` values. */
  readonly width: number;
  readonly keyLength: number;
  /** Rows of earlier pages that are read again. */
  readonly skip: number;
}

/** Statements that have filled a page. Finding a key takes three times as long as most statements run, so others run without one. */
const filledPage = new WeakSet<AllowedStatement>();
/** A statement that takes longer does not run again for the key of its last row: the next page then skips the rows of this one. */
const MAX_KEY_MS = 200;

function sourceOf(engine: Engine, statement: AllowedStatement, values: readonly unknown[], { skip, after }: ReadRequest): RowSource {
  const width = statement.columns.length;
  const needsKey = after !== undefined || filledPage.has(statement) || isPlannedByValues(engine, statement);
  const keyset = needsKey ? keysetOf(engine, statement) : undefined;
  if (keyset === undefined) return { runs: [{ statement, values }], width, keyLength: 0, skip };
  const { keyLength } = keyset;
  if (after?.length !== keyLength) return { runs: [keyset.run(values)], width, keyLength, skip };
  return { runs: keyset.runsAfter(after, values), width, keyLength, skip: 0 };
}

interface Fetch {
  readonly statement: AllowedStatement;
  readonly values: readonly unknown[];
  readonly request: ReadRequest;
  readonly usesBigInts: boolean;
}

/** Returns the key of the last row where rows follow it. */
function fetchRows(engine: Engine, source: RowSource, fetch: Fetch, rows: RowEncoder): KeyValue[] | undefined {
  const startedAt = performance.now();
  const { runs, width, keyLength, skip } = source;
  const { params } = fetch.request;
  const keys: SqlValue[] = [];
  let skipped = 0;
  const addRows = ({ statement, values }: KeyedRun): boolean => {
    for (const given of rowsOfQuery(engine, statement, { values, params, skip })) {
      const row = given as SqlValue[]; // raw
      if (skipped < skip) {
        skipped += 1;
        continue;
      }
      // A row of any other length is refused by the encoder.
      if (row.length === width + keyLength) keys.push(...row.splice(width));
      if (!rows.add(row)) return false;
    }
    return true;
  };
  runs.every(addRows);
  rows.end();
  const [run, ...others] = runs;
  if (skip === 0 && run !== undefined && others.length === 0) noteResult(engine, run.statement, params, rows);
  if (!rows.isFull || rows.rowCount === 0) return undefined;
  if (keyLength > 0) return keyOf(keys.slice((rows.rowCount - 1) * keyLength, rows.rowCount * keyLength), fetch.usesBigInts);
  filledPage.add(fetch.statement);
  if (performance.now() - startedAt > MAX_KEY_MS) return undefined;
  return keysetOf(engine, fetch.statement)?.keyAt(skip + rows.rowCount - 1, fetch.values);
}
