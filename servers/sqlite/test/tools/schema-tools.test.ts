// list_tables, describe_table, explain_query, search_text, check_database, list_databases.
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDatabase, SHOP } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";
import { targetOf } from "../support/target.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `${SHOP} CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID, STRICT; CREATE TABLE "odd ""name" ("select" INT, "x y" AS ("select" + 1));`,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

describe("list_tables", () => {
  const names = async (args: Json): Promise<string[]> =>
    ((await shop.structured("list_tables", args))["tables"] as { name: string }[]).map(({ name }) => name);

  test("executeautomation/views lists tables, views and virtual tables without shadow tables", async () => {
    expect(await shop.structured("list_tables")).toEqual({
      tables: [
        { name: "customers", type: "table", columns: ["id", "name", "email", "photo"], rowEstimate: 3 },
        { name: "notes", type: "virtual", columns: ["title", "body"] },
        { name: 'odd "name', type: "table", columns: ["select", "x y"], rowEstimate: 0 },
        { name: "orders", type: "table", columns: ["id", "customer_id", "total", "placed"], rowEstimate: 3 },
        { name: "pairs", type: "table", columns: ["a", "b"], strict: true, withoutRowid: true },
        { name: "spending", type: "view", columns: ["name", "spent"] },
      ],
      truncated: false,
    });
  });

  const patterns: [Json, string[]][] = [
    [{ pattern: "ORD" }, ["orders"]],
    [{ pattern: "*s" }, ["customers", "notes", "orders", "pairs"]],
    [{ pattern: "?rders" }, ["orders"]],
    [{ pattern: "o*d*" }, ['odd "name', "orders"]],
    [{ pattern: "%" }, ["customers", "notes", 'odd "name', "orders", "pairs", "spending"]],
    [{ pattern: "none" }, []],
    [{ pattern: "s", include_views: false }, ["customers", "notes", "orders", "pairs"]],
  ];
  test.each(patterns)("finds tables by %j", async (args, wanted) => {
    expect(await names(args)).toEqual(wanted);
  });

  test("returns pages", async () => {
    const first = await shop.structured("list_tables", { limit: 4, detail: "names" });
    expect(first).toMatchObject({ tables: [{}, {}, {}, { name: "orders", type: "table" }], truncated: true });
    expect(await names({ limit: 4, detail: "names", cursor: first["nextCursor"] })).toEqual(["pairs", "spending"]);
    expect(await shop.failure("list_tables", { pattern: "x", cursor: first["nextCursor"] })).toContain(
      "Invalid cursor: it does not belong",
    );
  });

  test("returns CREATE statements with detail: full", async () => {
    const { tables } = await shop.structured("list_tables", { pattern: "orders", detail: "full" });
    expect(tables).toMatchObject([{ sql: expect.stringMatching(/^CREATE TABLE orders \(id INTEGER PRIMARY KEY/) }]);
  });

  test("truncates a table that is larger than a reply, and lists the others", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `c${index}_${"x".repeat(300)}`);
    await using other = await openShop({
      sql: `CREATE TABLE a (b /* ${"long ".repeat(20_000)} */); CREATE TABLE "b" (${names.join()}); CREATE TABLE c (d);`,
      maxResultBytes: 40_000,
    });
    const tables: Json[] = [];
    for (let cursor: unknown; tables.length < 10;) {
      const structured = await other.structured("list_tables", { detail: "full", ...(cursor !== undefined && { cursor }) });
      tables.push(...(structured["tables"] as Json[]));
      cursor = structured["nextCursor"];
      if (cursor === undefined) break;
    }
    expect(tables).toMatchObject([
      { name: "a", columns: ["b"], sql: expect.stringMatching(/long.*…$/s), truncated: true },
      { name: "b", sql: expect.stringMatching(/…$/), error: "It has 200 columns: their names are larger than a reply.", truncated: true },
      { name: "c", columns: ["d"], sql: "CREATE TABLE c (d)" },
    ]);
  });
});

