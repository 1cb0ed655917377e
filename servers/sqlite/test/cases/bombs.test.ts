// SQL-20 to SQL-25: statements that would never end, or take all there is. Each is stopped at its bound, and meanwhile others are served.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { besiege, childrenOf, FORTRESS, type Siege } from "./stress.ts";

const MiB = 1024 * 1024;
/** The deadline that the calls ask for. */
const TIMEOUT_MS = 300;
/** No process of the server grows beyond this. */
const MOST_MEMORY = 800 * MiB;

let siege: Siege;
beforeAll(async () => {
  siege = await besiege({
    sql: `${FORTRESS} CREATE TABLE big (id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) INSERT INTO big SELECT i, hex(randomblob(200)) FROM c;`,
  });
  await siege.plain(DEADLINE_OF_FIRST);
});
afterAll(() => siege[Symbol.asyncDispose]());

/** The first call starts a process. */
const DEADLINE_OF_FIRST = 5000;

/** The most that a process of the server ever took (Linux). */
const peak = (pid: string | number): number => {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
  } catch {
    return 0; // gone meanwhile
  }
};

/** Watches the processes of the server while something runs. */
async function peakWhile<T>(work: Promise<T>): Promise<{ value: T; most: number }> {
  let most = 0;
  const watch = setInterval(() => {
    for (const pid of [siege.pid, ...childrenOf(siege.pid)]) most = Math.max(most, peak(pid));
  }, 15);
  try {
    const value = await work;
    return { value, most };
  } finally {
    clearInterval(watch);
  }
}

/** A bomb, and meanwhile plain calls; gives what the bomb said. */
async function survived(query: string): Promise<string> {
  const from = performance.now();
  const bomb = siege.read(query, { timeout_ms: TIMEOUT_MS }, 6000);
  const { value: said, most } = await peakWhile(bomb);
  expect(performance.now() - from).toBeLessThan(TIMEOUT_MS + 1000);
  expect(most).toBeLessThan(MOST_MEMORY);
  expect(said.failed, said.text.slice(0, 200)).toBe(true);
  expect(said.text).not.toContain("Internal error");
  expect(said.text.length).toBeLessThan(1000);
  return said.text;
}

const NUMBERS = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c)";
const STOPPED = /^(?:The statement was s|S)topped after 300 ms/;

const ENDLESS: readonly (readonly [id: string, what: string, sql: string])[] = [
  ["SQL-20", "an endless recursion that counts", `${NUMBERS} SELECT count(*) FROM c`],
  ["SQL-20", "one that remembers all it saw", "WITH RECURSIVE c(i) AS (SELECT 1 UNION SELECT i + 1 FROM c) SELECT count(*) FROM c"],
  ["SQL-20", "one behind EXISTS", `${NUMBERS} SELECT EXISTS (SELECT 1 FROM c WHERE i < 0)`],
  ["SQL-20", "one in a filter", `SELECT * FROM t WHERE id = (${NUMBERS} SELECT max(i) FROM c)`],
  ["SQL-20", "two that feed each other", `${NUMBERS}, d(i) AS (SELECT i FROM c) SELECT sum(c.i * d.i) FROM c, d`],
  ["SQL-20", "one before the first row", `${NUMBERS} SELECT i FROM c WHERE i < 0 LIMIT 1`],
  ["SQL-20", "one behind an offset", `${NUMBERS} SELECT i FROM c LIMIT 1 OFFSET 100000000000`],
  ["SQL-21", "a product that is sorted", "SELECT a.v FROM big a, big b, big c, big d, big e ORDER BY a.v || b.v || c.v"],
  ["SQL-21", "a product that is counted", "SELECT count(DISTINCT a.v || b.v) FROM big a, big b, big c"],
  ["SQL-21", "a product that is grouped", "SELECT a.v || b.v AS g, count(*) FROM big a, big b GROUP BY g HAVING count(*) > 9"],
  ["SQL-21", "windows over a product", "SELECT sum(a.id) OVER (ORDER BY b.v) FROM big a, big b"],
  ["SQL-22", "a group_concat without end", "SELECT length(group_concat(a.v)) FROM big a, big b"],
  ["SQL-25", "LIKE with many wildcards", `SELECT count(*) FROM big a, big b WHERE a.v || b.v LIKE '${"%a".repeat(2000)}z'`],
];

test.each(ENDLESS)("%s %s: ends at its deadline with an error", async (_, __, sql) => {
  expect(await survived(sql)).toMatch(STOPPED);
  await siege.plain();
});

test("SQL-20 meanwhile another client's calls are answered, for every kind of bomb at once", async () => {
  const bombs = ENDLESS.slice(0, 3).map(([, , query]) => siege.says("read_query", { query, timeout_ms: 1500 }, 6000));
  await sleep(100);
  const { result } = await siege.ask("tools/list", {}, 1000);
  expect(result).toHaveProperty("tools");
  await siege.plain();
  expect((await siege.says("list_tables", {}, 1000)).failed).toBe(false);
  expect((await siege.says("describe_table", { table_name: "t" }, 1000)).failed).toBe(false);
  for (const said of await Promise.all(bombs)) expect(said.text).toMatch(/topped after 1500 ms/);
});

