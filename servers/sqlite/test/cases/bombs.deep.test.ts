// SQL-20 to SQL-25: statements that never end, or that need more memory than there is. Each is stopped at its limit, while the server
// answers other calls.
import { expectWithin } from "@oarlock-tooling/test-support/expect-within";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { peakMemoryBytes, processCpuMs } from "../support/processes.ts";
import { FORTRESS } from "./fortress.ts";
import { childrenOf, startStress, type StressRun } from "./stress.ts";

const MiB = 1024 * 1024;
/** The time limit of the calls. */
const TIMEOUT_MS = 300;
/** That of reads which cannot end by themselves, after each of which the next process stands ready. */
const ENDLESS_TIMEOUT_MS = 120;
/** Limit for each process of the server. */
const MAX_MEMORY = 800 * MiB;

/** A second on an idle machine; a first request also starts a process. */
const HEALTHY_MS = 10_000;

let stress: StressRun;
/** Rule (d): the server answers a plain request in time, whatever else it runs. */
const checkHealth = (): Promise<void> => expectWithin(HEALTHY_MS, () => stress.checkHealth());
beforeAll(async () => {
  stress = await startStress({
    sql: `${FORTRESS} CREATE TABLE big (id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) INSERT INTO big SELECT i, hex(randomblob(200)) FROM c;`,
  });
  await checkHealth();
});
afterAll(() => stress[Symbol.asyncDispose]());

/** The peak memory of any process of the server until a promise settles. */
async function peakMemoryDuring<T>(work: Promise<T>): Promise<{ value: T; peak: number }> {
  let peak = 0;
  const watch = setInterval(() => {
    for (const pid of [stress.pid, ...childrenOf(stress.pid)]) peak = Math.max(peak, peakMemoryBytes(pid));
  }, 15);
  try {
    const value = await work;
    return { value, peak };
  } finally {
    clearInterval(watch);
  }
}

/** Runs a statement that must fail with a short message and without much memory; returns the message. */
async function failureOf(query: string, timeout_ms = TIMEOUT_MS): Promise<string> {
  const { value: reply, peak } = await peakMemoryDuring(stress.read(query, { timeout_ms }));
  expect(peak).toBeLessThan(MAX_MEMORY);
  expect(reply.failed, reply.text.slice(0, 200)).toBe(true);
  expect(reply.text).not.toContain("Internal error");
  expect(reply.text.length).toBeLessThan(1000);
  return reply.text;
}

const NUMBERS = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)";
const stoppedAfter = (ms: number): RegExp => new RegExp(`^(?:The statement was s|S)topped after ${ms} ms`);
const STOPPED = stoppedAfter(TIMEOUT_MS);

const ENDLESS: readonly (readonly [id: string, what: string, sql: string])[] = [
  ["SQL-20", "an endless recursion that counts", `${NUMBERS} SELECT count(*) FROM c`],
  [
    "SQL-20",
    "an endless recursion without duplicates",
    "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT i + 1 FROM c) SELECT count(*) FROM c",
  ],
  ["SQL-20", "an endless recursion in EXISTS", `${NUMBERS} SELECT EXISTS (SELECT 1 FROM c WHERE i < 0)`],
  ["SQL-20", "an endless recursion in a filter", `SELECT * FROM t WHERE id = (${NUMBERS} SELECT max(i) FROM c)`],
  ["SQL-20", "a product of two endless recursions", `${NUMBERS}, d(i) AS (SELECT i FROM c) SELECT sum(c.i * d.i) FROM c, d`],
  ["SQL-20", "an endless recursion without a first row", `${NUMBERS} SELECT i FROM c WHERE i < 0 LIMIT 1`],
  ["SQL-20", "an endless recursion before an offset", `${NUMBERS} SELECT i FROM c LIMIT 1 OFFSET 100000000000`],
  ["SQL-21", "a product that is sorted", "SELECT a.v FROM big a, big b, big c, big d, big e ORDER BY a.v || b.v || c.v"],
  ["SQL-21", "a product that is counted", "SELECT count(DISTINCT a.v || b.v) FROM big a, big b, big c"],
  ["SQL-21", "a product that is grouped", "SELECT a.v || b.v AS g, count(*) FROM big a, big b GROUP BY g HAVING count(*) > 9"],
  ["SQL-21", "windows over a product", "SELECT sum(a.id) OVER (ORDER BY b.v) FROM big a, big b"],
  ["SQL-22", "a very long group_concat", "SELECT length(group_concat(a.v)) FROM big a, big b"],
  ["SQL-25", "LIKE with many wildcards", `SELECT count(*) FROM big a, big b WHERE a.v || b.v LIKE '${"%a".repeat(2000)}z'`],
];