describe("describe_table", () => {
  test("returns columns, foreign keys in both directions, indexes and rows", async () => {
    const structured = await shop.structured("describe_table", { table_name: "orders", sample_rows: 1 });
    expect(structured).toEqual({
      table: "orders",
      type: "table",
      columns: [
        { name: "id", type: "INTEGER", notNull: false, default: null, primaryKey: 1 },
        { name: "customer_id", type: "INTEGER", notNull: true, default: null, primaryKey: 0 },
        { name: "total", type: "REAL", notNull: false, default: null, primaryKey: 0 },
        { name: "placed", type: "TEXT", notNull: false, default: null, primaryKey: 0 },
      ],
      primaryKey: ["id"],
      foreignKeys: [{ columns: ["customer_id"], table: "customers", references: ["id"], onUpdate: "NO ACTION", onDelete: "CASCADE" }],
      referencedBy: [],
      indexes: [
        {
          name: "orders_by_customer",
          unique: false,
          columns: [{ name: "customer_id" }],
          sql: "CREATE INDEX orders_by_customer ON orders(customer_id)",
        },
      ],
      triggers: [],
      rowEstimate: 3,
      sql: expect.stringContaining("CREATE TABLE orders"),
      sample: { columns: expect.any(Array), rows: [[1, 1, 12.5, "2026-01-02"]], rowCount: 1, truncated: false, clipped: [] },
    });
    expect(await shop.structured("describe_table", { table_name: "customers" })).toMatchObject({
      referencedBy: [{ table: "orders", columns: ["customer_id"], references: ["id"] }],
      indexes: [{ unique: true, origin: "unique" }],
    });
  });

  test("accepts any name of a table or view", async () => {
    expect(await shop.structured("describe_table", { table_name: 'odd "name' })).toMatchObject({
      columns: [{ name: "select" }, { name: "x y", generated: "virtual" }],
    });
    expect(await shop.structured("describe_table", { table_name: "spending" })).toMatchObject({ type: "view" });
    expect(await shop.structured("describe_table", { table_name: "pairs" })).toMatchObject({
      primaryKey: ["a", "b"],
      strict: true,
      withoutRowid: true,
    });
  });

  test.each([
    ["oders", "No such table: oders; did you mean orders?"],
    ["orders; DROP TABLE orders", expect.stringMatching(/^No such table: orders; DROP TABLE orders/)],
    ["", "No such table: ; use list_tables to find its name."],
  ])("suggests a name for %j", async (table_name, message) => {
    expect(await shop.failure("describe_table", { table_name })).toEqual(message);
  });
});

test.each(["/* first */ EXPLAIN SELECT 1", "EXPLAIN /* the */ QUERY -- and\n PLAN SELECT * FROM orders", "; EXPLAIN QUERY PLAN SELECT 2;"])(
  "explain_query accepts a statement that begins with EXPLAIN: %j",
  async (query) => {
    expect(await shop.structured("explain_query", { query })).toMatchObject({ plan: [{ detail: expect.stringMatching(/^SCAN/) }] });
  },
);