test("SQL-20 more bombs than there are processes: those behind them wait no longer than their own deadline", async () => {
  const from = performance.now();
  const bombs = Array.from({ length: 24 }, () => siege.read(`${NUMBERS} SELECT count(*) FROM c`, { timeout_ms: 800 }, 8000));
  for (const said of await Promise.all(bombs)) expect(said.failed).toBe(true);
  expect(performance.now() - from).toBeLessThan(3000);
  await siege.plain();
});

const GIANT: readonly (readonly [what: string, sql: string])[] = [
  ["a zeroblob of 1 GB", "SELECT zeroblob(1000000000)"],
  ["the length of one", "SELECT length(zeroblob(1000000000) || 'x')"],
  ["its hex", "SELECT hex(zeroblob(500000000))"],
  ["a printf", "SELECT printf('%.*c', 900000000, 'x')"],
  ["a format of a width", "SELECT format('%900000000d', 1)"],
  ["random bytes", "SELECT randomblob(1000000000)"],
  ["doubling", "WITH RECURSIVE d(s) AS (SELECT 'xxxxxxxxxx' UNION ALL SELECT s || s FROM d) SELECT max(length(s)) FROM d"],
  ["replace", "SELECT replace(hex(zeroblob(50000)), '0', hex(zeroblob(50000)))"],
  ["many in one row", `SELECT ${Array.from({ length: 100 }, (_, at) => `zeroblob(100000000) AS c${at}`).join()}`],
  ["a group of them", "SELECT json_group_array(hex(zeroblob(1000000))) FROM big"],
  ["deep JSON", "SELECT json(printf('%.*c', 100000000, '['))"],
];

test.each(GIANT)("SQL-22 %s: an error, and little memory", async (_, sql) => {
  await survived(sql);
  await siege.plain();
});

test("SQL-22 values that are merely large come cut, and say so", async () => {
  const said = await siege.read("SELECT hex(zeroblob(3000000)) AS text, zeroblob(20000000) AS bytes");
  expect(said.failed, said.text.slice(0, 200)).toBe(false);
  expect(said.structured).toMatchObject({
    clipped: [
      { row: 0, column: "text", length: 6_000_000 },
      { row: 0, column: "bytes", length: 20_000_000 },
    ],
  });
  expect(JSON.stringify(said.structured).length + said.text.length).toBeLessThan(2_500_000);
});

test("SQL-23 ten million rows: capped, marked, and the stepping stops", async () => {
  for (const _ of [1, 2]) {
    const { value: said, most } = await peakWhile(siege.read(`${NUMBERS} SELECT i FROM c LIMIT 10000000`));
    expect(said.structured).toMatchObject({ truncated: true, nextCursor: expect.any(String) });
    expect((said.structured["rows"] as unknown[]).length).toBeLessThanOrEqual(10_000);
    expect(said.structured["elapsedMs"]).toBeLessThan(1000);
    expect(most).toBeLessThan(300 * MiB);
  }
});

test("SQL-23 a statement that was small and is large now is still taken row by row", async () => {
  await siege.write("CREATE TABLE growing (v TEXT)");
  const query = "SELECT a.v FROM growing a, big b, big c";
  expect(await siege.rows(query)).toEqual([]);
  await siege.write("INSERT INTO growing VALUES ('x')");
  const { value: said, most } = await peakWhile(siege.read(query, { timeout_ms: 4000 }));
  expect(said.structured, said.text.slice(0, 200)).toMatchObject({ truncated: true });
  expect(most).toBeLessThan(MOST_MEMORY);
});

const BIG: readonly (readonly [what: string, sql: string])[] = [
  ["2 MB of text", `SELECT 1 /* ${"x".repeat(2_000_000)} */`],
  ["brackets 5,000 deep", `SELECT ${"(".repeat(5000)}1${")".repeat(5000)}`],
  ["NOT 5,000 deep", `SELECT ${"NOT ".repeat(5000)}1`],
  ["a chain of 5,000 sums", `SELECT ${"1+".repeat(5000)}1`],
  ["subqueries 2,000 deep", `SELECT ${"(SELECT ".repeat(2000)}1${")".repeat(2000)}`],
  ["CASE 3,000 deep", `SELECT ${"CASE WHEN 1 THEN ".repeat(3000)}1${" END".repeat(3000)}`],
  ["a UNION of 10,000", Array.from({ length: 10_000 }, () => "SELECT 1").join(" UNION ")],
  ["40,000 parameters", `SELECT ${Array.from({ length: 40_000 }, () => "?").join("+")}`],
  ["a parameter beyond the last", "SELECT ?99999"],
  ["a parameter beyond all", "SELECT ?99999999999999999999"],
  ["IN with 400,000", `SELECT 1 WHERE 1 IN (${Array.from({ length: 400_000 }, (_, at) => at).join()})`],
  ["3,000 columns", `SELECT ${Array.from({ length: 3000 }, (_, at) => `1 AS c${at}`).join()}`],
  ["a join of 70", `SELECT 1 FROM ${Array.from({ length: 70 }, (_, at) => `t AS t${at}`).join()}`],
  ["a pattern of 60,000 bytes", `SELECT 'x' LIKE '${"%".repeat(60_000)}y'`],
  ["many WITH", `WITH ${"a AS (SELECT 1), ".repeat(50_000)}b AS (SELECT 1) SELECT 1`],
  ["FTS in brackets 3,000 deep", `SELECT * FROM texts WHERE texts MATCH '${"(".repeat(3000)}a${")".repeat(3000)}'`],
  ["words without end", "a ".repeat(450_000)],
  ["quotes without end", `SELECT ${'"'.repeat(900_001)}`],
];