test.each(ENDLESS)("stops %s %s at its time limit", async (_, __, sql) => {
  expect(await failureOf(sql, ENDLESS_TIMEOUT_MS)).toMatch(stoppedAfter(ENDLESS_TIMEOUT_MS));
  await checkHealth();
});

test("SQL-20 raw-labs/mxcp#165 answers other calls while endless statements run", async () => {
  const ids = ENDLESS.slice(0, 3).map(([, , query]) => stress.sendCall("read_query", { query, timeout_ms: 20_000 }));
  const { result } = await stress.request("tools/list", {});
  expect(result).toHaveProperty("tools");
  await checkHealth();
  expect((await stress.reply("list_tables", {})).failed).toBe(false);
  expect((await stress.reply("describe_table", { table_name: "t" })).failed).toBe(false);
  expect(ids.filter((id) => stress.responseCount(id) > 0)).toEqual([]);
  for (const id of ids) await stress.cancel(id);
});

test("SQL-20 counts the time in the queue towards a statement's time limit", async () => {
  const query = `${NUMBERS} SELECT count(*) FROM c`;
  // More than there are processes.
  const ids = Array.from({ length: 16 }, () => stress.sendCall("read_query", { query, timeout_ms: 20_000 }));
  expect((await stress.read(query, { timeout_ms: TIMEOUT_MS })).text).toMatch(STOPPED);
  expect(ids.filter((id) => stress.responseCount(id) > 0)).toEqual([]);
  for (const id of ids) await stress.cancel(id);
  await checkHealth();
});

const GIANT: readonly (readonly [what: string, sql: string])[] = [
  ["a zeroblob of 1 GB", "SELECT zeroblob(1000000000)"],
  ["the length of a zeroblob of 1 GB", "SELECT length(zeroblob(1000000000) || 'x')"],
  ["the hex of a zeroblob of 500 MB", "SELECT hex(zeroblob(500000000))"],
  ["a printf", "SELECT printf('%.*c', 900000000, 'x')"],
  ["a format with a huge width", "SELECT format('%900000000d', 1)"],
  ["random bytes", "SELECT randomblob(1000000000)"],
  ["a text that doubles", "WITH RECURSIVE d(s) AS (SELECT 'xxxxxxxxxx' UNION ALL SELECT s || s FROM d) SELECT max(length(s)) FROM d"],
  ["replace", "SELECT replace(hex(zeroblob(50000)), '0', hex(zeroblob(50000)))"],
  ["100 large values in one row", `SELECT ${Array.from({ length: 100 }, (_, at) => `zeroblob(100000000) AS c${at}`).join()}`],
  ["a JSON array of large values", "SELECT json_group_array(hex(zeroblob(1000000))) FROM big"],
  ["deep JSON", "SELECT json(printf('%.*c', 100000000, '['))"],
];

test.each(GIANT)("SQL-22 mvanhorn/cli-printing-press#4754 fails %s in little memory", async (_, sql) => {
  await failureOf(sql);
  await checkHealth();
});

