// The full list of tables: enough to write a query.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "@oarlock/server-kit/protocol";
import { openShop } from "../support/shop.ts";

const tablesOf = (structured: Json): Json[] => structured["tables"] as Json[];

test("list_tables names foreign keys and first rows with detail full only", async () => {
  await using shop = await openShop({
    sql: `CREATE TABLE a (id INTEGER PRIMARY KEY, price REAL, "text, long" TEXT, photo BLOB);
      CREATE TABLE b (x REFERENCES a, y, z, FOREIGN KEY (y, z) REFERENCES c (m, n)); CREATE TABLE c (m, n, UNIQUE (m, n));
      CREATE VIEW v AS SELECT x FROM b; CREATE VIRTUAL TABLE f USING fts5(body);
      INSERT INTO a VALUES (1, 1, '${"x".repeat(200)}', zeroblob(100)), (2, NULL, 'a, b', NULL), (3, 2.5, '', x'01'), (4, 1, 1, 1);
      INSERT INTO f VALUES ('words');`,
  });
  const [a, b, c, f, v] = tablesOf(await shop.structured("list_tables", { detail: "full" }));
  expect(a).toMatchObject({ name: "a", sample: [expect.stringMatching(/^1,1\.0,x{60}…,x'0{16}…'$/), '2,,"a, b",', `3,2.5,"",x'01'`] });
  expect(a).not.toHaveProperty("foreignKeys");
  expect(b).toMatchObject({ name: "b", foreignKeys: ["y, z → c(m, n)", "x → a"] });
  expect(f).toMatchObject({ sample: ["words"] });
  for (const table of [b, c, v]) expect(table).not.toHaveProperty("sample");
  for (const table of tablesOf(await shop.structured("list_tables"))) expect(Object.keys(table)).not.toContain("sample");
});

test("list_tables gives the texts of columns that repeat them with detail full", async () => {
  await using shop = await openShop({
    sql: `CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, note TEXT, mixed TEXT, one TEXT);
      INSERT INTO orders (status, note, mixed, one) VALUES ('open', 'a', 'x', NULL), ('paid', 'b', 'x', NULL), ('open', 'c', x'00', 'y'),
        (NULL, 'd', 'x', NULL), ('paid', 'e', 'x', NULL);`,
  });
  const [orders] = tablesOf(await shop.structured("list_tables", { detail: "full" }));
  expect(orders).toMatchObject({ values: { status: ["open", "paid"] } });
  expect(Object.keys(orders?.["values"] ?? {})).toEqual(["status"]);
});

test("list_tables reads no long value for its first rows", async () => {
  await using shop = await openShop({
    sql: "CREATE TABLE pictures (id INTEGER PRIMARY KEY, taken TEXT, picture); INSERT INTO pictures VALUES (1, 'May', zeroblob(300000)), (2, 'June', printf('%.*c', 70000, 'x'))",
  });
  // Only a read of the BLOB would notice that its pages are gone.
  const bytes = readFileSync(shop.file);
  bytes.fill(0xff, bytes.length - 250_000, bytes.length - 100_000);
  writeFileSync(shop.file, bytes);
  const [pictures] = tablesOf(await shop.structured("list_tables", { detail: "full" }));
  expect(pictures).toMatchObject({ sample: ["1,May,(blob of 300000 bytes)", "2,June,(text of 70000 bytes)"] });
});

test("list_tables leaves first rows out where tables are many", async () => {
  const sql = Array.from({ length: 31 }, (_, index) => `CREATE TABLE t${index} (a); INSERT INTO t${index} VALUES (1);`).join("");
  await using shop = await openShop({ sql });
  expect(tablesOf(await shop.structured("list_tables", { detail: "full" })).some((table) => "sample" in table)).toBe(false);
  expect(tablesOf(await shop.structured("list_tables", { detail: "full", pattern: "t3" }))[0]).toMatchObject({ name: "t3", sample: ["1"] });
});

test("list_tables leaves first rows out on the last page too", async () => {
  const sql = Array.from({ length: 40 }, (_, index) => `CREATE TABLE t${index} (a); INSERT INTO t${index} VALUES (1);`).join("");
  await using shop = await openShop({ sql });
  const { nextCursor } = await shop.structured("list_tables", { detail: "full", limit: 30 });
  const tables = tablesOf(await shop.structured("list_tables", { detail: "full", limit: 30, cursor: nextCursor ?? "" }));
  expect(tables.some((table) => "sample" in table)).toBe(false);
});
