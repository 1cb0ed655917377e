// write_query, create_table and run_transaction: changes, replies and rollback. confirmation.test.ts has what the user confirms.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase, rowsOf } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const write = (query: string, more: Json = {}): Promise<Json> => shop.structured("write_query", { query, ...more });

test("write_query returns the number of changed rows and commits them", async () => {
  expect(await write("INSERT INTO orders (customer_id, total) VALUES (?, ?)", { params: [2, 5.5] })).toEqual({
    changes: 1,
    lastInsertRowid: 4,
    rolledBack: false,
  });
  expect(rowsOf(shop.file, "SELECT customer_id, total FROM orders WHERE id = 4")).toEqual([[2, 5.5]]);
  const result = await shop.call("write_query", { query: "UPDATE orders SET total = 6 WHERE id = 4" });
  expect(text(result)).toBe('[{"affected_rows":1}]');
  expect(result.structuredContent).toEqual({ changes: 1, lastInsertRowid: null, rolledBack: false });
  expect(await write("DELETE FROM orders WHERE id = 4")).toEqual({ changes: 1, lastInsertRowid: null, rolledBack: false });
});

test.each([
  "REPLACE INTO notes_of_mine VALUES (1, 'a')",
  "/* SELECT */ insert into notes_of_mine VALUES (2, 'b')",
  "-- why\nINSERT INTO notes_of_mine VALUES (3, 'c');",
  "WITH n AS (SELECT 4) INSERT INTO notes_of_mine SELECT *, 'd' FROM n",
  "INSERT INTO notes_of_mine SELECT 5, x.name FROM customers x JOIN customers y ON sqlite_version() > '3' WHERE x.id = 1 AND y.id = 1",
])("archived/REPLACE archived/comments deviation 'writes': write_query commits %s", async (query) => {
  await write("CREATE TABLE IF NOT EXISTS notes_of_mine (id INTEGER PRIMARY KEY, v)");
  const before = rowsOf(shop.file, "SELECT count(*) FROM notes_of_mine")[0] as [number];
  expect(await write(query)).toMatchObject({ changes: 1, rolledBack: false });
  expect(rowsOf(shop.file, "SELECT count(*) FROM notes_of_mine")).toEqual([[before[0] + 1]]);
});

test.each(["9223372036854775807", "-9223372036854775808", "9007199254740993"])("write_query returns the row id %s exactly", async (id) => {
  const statement = { query: "INSERT INTO orders (id, customer_id) VALUES (?, 1)", params: [{ integer: id }] };
  expect(await write(statement.query, { params: statement.params, dry_run: true })).toMatchObject({ lastInsertRowid: id });
  expect(await write(statement.query, { params: statement.params })).toMatchObject({ lastInsertRowid: id });
  expect(await write("DELETE FROM orders WHERE id = ? RETURNING id", { params: [{ integer: id }] })).toMatchObject({
    returning: { rows: [[id]] },
  });
  expect(await shop.structured("run_transaction", { statements: [statement], dry_run: true })).toMatchObject({
    results: [{ lastInsertRowid: id }],
  });
});