test("explain_query truncates a long plan", async () => {
  const views = Array.from({ length: 13 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a FROM v${at} UNION ALL SELECT a FROM v${at};`);
  await using other = await openShop({ sql: `CREATE TABLE v0 (a); ${views.join("")}` });
  for (const [view, truncated] of [
    ["v8", undefined],
    ["v10", true],
    ["v13", true],
  ])
    expect(await other.structured("explain_query", { query: `SELECT * FROM ${view}` })).toMatchObject({
      plan: [{ detail: "COMPOUND QUERY" }],
      ...(truncated === true && { truncated }),
    });
});

test("explain_query lists full scans and suggests an index without running the statement", async () => {
  const result = await shop.call("explain_query", { query: "DELETE FROM customers WHERE name = ?" });
  expect(result.structuredContent).toMatchObject({
    plan: expect.arrayContaining([{ detail: "SCAN customers" }]),
    fullScans: ["customers"],
    suggestions: [
      {
        sql: 'CREATE INDEX "customers_name" ON "customers" ("name")',
        step: expect.stringMatching(/^SEARCH customers USING .*INDEX customers_name \(name=\?\)$/),
      },
    ],
  });
  expect(text(result)).toContain('Would help: CREATE INDEX "customers_name"');
  expect(await shop.rows("SELECT count(*) FROM customers")).toEqual([[3]]);
  expect(await shop.structured("explain_query", { query: "SELECT * FROM orders WHERE customer_id = 1" })).toMatchObject({
    fullScans: [],
    indexes: ["orders_by_customer"],
    suggestions: [],
  });
  expect(await shop.structured("explain_query", { query: "SELECT * FROM orders AS o ORDER BY o.total" })).toMatchObject({
    tempBTrees: ["USE TEMP B-TREE FOR ORDER BY"],
    suggestions: [{ sql: 'CREATE INDEX "orders_total" ON "orders" ("total")' }],
  });
  for (const query of ["PRAGMA user_version = 1", "ATTACH 'x' AS y", "SELECT 1; SELECT 2", "SELECT * FROM nowhere"])
    await shop.failure("explain_query", { query });
});

describe("search_text", () => {
  test("ranks matches in full-text tables and finds values in others", async () => {
    const { matches } = await shop.structured("search_text", { query: "Engine" });
    expect(matches).toEqual([
      { table: "notes", column: "body", rowid: 1, snippet: "The analytical engine weaves algebraic patterns", rank: expect.any(Number) },
    ]);
    expect(await shop.structured("search_text", { query: "GRACE" })).toEqual({
      matches: [{ table: "customers", column: "name", rowid: 2, snippet: "Grace" }],
      truncated: false,
    });
  });

  test("treats wildcards and quotes as plain characters", async () => {
    expect(await shop.structured("search_text", { query: "a_a%" })).toEqual({ matches: [], truncated: false });
    expect(await shop.structured("search_text", { query: "ada@example" })).toMatchObject({ matches: [{ column: "email" }] });
    expect(await shop.structured("search_text", { query: '"' })).toEqual({ matches: [], truncated: false });
  });

  test("searches only the named tables and lists those it did not finish", async () => {
    expect(await shop.structured("search_text", { query: "e", tables: ["orders"] })).toEqual({ matches: [], truncated: false });
    expect(await shop.structured("search_text", { query: "a", tables: ["customers"], limit: 1 })).toMatchObject({
      matches: [{ rowid: 1 }],
      truncated: true,
      unfinished: ["customers"],
    });
    expect(await shop.failure("search_text", { query: "a", tables: ["nowhere"] })).toContain("No such table: nowhere");
    expect(await shop.failure("search_text", { query: " " })).toBe("Invalid query: expected a text to find, got blanks.");
  });
});

test("check_database reports violations and suggestions", async () => {
  await using broken = await openShop({
    sql: `${SHOP} CREATE INDEX twice ON orders(customer_id); CREATE TABLE child (p REFERENCES customers(id)); PRAGMA foreign_keys = OFF; INSERT INTO child VALUES (99); ANALYZE;`,
  });
  expect(await broken.structured("check_database")).toMatchObject({
    ok: false,
    quick_check: ["ok"],
    foreign_keys: [{ table: "child", columns: ["p"], parent: "customers", rows: 1, values: [99], rowids: [1] }],
    indexes: { redundant: [{ index: "twice" }], missingForForeignKeys: [{ table: "child", columns: ["p"] }] },
    statistics: { analyzed: true },
    size: { pageSize: 4096, journalMode: "delete" },
  });
  expect(await shop.structured("check_database", { checks: ["integrity_check"] })).toEqual({ ok: true, integrity_check: ["ok"] });
});

test("list_databases is offered for several databases, and the argument database selects one", async () => {
  const other = makeDatabase(shop.folder.at("other.db"), "CREATE TABLE t (a); INSERT INTO t VALUES ('here')");
  await using wired = await connectTo(targetOf({ files: [shop.file, other], readOnly: true }));
  const names = (await Array.fromAsync(wired.client.tools())).map(({ name }) => name);
  expect(names).toContain("list_databases");
  expect(names).not.toContain("write_query");
  expect((await Array.fromAsync(shop.client.tools())).map(({ name }) => name)).not.toContain("list_databases");
  expect((await wired.client.call("list_databases")).structuredContent).toMatchObject({
    databases: [{ name: "shop", file: "shop.db", writable: false }, { name: "other" }],
  });
  expect(await wired.client.call("read_query", { query: "SELECT a FROM t", database: "other" })).toMatchObject({
    structuredContent: { rows: [["here"]] },
  });
  expect(text(await wired.client.call("read_query", { query: "SELECT 1" }))).toBe(
    "Several databases are served: pass one of shop, other as database.",
  );
  expect(text(await wired.client.call("read_query", { query: "SELECT 1", database: "othr" }))).toBe(
    "No such database: othr; did you mean other?",
  );
});

test("list_databases lists every database although the folder of one is inaccessible", async () => {
  const folder = shop.folder.at("closing");
  mkdirSync(folder);
  const file = makeDatabase(`${folder}/away.db`, "CREATE TABLE t (a)");
  await using wired = await connectTo(targetOf({ files: [shop.file, file] }));
  rmSync(folder, { recursive: true });
  // A link to itself fails like a folder without access.
  symlinkSync(folder, folder);
  expect((await wired.client.call("list_databases")).structuredContent).toMatchObject({
    databases: [
      { name: "shop", bytes: expect.any(Number) },
      { name: "away", bytes: null },
    ],
  });
});
