// Replies beside rows: ids of new rows, truncated values, and changes by triggers.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const write = (query: string, more: Json = {}): Promise<Json> => shop.structured("write_query", { query, ...more });

test("returns no row id for an upsert that updates a row", async () => {
  await write("CREATE TABLE tallies (id INTEGER PRIMARY KEY, name TEXT UNIQUE, n INT)");
  await write("INSERT INTO tallies VALUES (5, 'a', 1)");
  await write("INSERT INTO orders (id, customer_id) VALUES (91, 1)");
  const upsert = (name: string): string => `INSERT INTO tallies (name, n) VALUES ('${name}', 1) ON CONFLICT (name) DO UPDATE SET n = n + 1`;
  expect(await write(upsert("a"))).toMatchObject({ changes: 1, lastInsertRowid: null });
  expect(await write(`${upsert("a")} RETURNING id`)).toMatchObject({ lastInsertRowid: null, returning: { rows: [[5]] } });
  expect(await write(upsert("b"))).toMatchObject({ changes: 1, lastInsertRowid: 6 });
  expect(await write(upsert("b"))).toMatchObject({ changes: 1, lastInsertRowid: null });
  expect(await write(`${upsert("c")} RETURNING n`)).toMatchObject({ lastInsertRowid: 7 });
  const statements = [upsert("a"), upsert("d"), upsert("d")].map((query) => ({ query }));
  expect(await shop.structured("run_transaction", { statements })).toMatchObject({
    results: [{ lastInsertRowid: null }, { lastInsertRowid: 8 }, { lastInsertRowid: null }],
  });
  await write("DELETE FROM orders WHERE id = 91");
});

test("returns no row id for a command to a full-text table", async () => {
  await write("CREATE VIRTUAL TABLE words USING fts5(word)");
  expect(await write("INSERT INTO words VALUES ('x'), ('y')")).toMatchObject({ lastInsertRowid: 2 });
  expect(await write("INSERT INTO words (words) VALUES ('rebuild')")).toMatchObject({ lastInsertRowid: null });
});

test("reports no busy database for a virtual table that is read during its own change", async () => {
  await using other = await openShop({
    sql: "CREATE VIRTUAL TABLE spots USING rtree(id, x0, x1); INSERT INTO spots VALUES (1, 1, 2), (2, 1, 2)",
  });
  const query = "INSERT INTO spots SELECT id + 10, x0, x1 FROM spots LIMIT 1";
  expect(await other.failure("write_query", { query })).toContain("reads a table while it changes it");
  expect(await other.failure("run_transaction", { statements: [{ query }] })).toContain("reads a table while it changes it");
});

test("leaves changes of shadow tables out of the count", async () => {
  await using other = await openShop({
    sql: `CREATE VIRTUAL TABLE spots USING rtree(id, x0, x1); CREATE VIRTUAL TABLE terms USING fts5(word);
      INSERT INTO spots VALUES (1, 1, 2), (2, 1, 2); INSERT INTO terms VALUES ('a'), ('b')`,
  });
  for (const [query, changes] of [
    ["INSERT INTO terms VALUES ('c')", 1],
    ["UPDATE terms SET word = 'd'", 3],
    ["UPDATE spots SET x1 = x1 + 1", 2],
    ["DELETE FROM spots", 2],
  ] as const) {
    const result = await other.call("write_query", { query, dry_run: true });
    expect(result.structuredContent).not.toHaveProperty("alsoChanged");
    expect(text(result)).toContain(`would change ${changes} row`);
    expect(await other.structured("run_transaction", { statements: [{ query }] })).toMatchObject({ changes });
  }
});

test("S6 lists truncated values in every tool that returns rows, also in its text", async () => {
  await write("CREATE TABLE long (v)");
  const query = `INSERT INTO long VALUES ('${"x".repeat(300_000)}') RETURNING v`;
  const clipped = [{ row: 0, column: "v", length: 300_000 }];
  const returned = await shop.call("write_query", { query });
  expect(returned.structuredContent).toMatchObject({ returning: { clipped } });
  const described = await shop.call("describe_table", { table_name: "long", sample_rows: 1 });
  expect(described.structuredContent).toMatchObject({ sample: { clipped } });
  for (const result of [returned, described])
    expect(text(result)).toContain('[truncated: 1 value, v has 300000 characters or bytes; substr("v", 1, 5000) reads a part]');
  const statements = [{ query: "SELECT v FROM long" }, { query: "UPDATE long SET v = v RETURNING v" }, { query: "SELECT 1" }];
  const { results } = (await shop.structured("run_transaction", { statements })) as { results: { rows: object }[] };
  for (const at of [0, 1]) expect(results[at]).toMatchObject({ clipped });
  expect(results[2]).not.toHaveProperty("clipped");
});