test("write_query runs a statement once, also if it returns large integers", async () => {
  await using other = await openShop({ sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER)" });
  const [n, more] = ["9007199254740993", "9007199254740995"];
  const structured = await other.structured("write_query", { query: `INSERT INTO t (n) VALUES (1), (${n}) RETURNING id, n` });
  expect(structured).toMatchObject({
    changes: 2,
    returning: {
      rows: [
        [1, 1],
        [2, n],
      ],
    },
  });
  const query = `UPDATE t SET n = n + 2 RETURNING n`;
  expect(await other.structured("run_transaction", { statements: [{ query }] })).toMatchObject({
    results: [{ rows: [[3], [more]], rowCount: 2, truncated: false }],
  });
  expect(await other.rows("SELECT id, n FROM t")).toEqual([
    [1, 3],
    [2, more],
  ]);
  expect(await other.structured("write_query", { query: "DELETE FROM t RETURNING n" })).toMatchObject({
    changes: 2,
    returning: { rows: [[3], [more]] },
  });
});

test("write_query reports a change whose returned rows do not fit into the reply", async () => {
  await using small = await openShop({ sql: "CREATE TABLE t (a, b, c, d)", maxResultBytes: 3000 });
  const statement = { query: "INSERT INTO t VALUES (?1, ?1, ?1, ?1) RETURNING *", params: ['"'.repeat(600)] };
  const result = await small.call("write_query", statement);
  expect(result.structuredContent).toMatchObject({ changes: 1, truncated: true, returning: { rows: [], rowCount: 0, truncated: true } });
  expect(text(result)).toContain("[truncated: 0 of 1 returned rows; the statement changed all of them]");
  const both = { statements: [statement, { query: "SELECT * FROM t" }] };
  expect(await small.structured("run_transaction", both)).toMatchObject({
    changes: 1,
    results: [
      { rows: [], truncated: true },
      { rows: [], truncated: true },
    ],
  });
  expect(rowsOf(small.file, "SELECT count(*) FROM t")).toEqual([[2]]);
});

test("uses the current columns after a change of the schema", async () => {
  await using other = await openShop({ sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2)" });
  const row = async (query: string): Promise<unknown> => JSON.parse(text(await other.call("read_query", { query })));
  expect(await row("SELECT * FROM t")).toEqual([{ a: 1, b: 2 }]);
  await other.structured("write_query", { query: "ALTER TABLE t ADD COLUMN c DEFAULT 3" });
  expect(await row("SELECT * FROM t WHERE true")).toEqual([{ a: 1, b: 2, c: 3 }]);
  await other.structured("write_query", { query: "ALTER TABLE t RENAME COLUMN a TO d" });
  expect(await row("SELECT * FROM t WHERE 1")).toEqual([{ d: 1, b: 2, c: 3 }]);
  {
    using third = openDatabase(other.file);
    third.exec("ALTER TABLE t ADD COLUMN e DEFAULT 4");
  }
  expect(await other.structured("write_query", { query: "UPDATE t SET b = 5 RETURNING *" })).toMatchObject({
    returning: { columns: [{ name: "d" }, { name: "b" }, { name: "c" }, { name: "e" }], rows: [[1, 5, 3, 4]] },
  });
});

test("write_query returns the rows of RETURNING", async () => {
  const result = await shop.call("write_query", {
    query: "INSERT INTO orders (id, total, customer_id) VALUES (50, 1, 1), (51, 2, 1) RETURNING id, total",
  });
  expect(result.structuredContent).toMatchObject({
    changes: 2,
    lastInsertRowid: 51,
    returning: {
      rows: [
        [50, 1],
        [51, 2],
      ],
      rowCount: 2,
    },
  });
  expect(JSON.parse(text(result))).toEqual([
    { id: 50, total: 1 },
    { id: 51, total: 2 },
  ]);
  expect(await write("DELETE FROM orders WHERE id >= 50 RETURNING id")).toMatchObject({ changes: 2, returning: { rows: [[50], [51]] } });
});

test("counts changes through foreign keys in a dry run and changes nothing", async () => {
  const result = await shop.call("write_query", { query: "DELETE FROM customers WHERE id = 1", dry_run: true });
  expect(result.structuredContent).toMatchObject({ changes: 1, alsoChanged: 2, lastInsertRowid: null, rolledBack: true });
  expect(text(result)).toContain("Dry run: DELETE would change 1 row");
  expect(await write("DROP TABLE customers", { dry_run: true })).toMatchObject({ rolledBack: true });
  expect(rowsOf(shop.file, "SELECT count(*) FROM customers")).toEqual([[3]]);
});

test("deviation 'foreign-keys': write_query enforces foreign keys", async () => {
  expect(await shop.failure("write_query", { query: "INSERT INTO orders (customer_id) VALUES (99)" })).toBe(
    "FOREIGN KEY constraint failed: orders (customer_id) refers to customers (id), and a row would refer to 99, which does not exist. Insert the row of customers first.",
  );
});

describe("an INSERT that fails halfway", () => {
  let other: Shop;
  beforeAll(async () => {
    other = await openShop({
      sql: "CREATE TABLE t (a UNIQUE); CREATE TABLE u (a UNIQUE ON CONFLICT FAIL); INSERT INTO t VALUES (3)",
    });
  });
  afterAll(() => other[Symbol.asyncDispose]());

  test.each([
    ["OR FAIL", "t"],
    ["OR ABORT", "t"],
    ["OR ROLLBACK", "t"],
    ["into a table with ON CONFLICT FAIL", "u"],
  ])("adds no row: %s", async (how, table) => {
    const query = `INSERT ${table === "t" ? how : ""} INTO ${table} VALUES (1), (2), (3), (3), (4)`;
    expect(await other.failure("write_query", { query })).toMatch(
      how.includes("FAIL") ? `UNIQUE constraint failed: ${table}.a` : /t\.a: 3, the row with rowid 1 has it already/,
    );
    expect(rowsOf(other.file, `SELECT count(*) FROM ${table} WHERE a <> 3`)).toEqual([[0]]);
  });
});

test("drops a failed change before the next one", async () => {
  expect(
    await shop.failure("write_query", { query: "INSERT INTO customers (name, email) VALUES ('x', 'x@x'), ('y', 'ada@example.org')" }),
  ).toContain('UNIQUE constraint failed: customers.email: "ada@example.org", the row with id 1 has it already.');
  expect(rowsOf(shop.file, "SELECT count(*) FROM customers")).toEqual([[3]]);
  expect(await write("INSERT INTO notes VALUES ('t', 'b')")).toMatchObject({ changes: 1 });
});

test("hides row id and count of changes of the call before", async () => {
  await write("INSERT INTO orders (id, customer_id) VALUES (77, 1)");
  expect(
    await write("UPDATE orders SET total = last_insert_rowid() + changes() + total_changes() WHERE id = 77 RETURNING total"),
  ).toMatchObject({ returning: { rows: [[0]] } });
  expect(
    await shop.structured("run_transaction", {
      statements: [{ query: "UPDATE orders SET total = last_insert_rowid() WHERE id = 77 RETURNING total" }],
    }),
  ).toMatchObject({ results: [{ rows: [[0]] }] });
  await write("DELETE FROM orders WHERE id = 77");
});

test("returns the row id of an inserted row as lastInsertRowid, else null", async () => {
  await write("CREATE TABLE pairs (a PRIMARY KEY, b) WITHOUT ROWID");
  expect(await write("INSERT INTO orders (id, customer_id) VALUES (88, 1)")).toMatchObject({ lastInsertRowid: 88 });
  expect(await write("INSERT INTO main.pairs VALUES (1, 2)")).toMatchObject({ changes: 1, lastInsertRowid: null });
  expect(await write("INSERT OR IGNORE INTO pairs VALUES (1, 2) RETURNING a")).toMatchObject({ changes: 0, lastInsertRowid: null });
  expect(await write("INSERT OR IGNORE INTO orders (id, customer_id) VALUES (88, 1)")).toMatchObject({ changes: 0, lastInsertRowid: null });
  expect(await write("INSERT INTO notes VALUES ('x', 'y')")).toMatchObject({ lastInsertRowid: expect.any(Number) });
  await write("DELETE FROM orders WHERE id = 88");
});

test("deviation 'create-table': create_table creates ordinary tables only", async () => {
  const query = "CREATE TABLE IF NOT EXISTS main.items (a INTEGER, b TEXT) STRICT";
  const result = await shop.call("create_table", { query });
  expect(text(result)).toBe("Table created successfully");
  expect(result.structuredContent).toEqual({ table: "items", sql: query });
  for (const other of [
    "CREATE INDEX i ON items(a)",
    "DROP TABLE items",
    "CREATE VIEW v AS SELECT 1",
    "CREATE VIRTUAL TABLE v USING fts5(a)",
  ])
    expect(await shop.failure("create_table", { query: other })).toContain("create_table takes one CREATE TABLE");
  await write("INSERT INTO items VALUES (1, 'x')");
});

describe("deviation 'one-statement'", () => {
  const refused: [string, string][] = [
    ["SELECT 1", "this statement only reads"],
    ["ATTACH 'x.db' AS x", "ATTACH is not allowed"],
    ["VACUUM INTO 'x.db'", "VACUUM is not allowed"],
    ["PRAGMA foreign_keys = OFF", "PRAGMA is not allowed"],
    ["BEGIN", "a transaction ends with its call"],
    ["CREATE TEMP TABLE t (a)", "Temporary objects are not allowed"],
    ["CREATE TABLE temp.t (a)", "Temporary objects are not allowed"],
    ["INSERT INTO notes_data VALUES (1, 2)", "notes_data belongs to a virtual table"],
    ["CREATE INDEX i ON 'notes_content' (c0)", "notes_content belongs to a virtual table"],
    ["UPDATE OR IGNORE sqlite_sequence SET seq = 1", "sqlite_sequence belongs to SQLite itself"],
    ["CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM main.sqlite_stat1; END", "sqlite_stat1 belongs to SQLite itself"],
    ["CREATE VIRTUAL TABLE v USING dbstat", "Invalid virtual table: expected one of the modules"],
    ["INSERT INTO orders (customer_id) VALUES (1); DELETE FROM orders", "Several statements"],
    ["CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END; DELETE FROM orders", "more than one statement"],
  ];
  test.each(refused)("write_query refuses %s", async (query, message) => {
    const before = rowsOf(shop.file, "SELECT * FROM orders");
    expect(await shop.failure("write_query", { query })).toContain(message);
    expect(rowsOf(shop.file, "SELECT * FROM orders")).toEqual(before);
  });
});

describe("run_transaction", () => {
  const run = (...queries: string[]): Json => ({ statements: queries.map((query) => ({ query })) });

  test("dbhub/order runs all statements in order", async () => {
    const structured = await shop.structured("run_transaction", {
      statements: [
        { query: "CREATE TABLE list (id INTEGER PRIMARY KEY, v)" },
        { query: "INSERT INTO list (v) VALUES (?)", params: ["a"] },
        { query: "INSERT INTO list (v) VALUES (last_insert_rowid()) RETURNING v" },
        { query: "SELECT count(*) AS n FROM list WHERE id < :most", params: { most: 9 } },
      ],
    });
    expect(structured).toMatchObject({
      changes: 2,
      rolledBack: false,
      results: [{ verb: "CREATE" }, { changes: 1, lastInsertRowid: 1 }, { rows: [[1]] }, { rows: [[2]] }],
    });
    expect(rowsOf(shop.file, "SELECT v FROM list")).toEqual([["a"], [1]]);
  });

  test("rolls back all statements if one fails, and names it", async () => {
    expect(await shop.failure("run_transaction", run("INSERT INTO list (v) VALUES (1)", "INSERT INTO lost VALUES (1)"))).toBe(
      "Statement 2: no such table: lost; did you mean list? All statements were rolled back.",
    );
    expect(rowsOf(shop.file, "SELECT count(*) FROM list")).toEqual([[2]]);
  });

  test("rolls back all statements of a dry run", async () => {
    expect(
      await shop.structured("run_transaction", { ...run("INSERT INTO list (v) VALUES (1)", "DROP TABLE items"), dry_run: true }),
    ).toMatchObject({ changes: 1, rolledBack: true });
    expect(rowsOf(shop.file, "SELECT (SELECT count(*) FROM list), (SELECT count(*) FROM items)")).toEqual([[2, 1]]);
  });

  test.each([["COMMIT"], ["ATTACH 'x' AS y"], ["PRAGMA foreign_keys = 0"], ["SELECT 1; SELECT 2"]])(
    "refuses %s and runs no statement",
    async (query) => {
      expect(await shop.failure("run_transaction", run("INSERT INTO list (v) VALUES (1)", query))).toContain("Nothing was done");
      expect(rowsOf(shop.file, "SELECT count(*) FROM list")).toEqual([[2]]);
    },
  );
});
