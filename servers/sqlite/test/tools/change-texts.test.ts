// The texts about a change name what it does besides the rows of its statement: other tables, the schema, objects that break.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

const N = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)";
const SCHEMA = `
  CREATE TABLE products (id INTEGER PRIMARY KEY, title TEXT, note TEXT, price_cents INTEGER);
  CREATE VIRTUAL TABLE products_fts USING fts5(title, note, content='products', content_rowid='id');
  CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT);
  CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE, product INTEGER);
  CREATE TABLE archive (id INTEGER PRIMARY KEY, status TEXT);
  CREATE TABLE audit (what TEXT);
  CREATE TABLE audit_words (word TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE VIRTUAL TABLE audit_fts USING fts5(what);
  CREATE VIEW open_orders AS SELECT orders.id FROM orders WHERE status = 'open';
  CREATE TRIGGER order_deleted AFTER DELETE ON orders BEGIN
    INSERT INTO audit VALUES ('order ' || old.id);
    INSERT INTO audit_fts VALUES ('order ' || old.id);
  END;
  CREATE TABLE reviews (id INTEGER PRIMARY KEY, product_id INTEGER REFERENCES products, author TEXT REFERENCES authors (name));
  CREATE TABLE authors (name TEXT PRIMARY KEY);
  CREATE TABLE strict_reviews (id INTEGER PRIMARY KEY, author TEXT REFERENCES authors (name) ON DELETE RESTRICT);
  CREATE TABLE late (id INTEGER PRIMARY KEY, product_id INTEGER REFERENCES products DEFERRABLE INITIALLY DEFERRED);
  INSERT INTO products VALUES (1, 'waterproof lamp', 'for rainy days', 1200), (2, 'rain-proof tent', 'green', 9900);
  INSERT INTO products_fts (products_fts) VALUES ('rebuild');
  ${N} INSERT INTO orders SELECT i, 'open' FROM n;
  ${N} INSERT INTO order_items SELECT i, i, 1 FROM n;
  INSERT INTO authors VALUES ('Ada'), ('Bo');
  INSERT INTO reviews VALUES (1, 1, 'Ada');
  INSERT INTO strict_reviews VALUES (1, 'Bo');
`;

/** Refuses or only looks, so that its content stays. */
let shared: Shop;
beforeAll(async () => {
  shared = await openShop({ sql: SCHEMA });
});
afterAll(() => shared[Symbol.asyncDispose]());

