// Virtual tables whose names make SQLite take a user's tables for their own (L4).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { openShop, type Shop } from "../support/shop.ts";

const SCHEMA = `
  CREATE TABLE sales_stat (day, total); INSERT INTO sales_stat VALUES ('Mon', 1), ('Tue', 2), ('Wed', 3);
  CREATE TABLE sales_docsize (a); INSERT INTO sales_docsize VALUES (1);
  CREATE TABLE orders_content (a); INSERT INTO orders_content VALUES (1);
  CREATE TABLE Maps_Node (a);
  CREATE VIEW views_config AS SELECT 1;
  CREATE VIRTUAL TABLE words USING fts5(word); INSERT INTO words VALUES ('oar');
  CREATE VIRTUAL TABLE terms USING fts3(term); INSERT INTO terms VALUES ('oar');
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
`;
/** As another program may have left it. */
const TAKEN = `${SCHEMA} CREATE VIRTUAL TABLE sales USING fts3(a); CREATE VIRTUAL TABLE orders USING fts5(a, content='');
  CREATE TABLE bought (a); CREATE TRIGGER bought_words AFTER INSERT ON bought BEGIN INSERT INTO sales (sales) VALUES ('rebuild'); END;`;

const STATE = "SELECT (SELECT count(*) FROM sales_stat), (SELECT count(*) FROM sales_docsize), (SELECT count(*) FROM orders_content)";

describe("a name that would take a user's table", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ sql: SCHEMA, allowDestructive: true });
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test.each([
    ["CREATE VIRTUAL TABLE sales USING fts3(a)", "sales_docsize, sales_stat"],
    ['CREATE VIRTUAL TABLE IF NOT EXISTS main."Sales" USING FTS4(a)', "sales_docsize, sales_stat"],
    ["CREATE VIRTUAL TABLE orders USING fts5(a, content='')", "orders_content"],
    ["CREATE VIRTUAL TABLE [orders] USING fts5(a)", "orders_content"],
    ["CREATE VIRTUAL TABLE maps USING rtree(id, x0, x1)", "Maps_Node"],
    ["CREATE VIRTUAL TABLE views USING fts5(a)", "views_config"],
    ["ALTER TABLE terms RENAME TO sales", "sales_docsize, sales_stat"],
    ["ALTER TABLE main.words RENAME TO 'orders'", "orders_content"],
    ["ALTER TABLE boxes RENAME TO MAPS", "Maps_Node"],
  ])("is refused by %s, naming %s", async (query, names) => {
    expect(await shop.failure("write_query", { query })).toContain(names);
    expect(await shop.failure("run_transaction", { statements: [{ query }] })).toContain(names);
    expect(rowsOf(shop.file, STATE)).toEqual([[3, 1, 1]]);
  });

  test.each([
    ["CREATE VIRTUAL TABLE sales USING rtree(id, x0, x1)"],
    ["CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(word)"],
    ["ALTER TABLE words RENAME TO phrases"],
    ["ALTER TABLE orders_content RENAME TO other_content"],
  ])("is allowed by %s", async (query) => {
    await shop.call("write_query", { query, dry_run: true });
  });
});

describe("a table that a virtual table has taken over", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ sql: TAKEN });
  });
  afterAll(() => shop[Symbol.asyncDispose]());
  test.each([
    ["INSERT INTO sales (sales) VALUES ('rebuild')", "INSERT would remove 3 rows of the table sales_stat from shop: "],
    ["INSERT INTO bought VALUES (1)", "3 rows of the table sales_stat"],
    ["DROP TABLE sales", "DROP would remove the table sales, the table sales_content (0 rows), the table sales_docsize (1 row), "],
    ["DROP TABLE sales", "the table sales_stat (3 rows) from"],
    ["ALTER TABLE sales RENAME TO moved", "the table sales_stat (3 rows)"],
    ["DROP TABLE words", "DROP would remove the table words, the table words_config (1 row), the table words_content (1 row), "],
  ])("appears in the confirmation of %s: %s", async (query, part) => {
    expect(await shop.failure("write_query", { query })).toContain(part);
    const failure = await shop.failure("run_transaction", { statements: [{ query }] });
    expect(failure).toContain(part.replace(/^(?:INSERT|DROP)/, "The transaction"));
    expect(rowsOf(shop.file, STATE)).toEqual([[3, 1, 1]]);
  });

  test("is listed, read and copied, and its change names the virtual table", async () => {
    const { tables } = (await shop.structured("list_tables", {})) as { tables: { name: string }[] };
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["orders_content", "sales_stat"]));
    expect(tables.map(({ name }) => name)).not.toContain("orders_data");
    for (const query of ["INSERT INTO orders_content VALUES (2)", "DROP TABLE orders_content", "ALTER TABLE orders_content RENAME TO x"])
      expect(await shop.failure("write_query", { query })).toContain("virtual table orders");
    await shop.call("write_query", { query: "CREATE TABLE copy AS SELECT * FROM orders_content" });
  });

  test("needs no confirmation when the virtual table leaves it alone, and can be changed once that is renamed", async () => {
    await using own = await openShop({ sql: TAKEN });
    for (const query of [
      "INSERT INTO words VALUES ('row')",
      "INSERT INTO words (words) VALUES ('rebuild')",
      "ALTER TABLE words RENAME TO orders_terms",
      "ALTER TABLE orders RENAME TO orders_words",
      "INSERT INTO orders_content VALUES (2)",
    ])
      await own.call("write_query", { query });
  });
});
