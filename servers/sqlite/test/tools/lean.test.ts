// --lean: rows are only in the text of a reply, and tools have no output schema.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ lean: true });
});
afterAll(() => shop[Symbol.asyncDispose]());

test.each([
  [
    "read_query",
    { query: "SELECT name FROM customers", limit: 2 },
    ["rows", "columns"],
    { rowCount: 2, nextCursor: expect.any(String) },
    "Grace",
  ],
  ["write_query", { query: "UPDATE orders SET total = 1 RETURNING id" }, ["returning"], { changes: 3 }, '"id":3'],
  ["list_tables", {}, ["tables"], { truncated: false }, "customers"],
  ["describe_table", { table_name: "orders" }, ["columns", "foreignKeys", "sql"], { table: "orders" }, "customer_id"],
  ["search_text", { query: "ada" }, ["matches"], { truncated: false }, '"snippet":"Ada"'],
  ["explain_query", { query: "SELECT * FROM orders" }, ["plan"], { fullScans: ["orders"] }, "SCAN orders"],
])("%s returns rows only in its text", async (tool, args, left, kept, inText) => {
  const result = await shop.call(tool, args);
  expect(Object.keys(result.structuredContent ?? {}).filter((name) => left.includes(name))).toEqual([]);
  expect(result.structuredContent).toMatchObject(kept);
  expect(text(result)).toContain(inText);
});

test("lists no output schema", async () => {
  const tools = await Array.fromAsync(shop.client.tools());
  expect(tools.length).toBeGreaterThan(8);
  expect(tools.filter(({ outputSchema }) => outputSchema !== undefined)).toEqual([]);
});
