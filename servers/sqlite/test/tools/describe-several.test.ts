// describe_table of several tables: one call, in few words.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

test("describes a table by its statements and what they do not say", async () => {
  expect(text(await shop.call("describe_table", { table_name: "customers", sample_rows: 1 }))).toBe(
    [
      '"customers": table, about 3 rows',
      "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, photo BLOB)",
      "Referenced by orders(customer_id)",
      '[{"id":1,"name":"Ada","email":"ada@example.org","photo":{"bytes":3,"base64":"AQL/"}}]',
    ].join("\n"),
  );
  expect(text(await shop.call("describe_table", { table_name: "spending" }))).toMatch(/\nColumns: name TEXT, spent$/);
});

test("describes several tables in one call", async () => {
  const reply = await shop.call("describe_table", { table_name: "orders, CUSTOMERS,spending", sample_rows: 1 });
  const { table, further, sample } = reply.structuredContent as Json & { further: Json[] };
  expect([table, ...further.map((one) => one["table"])]).toEqual(["orders", "customers", "spending"]);
  for (const one of [sample, ...further.map((description) => description["sample"])]) expect(one).toMatchObject({ rowCount: 1 });
  expect(text(reply)).toMatch(/^"orders".*\n"customers".*\n"spending"/s);
  expect(await shop.failure("describe_table", { table_name: "orders, custmers" })).toBe("No such table: custmers; did you mean customers?");
});

test("takes a name with a comma as one table", async () => {
  await using other = await openShop({ sql: 'CREATE TABLE "a, b" (x); CREATE TABLE a (y); CREATE TABLE b (z);' });
  expect(await other.structured("describe_table", { table_name: "a, b" })).toMatchObject({ table: "a, b", columns: [{ name: "x" }] });
});

test("describes every table in at most three times the bytes of the list", async () => {
  const tables = Array.from(
    { length: 20 },
    (_, index) =>
      `CREATE TABLE table_${index} (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES table_0(id), name VARCHAR(40) NOT NULL DEFAULT '', price REAL CHECK (price >= 0), created_at TEXT); CREATE INDEX i_${index} ON table_${index} (customer_id);`,
  );
  await using other = await openShop({ sql: tables.join("") });
  const list = text(await other.call("list_tables"));
  const table_name = tables.map((_, index) => `table_${index}`).join(",");
  const descriptions = text(await other.call("describe_table", { table_name }));
  expect(Buffer.byteLength(descriptions) / Buffer.byteLength(list)).toBeLessThan(3);
});

test("describes many wide tables within the room of a reply", async () => {
  const columns = Array.from({ length: 100 }, (_, index) => `${"long_name_of_a_column_".repeat(3)}${index} TEXT`).join(", ");
  const names = Array.from({ length: 50 }, (_, index) => `wide_${index}`);
  await using other = await openShop({ sql: names.map((name) => `CREATE TABLE ${name} (${columns});`).join("") });
  const reply = await other.call("describe_table", { table_name: names.join(",") });
  expect(Buffer.byteLength(text(reply))).toBeLessThan(64_000);
  expect(text(reply)).toContain("[truncated: the table has more than fits in a reply]");
});
