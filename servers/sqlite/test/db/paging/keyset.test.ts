// Pages by key: no row is skipped or repeated, whatever the order, and changes between pages move no other rows.
import { describe, expect, test } from "vitest";
import { runQuery } from "../../../src/db/engine/query.ts";
import type { KeyValue, RowsReply } from "../../../src/db/protocol/rows.ts";
import type { Params } from "../../../src/db/sql/parameters.ts";
import { CollectedRows } from "../../../src/db/rows/collected-rows.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";
import { openDatabase } from "../../support/databases.ts";

interface Page {
  readonly rows: readonly unknown[][];
  readonly reply: RowsReply;
}

interface PageOptions {
  readonly params?: Params;
  readonly maxRows?: number;
  readonly skip?: number;
  readonly after?: readonly KeyValue[] | undefined;
}

function pageOf({ engine }: OpenedEngine, sql: string, { params, maxRows = 3, skip = 0, after }: PageOptions = {}): Page {
  const output = new CollectedRows();
  const limits = { maxRows, maxBytes: 1_000_000, maxTextLength: 10_000, maxBlobBytes: 100 };
  const reply = runQuery(engine, { op: "read", sql, params, limits, skip, after }, output);
  return { rows: output.values(), reply };
}

/** All pages, and whether each of them but the last has a key. */
function pagesOf(
  opened: OpenedEngine,
  sql: string,
  params?: Params,
  between: () => void = () => undefined,
): { rows: unknown[][]; isKeyed: boolean } {
  const all: unknown[][] = [];
  let isKeyed = true;
  for (let after: readonly KeyValue[] | undefined; ;) {
    const { rows, reply } = pageOf(opened, sql, { ...(params !== undefined && { params }), skip: all.length, after });
    all.push(...rows);
    if (!reply.hasMore) return { rows: all, isKeyed };
    isKeyed &&= reply.lastKey !== undefined;
    after = reply.lastKey;
    between();
  }
}

const VALUES = [
  "NULL",
  "1",
  "2",
  "2",
  "1.5",
  "'b'",
  "'B'",
  "'a'",
  "x'00'",
  "NULL",
  "-9e999",
  "9e999",
  "9007199254740993",
  "9007199254740992",
  "1e17",
  "''",
];
const inserts = (table: string): string =>
  VALUES.map((value, index) => `INSERT INTO ${table} VALUES (${index + 1}, ${value}, ${VALUES[(index * 7) % 16]}, ${index % 3});`).join(
    " ",
  );
const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a, b COLLATE NOCASE, c INTEGER NOT NULL); ${inserts("t")}
  CREATE INDEX t_b ON t (b); CREATE INDEX t_c ON t (c);
  CREATE TABLE plain (n, a, b TEXT, c REAL); ${inserts("plain")}
  CREATE TABLE w (n INTEGER, a, b TEXT COLLATE NOCASE, c, PRIMARY KEY (c DESC, b COLLATE BINARY, n)) WITHOUT ROWID;
  INSERT INTO w SELECT id, a, coalesce(b, ''), c FROM t;
  CREATE TABLE taken (rowid, _rowid_, oid); INSERT INTO taken SELECT id, id, id FROM t;
  CREATE TABLE words (word TEXT); INSERT INTO words SELECT printf('%0600d', id) FROM t;
  CREATE VIEW v AS SELECT * FROM t;
  CREATE VIRTUAL TABLE f USING fts5(body); INSERT INTO f SELECT id FROM t;