test("SQL-22 read_query truncates large values and lists them", async () => {
  const reply = await stress.read("SELECT hex(zeroblob(3000000)) AS text, zeroblob(20000000) AS bytes");
  expect(reply.failed, reply.text.slice(0, 200)).toBe(false);
  expect(reply.structured).toMatchObject({
    clipped: [
      { row: 0, column: "text", length: 6_000_000 },
      { row: 0, column: "bytes", length: 20_000_000 },
    ],
  });
  expect(JSON.stringify(reply.structured).length + reply.text.length).toBeLessThan(2_500_000);
});

test("SQL-23 read_query stops stepping through ten million rows at its row limit", async () => {
  for (const _ of [1, 2]) {
    const { value: reply, peak } = await peakMemoryDuring(stress.read(`${NUMBERS} SELECT i FROM c LIMIT 10000000`));
    expect(reply.structured).toMatchObject({ truncated: true, nextCursor: expect.any(String) });
    expect((reply.structured["rows"] as unknown[]).length).toBeLessThanOrEqual(10_000);
    expect(peak).toBeLessThan(300 * MiB);
  }
});

test("SQL-23 read_query reads the rows of a repeated statement one by one after its table has grown", async () => {
  await stress.write("CREATE TABLE growing (v TEXT)");
  const query = "SELECT a.v FROM growing a, big b, big c";
  expect(await stress.rows(query)).toEqual([]);
  await stress.write("INSERT INTO growing VALUES ('x')");
  const { value: reply, peak } = await peakMemoryDuring(stress.read(query, { timeout_ms: 30_000 }));
  expect(reply.structured, reply.text.slice(0, 200)).toMatchObject({ truncated: true });
  expect(peak).toBeLessThan(MAX_MEMORY);
});

/** CPU time of all processes of the server so far. */
const serverCpuMs = (): number => [stress.pid, ...childrenOf(stress.pid)].reduce((sum, pid) => sum + processCpuMs(pid), 0);

const BIG: readonly (readonly [what: string, sql: string])[] = [
  ["2 MB of text", `SELECT 1 /* ${"x".repeat(2_000_000)} */`],
  ["brackets 5,000 deep", `SELECT ${"(".repeat(5000)}1${")".repeat(5000)}`],
  ["NOT 5,000 deep", `SELECT ${"NOT ".repeat(5000)}1`],
  ["a chain of 5,000 sums", `SELECT ${"1+".repeat(5000)}1`],
  ["subqueries 2,000 deep", `SELECT ${"(SELECT ".repeat(2000)}1${")".repeat(2000)}`],
  ["CASE 3,000 deep", `SELECT ${"CASE WHEN 1 THEN ".repeat(3000)}1${" END".repeat(3000)}`],
  ["a UNION of 10,000", Array.from({ length: 10_000 }, () => "SELECT 1").join(" UNION ")],
  ["40,000 parameters", `SELECT ${Array.from({ length: 40_000 }, () => "?").join("+")}`],
  ["a parameter number of 99999", "SELECT ?99999"],
  ["a parameter number past 64 bits", "SELECT ?99999999999999999999"],
  ["IN with 400,000", `SELECT 1 WHERE 1 IN (${Array.from({ length: 400_000 }, (_, at) => at).join()})`],
  ["3,000 columns", `SELECT ${Array.from({ length: 3000 }, (_, at) => `1 AS c${at}`).join()}`],
  ["a join of 70 tables", `SELECT 1 FROM ${Array.from({ length: 70 }, (_, at) => `t AS t${at}`).join()}`],
  ["a pattern of 60,000 bytes", `SELECT 'x' LIKE '${"%".repeat(60_000)}y'`],
  ["50,000 WITH clauses", `WITH ${"a AS (SELECT 1), ".repeat(50_000)}b AS (SELECT 1) SELECT 1`],
  ["FTS in brackets 3,000 deep", `SELECT * FROM texts WHERE texts MATCH '${"(".repeat(3000)}a${")".repeat(3000)}'`],
  ["900 kB of words", "a ".repeat(450_000)],
  ["900 kB of quotes", `SELECT ${'"'.repeat(900_001)}`],
];

test.each(BIG)("SQL-24 read_query rejects %s with a message", async (_, sql) => {
  await failureOf(sql);
  await checkHealth();
});