describe("a change that triggers and foreign keys extend to other tables", () => {
  const query = "DELETE FROM orders WHERE id <= 120";
  const TABLES = [
    { table: "audit", changes: 120 },
    { table: "order_items", changes: 120 },
  ];
  const byName = (one: { table: string }, other: { table: string }): number => (one.table < other.table ? -1 : 1);

  test("is refused with the names of these tables", async () => {
    const single = await shared.failure("write_query", { query });
    expect(single).toMatch(/Triggers and foreign keys would change .*order_items \(120 rows\)/);
    expect(single).toContain("audit (120 rows)");
    const statements = [{ query: `INSERT INTO archive SELECT * FROM orders WHERE id <= 120` }, { query }];
    expect(await shared.failure("run_transaction", { statements })).toContain("order_items (120 rows)");
    expect(rowsOf(shared.file, "SELECT count(*) FROM order_items")).toEqual([[150]]);
  });

  test("names them with their rows in reply and dry run, without the rows that keep a full-text index", async () => {
    await using shop = await openShop({ sql: SCHEMA, allowDestructive: true });
    const dry = await shop.call("write_query", { query, dry_run: true });
    expect(text(dry)).toContain("Dry run: DELETE would change 120 rows, and triggers and foreign keys 240 more rows (");
    const result = await shop.call("write_query", { query });
    expect(text(result)).toContain("120 of order_items");
    const { alsoChanged, alsoChangedTables } = result.structuredContent as { alsoChanged: number; alsoChangedTables: { table: string }[] };
    expect([alsoChanged, alsoChangedTables.toSorted(byName)]).toEqual([240, TABLES]);
  });

  test("gives the same count in the parts of a transaction's summary", async () => {
    await using shop = await openShop({ sql: SCHEMA, allowDestructive: true });
    const statements = [{ query: `INSERT INTO archive SELECT * FROM orders WHERE id <= 9` }, { query: "DELETE FROM orders WHERE id <= 9" }];
    const result = await shop.call("run_transaction", { statements });
    expect(text(result)).toMatch(/^2 statements, 18 rows changed \(INSERT 9, DELETE 9\), and triggers and foreign keys 18 more rows \(/);
    expect(text(result)).toContain("9 of order_items");
  });

  test("names the table of an import's trigger", async () => {
    const trigger = "CREATE TRIGGER archived AFTER INSERT ON archive BEGIN DELETE FROM order_items WHERE id = new.id; END;";
    await using shop = await openShop({ sql: `${SCHEMA} ${trigger}` });
    const write = (count: number): void =>
      writeFileSync(shop.folder.at("a.csv"), ["id,status", ...Array.from({ length: count }, (_, at) => `${at + 1},x`), ""].join("\n"));
    write(120);
    const args = { path: "a.csv", table: "archive" };
    expect(await shop.failure("import_csv", args)).toContain("Triggers and foreign keys would change order_items (120 rows).");
    write(2);
    expect(text(await shop.call("import_csv", args))).toBe(
      "Imported 2 rows into archive, and triggers and foreign keys 2 more rows of order_items\nRead as utf-8, separated by comma. Columns: id INTEGER, status TEXT.",
    );
  });

  test("counts the rows of a table WITHOUT ROWID", async () => {
    const trigger =
      "CREATE TRIGGER words AFTER INSERT ON archive BEGIN INSERT INTO audit_words VALUES (new.status); INSERT INTO audit VALUES (1); END;";
    await using shop = await openShop({ sql: `${SCHEMA} ${trigger}` });
    const reply = text(await shop.call("write_query", { query: "INSERT INTO archive VALUES (1, 'one')" }));
    expect(reply).toContain("1 of audit_words");
    expect(reply).toContain("1 of audit, ");
  });
});

describe("a change of the schema", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ sql: SCHEMA, allowDestructive: true });
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test.each([
    ["CREATE TABLE made (a)", "The table made was created."],
    ["CREATE TABLE IF NOT EXISTS made (a)", "The schema has not changed: the table made exists already."],
    ["ALTER TABLE main.made ADD b TEXT", "The column b of made was added."],
    ["ALTER TABLE made RENAME COLUMN b TO c", "The column b of made was renamed to c."],
    ["ALTER TABLE made DROP c", "The column c of made was dropped."],
    ["ALTER TABLE made RENAME TO other", "The table made was renamed to other."],
    ["CREATE UNIQUE INDEX by_a ON other (a)", "The index by_a was created."],
    ["DROP INDEX by_a", "The index by_a was dropped. To create it again: CREATE UNIQUE INDEX by_a ON other (a);"],
    ["DROP TABLE IF EXISTS missing", "The schema has not changed: the table missing does not exist."],
    ["DROP TABLE other", 'The table other was dropped. To create it again: CREATE TABLE "other" (a);'],
  ])("names in %s: %s", async (query, expected) => {
    const dry = text(await shop.call("write_query", { query, dry_run: true }));
    expect(dry).toBe(
      `Dry run: ${expected.replace("has not changed", "would not change").replace("was ", "would be ")} Nothing was changed.`,
    );
    const result = await shop.call("write_query", { query });
    expect(text(result)).toBe(expected);
    expect(result.structuredContent).toMatchObject({ changes: 0, schemaChanged: expected.includes(" was ") });
  });

  test("appears in the summary of a transaction", async () => {
    const statements = [{ query: "CREATE TABLE one (a)" }, { query: "INSERT INTO one VALUES (1)" }];
    expect(text(await shop.call("run_transaction", { statements }))).toBe("2 statements, 1 row changed. The table one was created.");
  });
});