`;

const sorted = (rows: readonly unknown[][]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

describe("pages by key return each row once, in the order of the statement", () => {
  const orders = [
    "a",
    "a DESC",
    "b",
    "b DESC",
    "c",
    "c DESC",
    "a NULLS LAST",
    "a DESC NULLS FIRST",
    "b COLLATE BINARY",
    "b COLLATE BINARY DESC",
  ];
  const tables = ["t", "plain", "w"].flatMap((table) => orders.map((order) => [table, order] as const));

  test.each(tables)("SELECT … FROM %s ORDER BY %s", async (table, order) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    const column = order.split(" ")[0] ?? "";
    const sql = `SELECT ${column}, * FROM ${table} ORDER BY ${order}`;
    const expected = pageOf(opened, sql, { maxRows: 1000 }).rows;
    const { rows, isKeyed } = pagesOf(opened, sql);
    expect(isKeyed).toBe(true);
    expect(sorted(rows)).toEqual(sorted(expected));
    // Rows that compare equal may come in any order.
    const isExact = order.includes("BINARY") || column !== "b";
    if (isExact) expect(rows).toEqual(expected);
  });

  test.each([
    ["SELECT * FROM t", []],
    ["SELECT id FROM t WHERE a IS NOT NULL", []],
    ["SELECT id, a FROM t WHERE id > ?", [2]],
    ["SELECT id, a FROM t WHERE id > :least AND c < :most ORDER BY a", { least: 1, most: 2 }],
    ["SELECT t.id FROM t WHERE id IN (SELECT n FROM w) AND c >= ? ORDER BY t.c DESC, t.a", [1]],
    ["SELECT id AS x, upper(b) FROM main.t AS q WHERE c >= ? -- comment\n ORDER BY q.a /* x */ DESC, b, id DESC", [0]],
    ['SELECT "id" FROM "t" q ORDER BY "a"', []],
    ["SELECT a FROM w", []],
    ["SELECT id FROM t WHERE b >= ''", []],
    ["SELECT n FROM w WHERE c = 1", []],
    ["SELECT a, c FROM t ORDER BY c, a, b DESC", []],
    ["SELECT CASE WHEN id > 3 THEN (SELECT 1) END, id, a FROM t;", []],
  ] as [string, Params][])("for %s", async (sql, params) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    const expected = pageOf(opened, sql, { params, maxRows: 1000 }).rows;
    const { rows, isKeyed } = pagesOf(opened, sql, params);
    expect(rows).toEqual(expected);
    expect(isKeyed).toBe(true);
    expect(rows.length).toBeGreaterThan(3);
  });
});

describe("skips the rows of earlier pages in other statements", () => {
  test.each([
    "SELECT DISTINCT c, id FROM t",
    "SELECT id, count(*) FROM t GROUP BY id",
    "SELECT id, row_number() OVER (ORDER BY a) FROM t",
    "SELECT id FROM t LIMIT 12",
    "SELECT id FROM t UNION ALL SELECT id FROM t",
    "SELECT t.id FROM t JOIN w ON w.n = t.id",
    "SELECT t.id FROM t, w WHERE w.n = t.id",
    "SELECT id FROM (SELECT id FROM t)",
    "SELECT id FROM v",
    "SELECT body FROM f",
    "SELECT oid FROM taken",
    "SELECT value FROM json_each('[1,2,3,4,5]')",
    "SELECT name FROM pragma_table_info('t')",
    "WITH x AS (SELECT * FROM t) SELECT id FROM x",
    "VALUES (1), (2), (3), (4)",
    "SELECT id FROM t ORDER BY -id",
    "SELECT id FROM t ORDER BY abs(c)",
    "SELECT id FROM t ORDER BY 1 DESC",
    "SELECT -id AS id, a FROM t ORDER BY id",
    "SELECT c AS a FROM t ORDER BY a",
    "SELECT id FROM t INDEXED BY t_c WHERE c > 0",
    "SELECT word FROM words ORDER BY word",
    "SELECT id FROM t WHERE id < 3 OR c = 1 ORDER BY a",
    "SELECT id FROM t WHERE a IS DISTINCT FROM 1",
    "EXPLAIN QUERY PLAN SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4",
    `SELECT ${Array.from({ length: 2000 }, () => "id").join(", ")} FROM t`,
  ])("%s", async (sql) => {
    await using opened = await openEngine(SCHEMA, { write: false });
    const expected = pageOf(opened, sql, { maxRows: 1000 }).rows;
    const { rows, isKeyed } = pagesOf(opened, sql);
    expect(rows).toEqual(expected);
    expect(rows.length).toBeGreaterThan(3);
    expect(isKeyed).toBe(false);
  });
});

test("uses no key with a numbered parameter", async () => {
  await using opened = await openEngine(SCHEMA, { write: false });
  const { rows, isKeyed } = pagesOf(opened, "SELECT id FROM t WHERE id > ?1", [2]);
  expect([rows.length, isKeyed]).toEqual([14, false]);
});

describe("a change between two pages", () => {
  const NUMBERS =
    "CREATE TABLE n (id INTEGER PRIMARY KEY, v); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 30) INSERT INTO n SELECT i * 10, i FROM c";

  test.each([
    ["adds rows before the position", "INSERT INTO n VALUES (1, 0), (2, 0)", 30],
    ["removes rows before the position", "DELETE FROM n WHERE id <= 20", 30],
    ["removes the last row of the page", "DELETE FROM n WHERE id = 30", 30],
    ["adds a row after the position", "INSERT INTO n VALUES (45, 0)", 31],
    ["removes a row after the position", "DELETE FROM n WHERE id = 50", 29],
  ])("moves no other row when it %s", async (_name, sql, count) => {
    await using opened = await openEngine(NUMBERS, { write: false });
    let changes = 0;
    const { rows } = pagesOf(opened, "SELECT id FROM n", undefined, () => {
      if (changes++ > 0) return;
      using other = openDatabase(opened.file);
      other.exec(sql);
    });
    const ids = rows.map(([id]) => Number(id));
    expect(ids).toEqual(ids.toSorted((one, two) => one - two));
    expect([new Set(ids).size, ids.length]).toEqual([count, count]);
  });
});

test("reads no row of the earlier pages for a later one", async () => {
  await using opened = await openEngine(
    "CREATE TABLE n (id INTEGER PRIMARY KEY, v TEXT); CREATE INDEX n_v ON n (v); WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 100) INSERT INTO n SELECT i, i % 7 FROM c",
    { write: false },
  );
  let calls = 0;
  opened.engine.db.function("seen", { deterministic: false }, (value) => {
    calls += 1;
    return value;
  });
  const sql = "SELECT seen(id) FROM n ORDER BY v DESC";
  const first = pageOf(opened, sql, { maxRows: 50 });
  calls = 0;
  const second = pageOf(opened, sql, { maxRows: 10, skip: 50, after: first.reply.lastKey });
  expect(second.rows).toHaveLength(10);
  expect(calls).toBeLessThanOrEqual(12);
});

test("falls back to the number of rows for a key of another length, after a change of the schema", async () => {
  await using opened = await openEngine(SCHEMA, { write: false });
  expect(pageOf(opened, "SELECT id FROM t ORDER BY id", { skip: 3, after: [1] }).rows).toEqual([[4], [5], [6]]);
});

test("leaves key columns that the statement does not select out of the rows", async () => {
  await using opened = await openEngine(SCHEMA, { write: false });
  const { rows } = pageOf(opened, "SELECT id FROM t ORDER BY a, b, c");
  expect(rows.map((row) => row.length)).toEqual([1, 1, 1]);
});