test.each(BIG)("SQL-24 %s: an error in words", async (_, sql) => {
  await survived(sql);
  await siege.plain();
});

/** Far from soon on a busy machine, and farther from what a statement costs that is read letter by letter too often. */
const SOON_MS = 15_000;

test.each([
  ["a comment of 900 kB", `SELECT 1 /* ${"* / x".repeat(180_000)} */`],
  ["a comment line of 900 kB", `SELECT 1 -- ${"x".repeat(900_000)}`],
  ["900,000 semicolons", `${";".repeat(900_000)}SELECT 1`],
  ["900 kB of comments", `${"/**/".repeat(225_000)}SELECT 1`],
  ["IN with 100,000", `SELECT 1 WHERE 5 IN (${Array.from({ length: 100_000 }, (_, at) => at).join()})`],
])("SQL-24 %s is large and harmless: answered soon", async (_, sql) => {
  const from = performance.now();
  expect(await siege.rows(sql)).toEqual([[1]]);
  expect(performance.now() - from).toBeLessThan(SOON_MS);
});

test("SQL-24 a message of 10 MB: refused by its size, and the next one is served", async () => {
  await siege.tooLarge({ query: `SELECT 1 /* ${"x".repeat(10_000_000)} */` });
  await siege.plain(5000);
});

test("SQL-25 GLOB and LIKE over long texts: an error or an answer, by the deadline", async () => {
  for (const query of [
    `SELECT hex(zeroblob(100000)) GLOB '${"*0".repeat(10_000)}1'`,
    `SELECT hex(zeroblob(20000)) LIKE '${"%0".repeat(9000)}1'`,
    `SELECT count(*) FROM big WHERE v GLOB '${"[0-9A-F]*".repeat(1000)}z'`,
  ]) {
    const from = performance.now();
    await siege.read(query, { timeout_ms: TIMEOUT_MS });
    expect(performance.now() - from).toBeLessThan(TIMEOUT_MS + 1000);
    await siege.plain();
  }
});

describe("writing", () => {
  test.each([
    ["INSERT", `INSERT INTO t (n) ${NUMBERS} SELECT i FROM c`],
    ["UPDATE", `UPDATE t SET n = (${NUMBERS} SELECT max(i) FROM c)`],
    ["DELETE", `DELETE FROM t WHERE n = (${NUMBERS} SELECT max(i) FROM c)`],
    ["CREATE TABLE AS", `CREATE TABLE x AS ${NUMBERS} SELECT i, hex(zeroblob(100)) FROM c`],
  ])("SQL-20 %s without end: ends at its deadline, and nothing is changed", async (_, sql) => {
    const before = await siege.rows("SELECT count(*), sum(n), (SELECT count(*) FROM sqlite_schema) FROM t");
    for (const more of [{ timeout_ms: TIMEOUT_MS }, { timeout_ms: TIMEOUT_MS, dry_run: true }]) {
      const from = performance.now();
      const said = await siege.write(sql, more, 6000);
      expect(said.text).toMatch(STOPPED);
      expect(performance.now() - from).toBeLessThan(TIMEOUT_MS + 1000);
      expect(await siege.rows("SELECT count(*), sum(n), (SELECT count(*) FROM sqlite_schema) FROM t")).toEqual(before);
    }
  });

  test("SQL-20 a writer that was stopped in the middle of a large change leaves the old data, readable at once", async () => {
    const sum = "SELECT count(*), sum(length(v)) FROM big";
    const before = await siege.rows(sum);
    // Larger than the cache, so that the file itself is being rewritten when it is killed.
    const said = await siege.write(
      "UPDATE big SET v = hex(randomblob(400)) || (SELECT count(*) FROM big b WHERE b.id < 3000)",
      { timeout_ms: 1200 },
      8000,
    );
    expect(said.failed).toBe(true);
    expect(await siege.rows(sum)).toEqual(before);
    expect(await siege.rows("PRAGMA integrity_check")).toEqual([["ok"]]);
    expect((await siege.write("UPDATE t SET n = 11 WHERE id = 1")).failed).toBe(false);
  });
});

test("rules (a) to (f) hold after all of these", () => siege.judge({ unread: 1 }));
