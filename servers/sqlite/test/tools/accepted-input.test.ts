// Input that models write and SQLite does not take as it is: JSON text, code blocks, other letter case, statements of other databases.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectTo } from "@oarlock/testing";
import { loadQueries } from "../../src/queries/query-file.ts";
import { createServer } from "../../src/server.ts";
import { makeDatabase, SHOP } from "../support/databases.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `${SHOP} CREATE TABLE towns (id INTEGER PRIMARY KEY, name TEXT, motto TEXT);
      INSERT INTO towns (name, motto) VALUES ('Ängelholm', 'green hills'), ('Łódź', 'of blue boats, hills and green'), ('Straße', 'grey');`,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

describe("params", () => {
  test.each([
    ["a list as JSON text", "SELECT ?, ?", '[1, "two"]', [[1, "two"]]],
    ["an object as JSON text", "SELECT :a", '{"a": 7}', [[7]]],
    ["an empty text", "SELECT 1", "", [[1]]],
    ["null as JSON text", "SELECT 1", "null", [[1]]],
  ])("accept %s", async (_name, query, params, rows) => {
    expect(await shop.rows(query, { params })).toEqual(rows);
  });

  test.each(["one", "[1", "7", '"text"'])("refuse the text %j", async (params) => {
    expect(await shop.failure("read_query", { query: "SELECT ?", params })).toContain("Invalid params: expected a list or an object");
  });

  test("count the values of JSON text exactly", async () => {
    expect(await shop.failure("read_query", { query: "SELECT ?", params: "[1, 2]" })).toContain("1 parameter, but params holds 2 values");
  });
});

describe("arguments of another type", () => {
  test.each([
    ["describe_table", { table_name: ["customers", "orders"] }, { table: "customers", further: [{ table: "orders" }] }],
    ["search_text", { query: "hills", tables: "towns" }, { matches: [{ table: "towns" }, { table: "towns" }] }],
    ["check_database", { checks: "quick_check" }, { quick_check: ["ok"] }],
    ["check_database", { checks: '["quick_check"]' }, { quick_check: ["ok"] }],
    ["run_transaction", { statements: ["SELECT 1", { query: "SELECT 2" }] }, { results: [{ rows: [[1]] }, { rows: [[2]] }] }],
    ["run_transaction", { statements: '[{"query": "SELECT ?", "params": [3]}]' }, { results: [{ rows: [[3]] }] }],
    ["run_transaction", { statements: "SELECT 1" }, { results: [{ rows: [[1]] }] }],
  ])("are taken by %s: %j", async (name, args, expected) => {
    expect((await shop.call(name, args)).structuredContent).toMatchObject(expected);
  });

  test("name themselves in the refusal of another name", async () => {
    expect(await shop.failure("read_query", { sql: "SELECT 1" })).toContain('did you mean "query"?');
    expect(await shop.failure("describe_table", { table: "customers" })).toContain('did you mean "table_name"?');
    expect(await shop.failure("write_query", { sql: "DELETE FROM orders" })).toContain('did you mean "query"?');
    expect(await shop.failure("run_transaction", { statements: [7] })).toContain("statements.0: ");
    expect(await shop.failure("run_transaction", { queries: ["SELECT 1"] })).toContain('did you mean "statements"?');
  });
});

describe("statements", () => {
  test.each(["```sql\nSELECT 1\n```", "```\nSELECT 1;\n```\n", "  ```SQLite\r\nSELECT 1\r\n```"])(
    "accept the code block %j",
    async (query) => {
      expect(await shop.rows(query)).toEqual([[1]]);
    },
  );

  test("suggest columns for a statement in a code block", async () => {
    const query = "```sql\nSELECT nmae FROM customers\n```";
    expect(await shop.failure("read_query", { query })).toContain("did you mean name?");
  });

  test("keep a code block in a value unchanged", async () => {
    expect(await shop.rows("SELECT '```sql\nx\n```'")).toEqual([["```sql\nx\n```"]]);
  });

  test.each([
    ["SHOW TABLES", "list_tables"],
    ["DESCRIBE customers", "describe_table"],
    ["desc customers;", "describe_table"],
    ["USE shop", "argument database"],
    ["TRUNCATE TABLE orders", "DELETE FROM"],
  ])("name the alternative to %s", async (query, next) => {
    for (const tool of ["read_query", "write_query"]) expect(await shop.failure(tool, { query })).toContain(next);
  });
});

test("describe_table finds a name in another letter case", async () => {
  expect(await shop.structured("describe_table", { table_name: "CUSTOMERS", sample_rows: 1 })).toMatchObject({
    table: "customers",
    sample: { rowCount: 1 },
  });
});

test("search_text finds a table in another letter case", async () => {
  expect(await shop.structured("search_text", { query: "ada", tables: ["Customers"] })).toMatchObject({
    matches: [{ table: "customers" }],
  });
});

test("list_tables finds tables by their columns", async () => {
  const names = async (pattern: string): Promise<unknown> =>
    ((await shop.structured("list_tables", { pattern, detail: "names" }))["tables"] as { name: string }[]).map(({ name }) => name);
  expect(await names("email")).toEqual(["customers"]);
  expect(await names("customer*")).toEqual(["customers"]);
  expect(await names("*_id")).toEqual(["orders"]);
  expect(await names("spent")).toEqual(["spending"]);
});

describe("search_text", () => {
  const found = async (query: string): Promise<unknown> =>
    ((await shop.structured("search_text", { query }))["matches"] as { table: string; rowid: number }[]).map(
      ({ table, rowid }) => `${table} ${rowid}`,
    );

  test.each([
    ["words in any order", "hills green", ["towns 1", "towns 2"]],
    ["words in several columns", "boats łódź", ["towns 2"]],
    ["a quoted phrase", '"green hills"', ["towns 1"]],
    ["letters beyond ASCII in another case", "ÄNGELHOLM", ["towns 1"]],
    ["letters beyond ASCII inside a word", "ÓD", ["towns 2"]],
    ["words in any order in a full-text table", "patterns analytical", ["notes 1"]],
    ["a quoted phrase in a full-text table", '"analytical engine"', ["notes 1"]],
    ["no row without one of the words", "green red", []],
    ["no phrase in another order", '"hills green"', []],
  ])("finds %s", async (_name, query, rows) => {
    expect(await found(query)).toEqual(rows);
  });
});

test.each([
  "SELECT o.id FROM orders o WHERE o.total > 99",
  "SELECT o.id, o.total FROM orders AS o WHERE o.total = 5",
  "SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id + 0 = c.id WHERE o.total > 99",
])("explain_query suggests an index for %s", async (query) => {
  const { suggestions } = await shop.structured("explain_query", { query });
  expect(JSON.stringify(suggestions)).toContain("orders_total");
});

test("accepts an integer past 2^53 as text in a named query", async () => {
  const { folder } = shop;
  const file = makeDatabase(
    folder.at("large.db"),
    "CREATE TABLE t (id INTEGER); INSERT INTO t VALUES (9007199254740993), (9007199254740992)",
  );
  const queries = { same: { sql: "SELECT id, typeof(:id) FROM t WHERE id + 0 = :id", params: { id: { type: "integer" } } } };
  writeFileSync(folder.at("queries.json"), JSON.stringify({ databases: { large: { queries } } }));
  const databases = [{ name: "large", file, write: false }];
  const loaded = loadQueries({ file: folder.at("queries.json"), databases, toolsets: ["queries"], tools: [] });
  await using wired = await connectTo(createServer({ databases, queries: loaded.queries }).server);
  expect((await wired.client.call("same", { id: "9007199254740993" })).structuredContent).toMatchObject({
    rows: [["9007199254740993", "integer"]],
  });
  expect((await wired.client.call("same", { id: "12" })).isError).toBe(true);
});