/** A tokenizer with quadratic cost needs minutes of CPU time for these. */
const MAX_CPU_MS = 10_000;

test.each([
  ["a comment of 900 kB", `SELECT 1 /* ${"* / x".repeat(180_000)} */`],
  ["a comment line of 900 kB", `SELECT 1 -- ${"x".repeat(900_000)}`],
  ["500,000 semicolons", `${";".repeat(500_000)}SELECT 1`],
  ["900 kB of comments", `${"/**/".repeat(225_000)}SELECT 1`],
  ["IN with 60,000", `SELECT 1 WHERE 5 IN (${Array.from({ length: 60_000 }, (_, at) => at).join()})`],
])("SQL-24 read_query runs %s at low cost", async (_, sql) => {
  const before = serverCpuMs();
  expect(await stress.rows(sql)).toEqual([[1]]);
  expect(serverCpuMs() - before).toBeLessThan(MAX_CPU_MS);
});

test("SQL-24 rejects a message of 10 MB and answers the next one", async () => {
  await stress.sendTooLong({ query: `SELECT 1 /* ${"x".repeat(10_000_000)} */` });
  await checkHealth();
});

test("SQL-25 ends GLOB and LIKE over long texts by the time limit", async () => {
  for (const query of [
    `SELECT hex(zeroblob(100000)) GLOB '${"*0".repeat(10_000)}1'`,
    `SELECT hex(zeroblob(20000)) LIKE '${"%0".repeat(9000)}1'`,
    `SELECT count(*) FROM big WHERE v GLOB '${"[0-9A-F]*".repeat(1000)}z'`,
  ]) {
    const { failed, text } = await stress.read(query, { timeout_ms: TIMEOUT_MS });
    if (failed) expect(text).toMatch(STOPPED);
    await checkHealth();
  }
});

describe("changes", () => {
  test.each([
    ["INSERT", `INSERT INTO t (n) ${NUMBERS} SELECT i FROM c`],
    ["UPDATE", `UPDATE t SET n = (${NUMBERS} SELECT max(i) FROM c)`],
    ["DELETE", `DELETE FROM t WHERE n = (${NUMBERS} SELECT max(i) FROM c)`],
    ["CREATE TABLE AS", `CREATE TABLE x AS ${NUMBERS} SELECT i, hex(zeroblob(100)) FROM c`],
  ])(
    "SQL-20 spences10/mcp-sqlite-tools#53 WiseLibs/better-sqlite3#707 WiseLibs/better-sqlite3#568 nodejs/node#62227 stops an endless %s at its time limit without a change",
    async (_, sql) => {
      const before = await stress.rows("SELECT count(*), sum(n), (SELECT count(*) FROM sqlite_schema) FROM t");
      for (const more of [{ timeout_ms: TIMEOUT_MS }, { timeout_ms: TIMEOUT_MS, dry_run: true }]) {
        const reply = await stress.write(sql, more);
        expect(reply.text).toMatch(STOPPED);
        expect(await stress.rows("SELECT count(*), sum(n), (SELECT count(*) FROM sqlite_schema) FROM t")).toEqual(before);
      }
    },
  );

  test("SQL-20 keeps the old data when it stops a large change", async () => {
    const sum = "SELECT count(*), sum(length(v)) FROM big";
    const before = await stress.rows(sum);
    // Larger than the page cache, so that the process is killed while it rewrites the file.
    const reply = await stress.write("UPDATE big SET v = hex(randomblob(400)) || (SELECT count(*) FROM big b WHERE b.id < 3000)", {
      timeout_ms: 1200,
    });
    expect(reply.failed).toBe(true);
    expect(await stress.rows(sum)).toEqual(before);
    expect(await stress.rows("PRAGMA integrity_check")).toEqual([["ok"]]);
    expect((await stress.write("UPDATE t SET n = 11 WHERE id = 1")).failed).toBe(false);
  });
});

test("keeps rules (a) to (f) after all of these", () => stress.checkRules({ tooLong: 1 }));