test("counts changes by triggers, and INSTEAD OF triggers as the change itself", async () => {
  await using other = await openShop({
    sql: `CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE log (a); CREATE VIEW v AS SELECT * FROM t;
      CREATE TRIGGER noted AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE TRIGGER put INSTEAD OF INSERT ON v BEGIN INSERT INTO t (a) VALUES (new.a); INSERT INTO t (a) VALUES (new.a); END;
      CREATE TRIGGER emptied INSTEAD OF DELETE ON v BEGIN DELETE FROM t; END;
      INSERT INTO t (a) VALUES (1), (2)`,
  });
  const write = async (query: string, args = {}) => {
    const result = await other.call("write_query", { query, ...args });
    return { text: text(result), data: result.structuredContent };
  };
  expect(await write("UPDATE t SET a = 3 WHERE id = 1")).toEqual({
    text: '[{"affected_rows":1}]\nUPDATE changed 1 row, and triggers and foreign keys 1 more row of log.',
    data: { changes: 1, alsoChanged: 1, alsoChangedTables: [{ table: "log", changes: 1 }], lastInsertRowid: null, rolledBack: false },
  });
  expect((await write("UPDATE t SET a = 4", { dry_run: true })).text).toContain(
    "would change 2 rows, and triggers and foreign keys 2 more rows of log.",
  );
  const put = { changes: 2, lastInsertRowid: null, rolledBack: false };
  expect(await write("INSERT INTO v (a) VALUES (5)")).toEqual({ text: '[{"affected_rows":2}]', data: put });
  expect((await write('INSERT INTO main."V" (a) VALUES (5) RETURNING a')).data).toMatchObject({ ...put, returning: { rows: [[5]] } });
  expect(await write("DELETE FROM main.v WHERE id = 1", { dry_run: true })).toMatchObject({ data: { changes: 6, rolledBack: true } });
  const statements = [{ query: "INSERT OR IGNORE INTO v (a) VALUES (6)" }, { query: "UPDATE OR IGNORE t SET a = 7 WHERE id < 3" }];
  const both = await other.call("run_transaction", { statements });
  expect(text(both)).toBe("2 statements, 4 rows changed (INSERT 2, UPDATE 2), and triggers and foreign keys 2 more rows of log.");
  expect(both.structuredContent).toMatchObject({ changes: 4, results: [{ changes: 2 }, { changes: 2, alsoChanged: 2 }] });
});

test.each([
  ["run_transaction", { statements: [{ query: "INSERT INTO orders (customer_id) VALUES (3)" }] }, "1 statement, 1 row changed."],
  ["run_transaction", { statements: [{ query: "SELECT 1" }, { query: "SELECT 2" }] }, "2 statements, 0 rows changed.\n"],
  ["read_query", { query: "SELECT id FROM customers", limit: 1 }, "[truncated after 1 row; call"],
  ["read_query", { query: "SELECT id FROM customers", limit: 2 }, "[truncated after 2 rows; call"],
  ["export_query", { query: "SELECT 1 AS a", path: "one.csv" }, "Wrote 1 row to one.csv"],
  ["export_query", { query: "SELECT 1 AS a WHERE 0", path: "none.csv" }, "Wrote 0 rows to none.csv"],
])("%s %j uses singular and plural correctly", async (name, args, expected) => {
  expect(text(await shop.call(name, args))).toContain(expected);
});

const WARNING = "[\uFFFD may stand for bytes that are not text";

test.each([
  ["run_transaction", (query: string) => ({ statements: [{ query: "SELECT 1" }, { query }] })],
  ["export_query", (query: string) => ({ query, path: `${query.length}.csv` })],
])("S6 %s warns of texts that may hold invalid bytes", async (name, args) => {
  expect(text(await shop.call(name, args("SELECT CAST(x'41ff' AS TEXT) AS t")))).toContain(WARNING);
  expect(text(await shop.call(name, args("SELECT 'whole'")))).not.toContain(WARNING);
});

test("explain_query explains a plan without steps", async () => {
  const { content, structuredContent } = await shop.call("explain_query", { query: "INSERT INTO customers (name) VALUES ('x')" });
  expect(content).toEqual([{ type: "text", text: "The plan has no steps: the statement reads no table" }]);
  expect(structuredContent).toMatchObject({ plan: [] });
});

test("read_query names explain_query for EXPLAIN of a change", async () => {
  const query = "EXPLAIN QUERY PLAN DELETE FROM orders";
  expect(await shop.failure("read_query", { query })).toBe("read_query only reads: this is DELETE. Use explain_query for its plan.");
  expect(text(await shop.call("explain_query", { query }))).toContain("SCAN orders");
});
