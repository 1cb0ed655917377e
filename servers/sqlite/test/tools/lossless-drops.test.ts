// Drops that lose no row run without a question, and the reply has the statements that create the object again.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

const SQL = `
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people VALUES (1, 'Ada');
  CREATE INDEX by_name ON people (name); CREATE UNIQUE INDEX "By Id" ON people (id, name);
  CREATE TABLE empty (a TEXT DEFAULT 'x
y', b); CREATE INDEX empty_b ON empty (b); CREATE TRIGGER on_empty AFTER INSERT ON empty BEGIN SELECT 1; END;
  CREATE TABLE viewed (a); CREATE VIEW seen AS SELECT a FROM viewed;
  CREATE TABLE parents (id INTEGER PRIMARY KEY); CREATE TABLE children (p REFERENCES parents);
  CREATE TABLE texts (body TEXT); CREATE VIRTUAL TABLE words USING fts5(body, content='texts');
  CREATE TRIGGER on_people AFTER DELETE ON people BEGIN INSERT INTO logged VALUES (1); END; CREATE TABLE logged (a);
`;

describe("with a client that cannot ask its user", () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop({ sql: SQL });
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test.each([
    "DROP TABLE people",
    "DROP TABLE viewed",
    "DROP TABLE parents",
    "DROP TABLE texts",
    "DROP TABLE logged",
    "DROP TABLE words",
    "DROP VIEW seen",
    "DROP TRIGGER on_people",
  ])("%s is refused", async (query) => {
    expect(await shop.failure("write_query", { query })).toContain("the user must confirm");
    expect(await shop.failure("run_transaction", { statements: [{ query }] })).toContain("the user must confirm");
  });

  test("a table that a transaction fills is refused", async () => {
    const statements = [{ query: "INSERT INTO children VALUES (NULL)" }, { query: "DROP TABLE children" }];
    expect(await shop.failure("run_transaction", { statements })).toContain("remove the table children");
  });

  test.each([
    ["DROP INDEX by_name", "The index by_name was dropped. To create it again: CREATE INDEX by_name ON people (name);"],
    [
      'drop index if exists main."by id"',
      'The index by id was dropped. To create it again: CREATE UNIQUE INDEX "By Id" ON people (id, name);',
    ],
    [
      "DROP TABLE empty",
      "The table empty was dropped. To create it again: CREATE TABLE empty (a TEXT DEFAULT 'x\ny', b); CREATE INDEX empty_b ON empty (b); CREATE TRIGGER on_empty AFTER INSERT ON empty BEGIN SELECT 1; END;",
    ],
    ["DROP TABLE IF EXISTS missing", "The schema has not changed: the table missing does not exist."],
    ["DROP INDEX IF EXISTS missing", "The schema has not changed: the index missing does not exist."],
    ["DROP VIEW IF EXISTS missing", "The schema has not changed: the view missing does not exist."],
  ])("%s runs", async (query, expected) => {
    const dry = await shop.call("write_query", { query, dry_run: true });
    expect(dry.structuredContent).not.toHaveProperty("needsConfirmation");
    expect(text(await shop.call("write_query", { query }))).toBe(expected);
  });

  test("a transaction that drops an index runs", async () => {
    await using own = await openShop({ sql: SQL });
    const result = text(await own.call("run_transaction", { statements: [{ query: "DROP INDEX by_name" }] }));
    expect(result).toContain("To create it again: CREATE INDEX by_name ON people (name);");
  });
});
