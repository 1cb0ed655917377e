// Queries of one process: exact integers, formats, versions of the data, and repeated queries.
import { describe, expect, test } from "vitest";
import { elapsedSince, runQuery } from "../../../src/db/engine/query.ts";
import type { ReadRequest } from "../../../src/db/protocol/query-messages.ts";
import type { RowsReply } from "../../../src/db/protocol/rows.ts";
import type { RowOutput } from "../../../src/db/rows/row-encoder.ts";
import { openDatabase } from "../../support/databases.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";

interface Result {
  readonly reply: RowsReply;
  readonly rows: unknown[][];
  readonly text: string;
  /** How often the statement ran again. */
  readonly restarts: number;
}

function run({ engine }: OpenedEngine, sql: string, request: Partial<ReadRequest> = {}): Result {
  let [json, text, restarts] = ["", "", 0];
  const output: RowOutput = {
    arrays: (more, moreText = "") => void ([json, text] = [json + more, text + moreText]),
    objects: () => undefined,
    restart: () => void ([json, text, restarts] = ["", "", restarts + 1]),
  };
  const limits = { maxRows: 1000, maxBytes: 1_000_000, maxTextLength: 1000, maxBlobBytes: 100 };
  const reply = runQuery(engine, { op: "read", sql, params: undefined, limits, skip: 0, ...request }, output);
  return { reply, rows: JSON.parse(`[${json}]`) as unknown[][], text: JSON.parse(`"${text}"`) as string, restarts };
}

const counting = (to: number): string =>
  `WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < ${to}) SELECT i FROM c`;
const upTo = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index + 1]);
const LARGE = "9007199254740993";

describe("integers", () => {
  test("past 2^53 run the statement once more, and exactly from then on", async () => {
    await using opened = await openEngine(`CREATE TABLE t (a INTEGER); INSERT INTO t ${counting(300)}; INSERT INTO t VALUES (${LARGE})`);
    const sql = "SELECT a FROM t";
    const expected = [...upTo(300), [LARGE]];
    expect(run(opened, sql)).toMatchObject({ rows: expected, restarts: 1, reply: { rowCount: 301 } });
    expect(opened.engine.allowed(sql, "read").usesBigInts).toBe(true);
    expect(run(opened, sql)).toMatchObject({ rows: expected, restarts: 0 });
  });

  test("below 2^53 need no second run", async () => {
    await using opened = await openEngine(`CREATE TABLE t (a INTEGER); INSERT INTO t ${counting(5)}`);
    expect(run(opened, "SELECT a FROM t")).toMatchObject({ rows: upTo(5), restarts: 0 });
    expect(opened.engine.allowed("SELECT a FROM t", "read").usesBigInts).toBe(false);
  });

  test.each([
    ["csv", `a,b,c\r\n1,1.0,${LARGE}\r\n`],
    ["markdown", `| a | b | c |\n| --- | --- | --- |\n| 1 | 1.0 | ${LARGE} |\n`],
  ] as const)("differ from reals in %s, without a second run", async (format, text) => {
    await using opened = await openEngine("CREATE TABLE t (a)");
    const sql = `SELECT 1 AS a, 1.0 AS b, ${LARGE} AS c`;
    expect(run(opened, sql, { format })).toMatchObject({ text, rows: [[1, 1, LARGE]], restarts: 0 });
    expect(run(opened, sql, { format: "json" })).toMatchObject({ text: "", rows: [[1, 1, LARGE]], restarts: 0 });
    expect(run(opened, sql, { format })).toMatchObject({ text, restarts: 0 });
  });
});

test("reports an error of the statement at once", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  expect(() => run(opened, `${counting(3)} UNION ALL SELECT abs(-9223372036854775807 - 1)`)).toThrow("integer overflow");
  expect(opened.engine.db.inTransaction).toBe(false);
  expect(opened.engine.allowed(`${counting(3)} UNION ALL SELECT abs(-9223372036854775807 - 1)`, "read").usesBigInts).toBe(false);
  expect(run(opened, counting(2)).rows).toEqual(upTo(2));
});

test("reports the version of the data when a page follows or precedes", async () => {
  await using opened = await openEngine("CREATE TABLE t (a)");
  const version = opened.engine.dataVersion();
  const limits = { maxRows: 2, maxBytes: 1000, maxTextLength: 10, maxBlobBytes: 10 };
  const pages: [Partial<ReadRequest>, unknown[][], boolean, string][] = [
    [{}, upTo(3), false, ""],
    [{ limits }, upTo(2), true, version],
    [{ limits, skip: 1 }, upTo(3).slice(1), false, version],
    [{ skip: 3 }, [], false, version],
  ];
  for (const [request, rows, hasMore, dataVersion] of pages)
    expect(run(opened, counting(3), request)).toMatchObject({ rows, reply: { hasMore, dataVersion, rowCount: rows.length } });
});

