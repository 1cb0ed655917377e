// What replies tell beside rows: ids of new rows, and which values are cut.
import type { Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "./support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop[Symbol.asyncDispose]());

const write = (query: string, more: Json = {}): Promise<Json> => shop.told("write_query", { query, ...more });

test("a row that is updated in the place of an insert has no new row id, whatever was inserted before", async () => {
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
  expect(await shop.told("run_transaction", { statements })).toMatchObject({
    results: [{ lastInsertRowid: null }, { lastInsertRowid: 8 }, { lastInsertRowid: null }],
  });
  await write("DELETE FROM orders WHERE id = 91");
});

test("what a full-text table is told to do inserts no row", async () => {
  await write("CREATE VIRTUAL TABLE words USING fts5(word)");
  expect(await write("INSERT INTO words VALUES ('x'), ('y')")).toMatchObject({ lastInsertRowid: 2 });
  expect(await write("INSERT INTO words (words) VALUES ('rebuild')")).toMatchObject({ lastInsertRowid: null });
});

test("S6 values that do not come whole are named, and the text says so, wherever rows are told", async () => {
  await write("CREATE TABLE long (v)");
  const query = `INSERT INTO long VALUES ('${"x".repeat(300_000)}') RETURNING v`;
  const clipped = [{ row: 0, column: "v", length: 300_000 }];
  const returned = await shop.call("write_query", { query });
  expect(returned.structuredContent).toMatchObject({ returning: { clipped } });
  const described = await shop.call("describe_table", { table_name: "long", sample_rows: 1 });
  expect(described.structuredContent).toMatchObject({ sample: { clipped } });
  for (const result of [returned, described]) expect(text(result)).toContain("[1 values are cut; see clipped]");
  const statements = [{ query: "SELECT v FROM long" }, { query: "UPDATE long SET v = v RETURNING v" }, { query: "SELECT 1" }];
  const { results } = (await shop.told("run_transaction", { statements })) as { results: { rows: object }[] };
  for (const at of [0, 1]) expect(results[at]?.rows).toMatchObject({ clipped });
  expect(results[2]?.rows).not.toHaveProperty("clipped");
});