describe("objects that a change of the schema breaks", () => {
  describe("that the user must confirm", () => {
    let shop: Shop;
    beforeAll(async () => {
      shop = await openShop({ sql: SCHEMA.replace("INSERT INTO reviews VALUES (1, 1, 'Ada');", "") });
    });
    afterAll(() => shop[Symbol.asyncDispose]());

    test.each([
      ["ALTER TABLE products DROP COLUMN note", "the full-text table products_fts, which reads the column note of products"],
      ["DROP TABLE orders", "the view open_orders, the foreign key of order_items"],
      ["DROP TABLE products", "the full-text table products_fts, which reads the table products"],
    ])("appear in the confirmation of %s", async (query, objects) => {
      expect(await shop.failure("write_query", { query })).toContain(objects);
      expect(await shop.failure("run_transaction", { statements: [{ query }] })).toContain(objects);
    });
  });

  test.each([
    ["ALTER TABLE products RENAME COLUMN title TO name", "the full-text table products_fts, which reads the column title of products"],
    ["ALTER TABLE products RENAME TO goods", "the full-text table products_fts, which reads the table products"],
  ])("appear in the reply to %s", async (query, objects) => {
    await using shop = await openShop({ sql: SCHEMA });
    expect(text(await shop.call("write_query", { query, dry_run: true }))).toContain(`What would not work: ${objects}.`);
    const result = await shop.call("write_query", { query });
    expect(text(result)).toContain(`What does not work now: ${objects}.`);
    expect(result.structuredContent).toMatchObject({ broken: [objects] });
  });

  test("are left out when the same transaction creates them again", async () => {
    await using shop = await openShop({ sql: SCHEMA, allowDestructive: true });
    const statements = [
      "ALTER TABLE products RENAME COLUMN title TO name",
      "DROP TABLE products_fts",
      "CREATE VIRTUAL TABLE products_fts USING fts5(name, content='products', content_rowid='id')",
    ].map((query) => ({ query }));
    expect(text(await shop.call("run_transaction", { statements }))).not.toContain("no longer");
  });

  test("need no confirmation when the statement itself fails", async () => {
    await using shop = await openShop({ sql: `${SCHEMA} CREATE INDEX by_note ON products (note);` });
    const message = await shop.failure("write_query", { query: "ALTER TABLE products DROP COLUMN note" });
    expect(message).toContain("by_note");
    expect(message).not.toContain("must confirm");
  });
});

describe("a foreign key that fails", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ sql: SCHEMA, allowDestructive: true });
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test.each([
    ["INSERT INTO reviews VALUES (5, 99, 'Ada')", "reviews (product_id) refers to products (id), and"],
    ["INSERT INTO reviews VALUES (5, 1, 'Nemo') RETURNING id", "reviews (author) refers to authors (name), and"],
    ["UPDATE reviews SET author = 'Nemo'", "reviews (author) refers to authors (name), and"],
    ["DELETE FROM products WHERE id = 1", "reviews (product_id) refers to products (id), and"],
    ["DELETE FROM authors WHERE name = 'Ada'", "reviews (author) refers to authors (name), and"],
    ["DELETE FROM authors WHERE name = 'Bo'", "failed: strict_reviews (author) refers to authors (name), and"],
    ["UPDATE authors SET name = 'Ida' WHERE name = 'Ada'", "reviews (author) refers to authors (name), and"],
    ["INSERT INTO late VALUES (1, 99)", "late (product_id) refers to products (id), and"],
    ["DROP TABLE authors", "strict_reviews (author) refers to authors (name), and"],
  ])("appears in the error: %s", async (query, expected) => {
    for (const dry_run of [true, false]) {
      expect(await shop.failure("write_query", { query, dry_run })).toMatch(/^FOREIGN KEY constraint failed: /);
      expect(await shop.failure("run_transaction", { statements: [{ query }], dry_run })).toContain(expected);
    }
    expect(rowsOf(shop.file, "SELECT (SELECT count(*) FROM reviews), (SELECT count(*) FROM authors), (SELECT count(*) FROM late)")).toEqual(
      [[1, 2, 0]],
    );
  });

  test("appears in the error of an import", async () => {
    writeFileSync(shop.folder.at("r.csv"), "id,product_id,author\n7,1,Ada\n8,1,Nemo\n");
    expect(await shop.failure("import_csv", { path: "r.csv", table: "reviews" })).toContain("reviews (author) refers to authors (name)");
  });
});