describe("pages that begin after a key", () => {
  const SCHEMA = `CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT);
    INSERT INTO t VALUES (1, 10, 'a'), (2, 10, 'b'), (3, 10, 'c'), (4, 20, 'd'), (5, 20, 'e'), (6, 30, 'f')`;
  const sql = "SELECT b FROM t ORDER BY a";
  const limits = { maxRows: 2, maxBytes: 1000, maxTextLength: 10, maxBlobBytes: 10 };

  test("continue after the last row, whatever happens to the rows before it", async () => {
    await using opened = await openEngine(SCHEMA);
    const first = run(opened, sql, { limits });
    expect(first).toMatchObject({ rows: [["a"], ["b"]], reply: { hasMore: true, lastKey: [10, 2] } });
    using other = openDatabase(opened.file);
    other.exec("DELETE FROM t WHERE id = 1; INSERT INTO t VALUES (7, 20, 'g')");
    const second = run(opened, sql, { limits, skip: 2, after: first.reply.lastKey });
    expect(second).toMatchObject({ rows: [["c"], ["d"]], reply: { hasMore: true, lastKey: [20, 4] } });
    const third = run(opened, sql, { limits, skip: 4, after: second.reply.lastKey });
    expect(third).toMatchObject({ rows: [["e"], ["g"]], reply: { hasMore: true, lastKey: [20, 7] } });
    const last = run(opened, sql, { limits, skip: 6, after: third.reply.lastKey });
    expect(last).toMatchObject({ rows: [["f"]], reply: { hasMore: false, lastKey: undefined } });
  });

  test("count their rows when the key is missing or of another statement", async () => {
    await using opened = await openEngine(SCHEMA);
    expect(run(opened, sql, { limits, skip: 3, after: [10] })).toMatchObject({ rows: [["d"], ["e"]], reply: { lastKey: [20, 5] } });
    expect(run(opened, sql, { limits, skip: 3 })).toMatchObject({ rows: [["d"], ["e"]], reply: { lastKey: [20, 5] } });
    const grouped = "SELECT a, count(*) FROM t GROUP BY a";
    expect(run(opened, grouped, { limits })).toMatchObject({
      rows: [
        [10, 3],
        [20, 2],
      ],
      reply: { hasMore: true, lastKey: undefined },
    });
    expect(run(opened, grouped, { limits, skip: 2, after: [20, 5] })).toMatchObject({ rows: [[30, 1]] });
  });

  test("have exact integers in their keys and rows", async () => {
    await using opened = await openEngine(`${SCHEMA}; UPDATE t SET a = a + ${LARGE} - 10`);
    const exact = "SELECT a, b FROM t ORDER BY a";
    const first = run(opened, exact, { limits });
    expect(first).toMatchObject({
      rows: [
        [LARGE, "a"],
        [LARGE, "b"],
      ],
      restarts: 1,
      reply: { lastKey: [{ integer: LARGE }, 2] },
    });
    expect(run(opened, exact, { limits, skip: 2, after: first.reply.lastKey })).toMatchObject({
      rows: [
        [LARGE, "c"],
        ["9007199254741003", "d"],
      ],
      restarts: 0,
    });
    // A key that is not in the result is exact, too.
    expect(run(opened, sql, { limits })).toMatchObject({
      rows: [["a"], ["b"]],
      reply: { lastKey: [{ integer: LARGE }, 2] },
    });
  });
});

test("shows each change in a repeated query, for each parameter and page", async () => {
  await using opened = await openEngine(`CREATE TABLE t (a INTEGER); INSERT INTO t ${counting(500)}`);
  using other = openDatabase(opened.file);
  const sql = "SELECT a FROM t WHERE a > ? ORDER BY rowid";
  for (const added of [501, 502, 503]) {
    for (const _again of [1, 2, 3]) {
      expect(run(opened, sql, { params: [0] }).rows).toEqual(upTo(added - 1));
      expect(run(opened, sql, { params: [100] }).rows).toHaveLength(added - 101);
      expect(run(opened, sql, { params: [0], skip: 490 }).rows).toHaveLength(added - 491);
    }
    other.exec(`INSERT INTO t VALUES (${added})`);
  }
});

test("rounds elapsed time to two decimals of a millisecond", async () => {
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const elapsed = elapsedSince(startedAt);
  expect(elapsed).toBeGreaterThan(3);
  expect(elapsed).toBeLessThanOrEqual(performance.now() - startedAt + 0.01);
  expect(Math.round(elapsed * 100) / 100).toBe(elapsed);
});
