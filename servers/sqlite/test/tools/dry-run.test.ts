// The dry run of write_query shows the first rows before and after the change. The client's log names each change.
import { waitUntil } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SHOP } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
const logged: string[] = [];
beforeAll(async () => {
  shop = await openShop({
    sql: `${SHOP} CREATE TABLE pairs (a TEXT PRIMARY KEY, b INTEGER) WITHOUT ROWID; INSERT INTO pairs VALUES ('x', 9007199254740993), ('y', 2);
      CREATE TABLE four (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO four (v) VALUES ('v1'), ('v2'), ('v3'), ('v4');
      CREATE TABLE many (id INTEGER PRIMARY KEY, n INTEGER);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 50) INSERT INTO many SELECT i, i FROM c;`,
    connect: { revision: "2025-11-25", onLog: ({ level, data }) => logged.push(`${level}: ${String(data)}`) },
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  ["UPDATE orders SET total = total + ? WHERE id = 1", [1], [[1, 1, 12.5, "2026-01-02"]], [[1, 1, 13.5, "2026-01-02"]]],
  ["DELETE FROM orders WHERE customer_id = ?", [2], [[3, 2, 100, "2026-03-04"]], []],
  ["INSERT INTO orders VALUES (?, 1, 5, 'now')", [9], [], [[9, 1, 5, "now"]]],
  ["REPLACE INTO orders VALUES (1, 2, ?, 'now')", [5], [[1, 1, 12.5, "2026-01-02"]], [[1, 2, 5, "now"]]],
  ["UPDATE pairs SET b = b - 1 WHERE a = ?", ["x"], [["x", "9007199254740993"]], [["x", "9007199254740992"]]],
])("shows rows before and after in a dry run of %s", async (query, params, before, after) => {
  const result = await shop.call("write_query", { query, params, dry_run: true });
  expect(result.structuredContent).toMatchObject({ changes: 1, rolledBack: true, preview: { before, after, truncated: false } });
  for (const title of ["Before", "After"])
    expect(text(result).includes(`${title}: {`)).toBe((title === "Before" ? before : after).length > 0);
});

test("shows five rows at most in a dry run and changes nothing", async () => {
  const { preview } = await shop.structured("write_query", { query: "UPDATE many SET n = 0", dry_run: true });
  expect(preview).toMatchObject({ truncated: true });
  const { before, after } = preview as { before: unknown[]; after: unknown[] };
  expect([before.length, after.length]).toEqual([5, 5]);
  expect(await shop.rows("SELECT sum(n) FROM many")).toEqual([[1275]]);
});

test.each(["CREATE TABLE other (a)", "UPDATE many SET n = 1 WHERE id = 1 RETURNING n", "INSERT INTO notes VALUES ('a', 'b')"])(
  "shows no preview in a dry run of %s",
  async (query) => {
    expect(await shop.structured("write_query", { query, dry_run: true })).not.toHaveProperty("preview");
  },
);

test("names each change and no dry run in the client's log", async () => {
  await shop.call("write_query", { query: "UPDATE many SET n = 5 WHERE id = 1" });
  await shop.call("run_transaction", { statements: [{ query: "DELETE FROM many WHERE id = 2" }] });
  await waitUntil(
    () => logged.length,
    (count) => count >= 2,
  );
  expect(logged).toEqual(["info: Database shop changed by UPDATE: 1 row.", "info: Database shop changed by transaction: 1 row."]);
});

test("run_transaction shows rows before and after, and those of foreign keys", async () => {
  const statements = [{ query: "UPDATE orders SET total = 1 WHERE id = 1" }, { query: "DELETE FROM customers WHERE id = 2" }];
  const result = await shop.call("run_transaction", { statements, dry_run: true });
  expect(result.structuredContent).toMatchObject({
    rolledBack: true,
    results: [
      { preview: { table: "orders", before: [[1, 1, 12.5, "2026-01-02"]], after: [[1, 1, 1, "2026-01-02"]] } },
      { preview: { table: "customers", after: [] }, otherPreviews: [{ table: "orders", before: [[3, 2, 100, "2026-03-04"]], after: [] }] },
    ],
  });
  expect(text(result)).toContain('Statement 1\nBefore: {"id":1,"customer_id":1,"total":12.5,"placed":"2026-01-02"}\nAfter: {"id":1');
  expect(text(result)).toContain('Statement 2\nBefore in "orders": {"id":3');
  expect(await shop.rows("SELECT count(*) FROM orders")).toEqual([[3]]);
});

test("counts added and updated rows, and shows an updated row before and after together", async () => {
  await using own = await openShop({ sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, n); INSERT INTO t VALUES (1, 'a'), (2, 'b')" });
  const query = "INSERT INTO t VALUES (1, 'x'), (8, 'y'), (2, 'z'), (9, 'q') ON CONFLICT (id) DO UPDATE SET n = excluded.n";
  expect(
    text(await own.call("write_query", { query, dry_run: true }))
      .split("\n")
      .slice(-7),
  ).toEqual([
    "2 added, 2 updated",
    'Before: {"id":1,"n":"a"}',
    'After: {"id":1,"n":"x"}',
    'Before: {"id":2,"n":"b"}',
    'After: {"id":2,"n":"z"}',
    'After: {"id":8,"n":"y"}',
    'After: {"id":9,"n":"q"}',
  ]);
  const filling = "WITH RECURSIVE c(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM c WHERE i < 30) INSERT INTO t SELECT i, i FROM c";
  const statements = [{ query: filling }, { query: "CREATE TABLE kept AS SELECT * FROM t" }, { query: "DELETE FROM t" }];
  const lines = text(await own.call("run_transaction", { statements, dry_run: true }));
  expect(lines).toContain("The table kept would be created with 23 rows.");
  expect(lines).toContain("[truncated: 5 of 21 rows]");
  expect(lines).toContain("[truncated: 5 of 23 rows; a SELECT with the same WHERE shows all]");
});

test("shows the rows that new columns and CREATE TABLE AS would give", async () => {
  const added = text(await shop.call("write_query", { query: "ALTER TABLE four ADD COLUMN kind TEXT DEFAULT 'new'", dry_run: true }));
  expect(added.split("\n")).toEqual([
    "Dry run: The column kind of four would be added. Nothing was changed.",
    ...[1, 2, 3].map((id) => `After: {"id":${id},"v":"v${id}","kind":"new"}`),
    "[truncated: the first 3 rows of the table]",
  ]);
  const copied = text(
    await shop.call("write_query", { query: "CREATE TABLE copy AS SELECT a, b * 2 AS double FROM pairs WHERE b = 2", dry_run: true }),
  );
  expect(copied).toContain('created with 1 row. Nothing was changed.\nAfter: {"a":"y","double":4}');
  for (const query of [
    "CREATE TABLE IF NOT EXISTS pairs AS SELECT 1",
    "ALTER TABLE pairs RENAME TO others",
    "CREATE INDEX pairs_b ON pairs (b)",
  ])
    expect(await shop.structured("write_query", { query, dry_run: true })).not.toHaveProperty("preview");
});

test("run_transaction shows rows in the order of its statements", async () => {
  const statements = [
    { query: "ALTER TABLE pairs ADD COLUMN c DEFAULT 1" },
    { query: "UPDATE pairs SET c = 2 WHERE a = 'y'" },
    { query: "SELECT c FROM pairs" },
    { query: "DELETE FROM pairs WHERE a = 'y'" },
    { query: "SELECT count(*) AS n FROM pairs" },
  ];
  const [summary, ...lines] = text(await shop.call("run_transaction", { statements, dry_run: true })).split("\n");
  expect(summary).toContain("5 statements");
  expect(lines).toEqual([
    ...["Statement 1", 'After: {"a":"x","b":"9007199254740993","c":1}', 'After: {"a":"y","b":2,"c":1}'],
    ...["Statement 2", 'Before: {"a":"y","b":2,"c":1}', 'After: {"a":"y","b":2,"c":2}'],
    ...["Statement 3:", '[{"c":1},{"c":2}]'],
    ...["Statement 4", 'Before: {"a":"y","b":2,"c":2}'],
    ...["Statement 5:", '[{"n":1}]'],
  ]);
});

describe("rows that an UPDATE leaves as they are", () => {
  const sql = `CREATE TABLE people (id INTEGER PRIMARY KEY, email TEXT, photo BLOB);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20) INSERT INTO people SELECT i, iif(i % 10, 'e' || i, ' E' || i), x'01' FROM c`;

  test("are counted, and those that change are shown", async () => {
    await using own = await openShop({ sql });
    const query = "UPDATE people SET email = lower(trim(email))";
    const result = await own.call("write_query", { query, dry_run: true });
    expect(text(result).split("\n").slice(1)).toEqual([
      "18 of 20 rows of people would stay as they are.",
      ...['Before: {"id":10,"email":" E10"', 'After: {"id":10,"email":"e10"'].map((line) => expect.stringContaining(line)),
      ...['Before: {"id":20,"email":" E20"', 'After: {"id":20,"email":"e20"'].map((line) => expect.stringContaining(line)),
    ]);
    expect(result.structuredContent).toMatchObject({ changes: 20, preview: { updated: 20, unchanged: 18, truncated: false } });
    expect(text(await own.call("run_transaction", { statements: [{ query }], dry_run: true }))).toContain("18 of 20 rows of people");
  });

  test("are counted where nothing else changes", async () => {
    await using own = await openShop({ sql });
    const textOf = async (query: string) => text(await own.call("write_query", { query, dry_run: true }));
    expect(await textOf("UPDATE people SET photo = x'01' WHERE id < 4")).toMatch(/\nAll 3 rows of people would stay as they are\.$/);
    expect(await textOf("UPDATE people SET id = id WHERE id = 4")).toMatch(/\nThe row of people would stay as it is\.$/);
    expect(await textOf("UPDATE people SET photo = x'02' WHERE id = 4")).not.toContain("would stay");
  });
});