describe("an error of a full-text table", () => {
  test.each([
    ["read_query", "SELECT title FROM products_fts WHERE products_fts MATCH 'rain-proof'", `'"rain-proof"'`],
    ["read_query", "SELECT title FROM products_fts WHERE products_fts MATCH 'lamp AND'", `'"lamp AND"'`],
    ["read_query", "SELECT title FROM products_fts WHERE products_fts MATCH 'price: 5'", `'"price: 5"'`],
    [
      "write_query",
      "DELETE FROM products WHERE id IN (SELECT rowid FROM products_fts WHERE products_fts MATCH 'rain-proof')",
      `'"rain-proof"'`,
    ],
  ])("explains to %s how to write the text: %s", async (tool, query, example) => {
    const message = await shared.failure(tool, { query });
    expect(message).toContain(example);
    expect(message).toContain("search_text");
    expect(message).not.toContain("the columns are");
  });

  test("gives the hint for a bound text too, and keeps the one for a wrong column", async () => {
    const query = "SELECT title FROM products_fts WHERE products_fts MATCH ?";
    expect(await shared.failure("read_query", { query, params: ["rain-proof"] })).toContain("Put the words in double quotes");
    expect(await shared.failure("read_query", { query: "SELECT titel FROM products_fts WHERE products_fts MATCH 'lamp'" })).toContain(
      "did you mean title?",
    );
  });

  test("names the missing column when the table lost it", async () => {
    await using shop = await openShop({ sql: `${SCHEMA} ALTER TABLE products DROP COLUMN title;` });
    const reason = "The full-text table products_fts cannot be read: its texts are in the column title of products, which does not exist.";
    expect(await shop.failure("read_query", { query: "SELECT * FROM products_fts" })).toContain(reason);
    const found = await shop.call("search_text", { query: "rainy" });
    expect(text(found)).toContain(`["products_fts" cannot be read: ${reason}`);
    expect(text(found)).not.toContain("not searched completely");
    expect(found.structuredContent).toMatchObject({
      matches: [{ table: "products" }],
      unfinished: ["products_fts"],
      unreadable: [{ table: "products_fts" }],
    });
    expect(await shop.failure("search_text", { query: "rainy", tables: ["products_fts"] })).toContain(reason);
  });
});

test.each(["ALTER COLUMN price_cents TYPE REAL", "MODIFY price_cents REAL", "CHANGE price_cents price REAL"])(
  "write_query explains how SQLite changes the type of a column: %s",
  async (change) => {
    expect(await shared.failure("write_query", { query: `ALTER TABLE products ${change}` })).toMatch(
      /SQLite cannot change the type .* ADD COLUMN .* RENAME COLUMN/,
    );
    const steps = [
      "ALTER TABLE products ADD COLUMN price REAL",
      "UPDATE products SET price = CAST(price_cents AS REAL)",
      "ALTER TABLE products DROP COLUMN price_cents",
      "ALTER TABLE products RENAME COLUMN price TO price_cents",
    ];
    const dry = await shared.structured("run_transaction", { statements: steps.map((query) => ({ query })), dry_run: true });
    expect(dry).toMatchObject({ rolledBack: true });
  },
);

test("an added column that must have a value gives no rows", async () => {
  await using shop = await openShop({ sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)" });
  const query = "ALTER TABLE t ADD COLUMN b INT NOT NULL DEFAULT 5 CHECK (b > 0)";
  const dry = text(await shop.call("write_query", { query, dry_run: true }));
  expect(dry).toBe('Dry run: The column b of t would be added. Nothing was changed.\nAfter: {"a":1,"b":5}');
  expect(text(await shop.call("write_query", { query }))).toBe("The column b of t was added.");
  expect(
    text(await shop.call("run_transaction", { statements: [{ query: query.replace(" b ", " c ") }, { query: "SELECT b FROM t" }] })),
  ).toBe('2 statements, 0 rows changed. The column c of t was added.\nStatement 2:\n[{"b":5}]');
});
