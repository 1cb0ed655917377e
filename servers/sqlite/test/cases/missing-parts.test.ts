// Collations, tokenizers, functions and modules that only another program has: what needs them is named, and everything else works.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renameInSchema } from "../support/foreign-schema.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

const SQL = `
  CREATE TABLE media (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE, added INT);
  CREATE INDEX media_title ON media(title); CREATE INDEX media_added ON media(added);
  INSERT INTO media VALUES (1, 'beta', 3), (2, 'Alpha', 2), (3, 'alpine', 1);
  CREATE TABLE counted (id INTEGER PRIMARY KEY, title TEXT COLLATE NOCASE); CREATE INDEX counted_title ON counted(title); INSERT INTO counted VALUES (1, 'a'), (2, 'b');
  CREATE VIEW sorted AS SELECT title FROM media ORDER BY title;
  CREATE TABLE plain (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO plain VALUES (1, 'needle');
  CREATE INDEX plain_v ON plain(lower(v)); CREATE VIEW shouted AS SELECT upper(v) AS u FROM plain;
  CREATE TABLE computed (a TEXT, b AS (length(a))); INSERT INTO computed VALUES ('needle');
  CREATE VIRTUAL TABLE old_words USING fts4(title, tokenize=simple); INSERT INTO old_words VALUES ('needle');
  CREATE VIRTUAL TABLE places USING rtree(id, x0, x1); INSERT INTO places VALUES (1, 0, 1);`;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: SQL });
  renameInSchema(shop.file, [
    ["media", "NOCASE", "icu_root"],
    ["counted", "NOCASE", "icu_de"],
    ["plain_v", "lower", "fold_v"],
    ["shouted", "upper", "shout"],
    ["computed", "length", "measure"],
    ["old_words", "simple", "icu"],
    ["places", "rtree(", "spatialite("],
  ]);
});
afterAll(() => shop[Symbol.asyncDispose]());

describe("check_database", () => {
  test("checks every table that can be checked, and names the others", async () => {
    const found = await shop.structured("check_database", { checks: ["quick_check", "size"] });
    expect(found).toMatchObject({ ok: false, size: { pageSize: 4096 } });
    const lines = found["quick_check"] as string[];
    expect(lines).toContainEqual(expect.stringMatching(/^media cannot be checked: no such collation sequence: icu_root\. The/));
    expect(lines).toContainEqual(expect.stringMatching(/^old_words cannot be checked: unknown tokenizer: icu\. The table old_words needs/));
    expect(lines.at(-1)).toMatch(/^\d+ tables were checked one by one\.$/);
    expect(lines).toHaveLength(4);
  });

  test("names each missing part with what needs it", async () => {
    const { schema } = (await shop.structured("check_database", { checks: ["schema"] })) as { schema: { missing: { name: string }[] } };
    expect(schema.missing.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual([
      { kind: "function", name: "fold_v", neededBy: ["index plain_v"], hint: expect.any(String) },
      {
        kind: "tokenizer",
        name: "icu",
        neededBy: ["table old_words"],
        texts: "old_words_content",
        hint: expect.stringContaining("old_words_content"),
      },
      { kind: "collation", name: "icu_de", neededBy: ["table counted", "index counted_title"], hint: expect.any(String) },
      {
        kind: "collation",
        name: "icu_root",
        neededBy: ["table media", "index media_title"],
        hint: expect.stringContaining("COLLATE NOCASE"),
      },
      { kind: "function", name: "measure", neededBy: ["table computed"], hint: expect.any(String) },
      { kind: "function", name: "shout", neededBy: ["view shouted"], hint: expect.stringContaining("the tables that the view reads") },
      { kind: "module", name: "spatialite", neededBy: ["table places"], hint: expect.any(String) },
    ]);
  });

  test("finds no missing part in a schema of SQLite alone", async () => {
    await using own = await openShop();
    expect(await own.structured("check_database")).toMatchObject({ ok: true, schema: { missing: [], broken: [] } });
  });
});

describe("read_query with a missing collation", () => {
  const page = (query: string) => shop.call("read_query", { query });

  test.each([
    ["SELECT id FROM media ORDER BY title", [[2], [3], [1]]],
    ["SELECT id, title t FROM media ORDER BY t DESC, id", [[1], [3], [2]]],
    ["SELECT id FROM media m ORDER BY +m.title NULLS LAST LIMIT 2", [[2], [3]]],
    ["WITH a AS (SELECT id FROM media ORDER BY title LIMIT 1) SELECT id FROM a", [[2]]],
  ])("sorts by NOCASE, with a note: %s", async (query, rows) => {
    const result = await page(query);
    expect((result.structuredContent as { rows: unknown[][] }).rows.map(([id]) => [id])).toEqual(rows);
    expect(text(result)).toContain("[Sorted by NOCASE in place of the collation icu_root");
  });

  test("keeps the index of a column that needs no replacement", async () => {
    expect(await shop.rows("SELECT id FROM media ORDER BY added, title LIMIT 2")).toEqual([[3], [2]]);
    expect(text(await page("SELECT id FROM media ORDER BY added"))).not.toContain("Sorted by");
  });

  test("goes on with the next page", async () => {
    const query = "SELECT id FROM media ORDER BY title";
    const first = await shop.structured("read_query", { query, limit: 2 });
    expect(await shop.rows(query, { limit: 2, cursor: first["nextCursor"] })).toEqual([[1]]);
  });

  test("writes a file, with the same note", async () => {
    const result = await shop.call("export_query", {
      query: 'SELECT id FROM media WHERE typeof(id) <> "none" ORDER BY title',
      path: "media.csv",
    });
    expect(readFileSync(shop.folder.at("media.csv"), "utf8")).toBe("id\r\n2\r\n3\r\n1\r\n");
    expect(text(result)).toContain("[Sorted by NOCASE in place of the collation icu_root");
    expect(text(result)).toContain("[Not names here, so read as texts: 'none']");
  });

  test("counts rows without an index of the collation", async () => {
    const result = await page("SELECT count(*) FROM counted");
    expect(result.structuredContent).toMatchObject({ columns: [{ name: "count(*)" }], rows: [[2]] });
    expect(text(result)).not.toContain("Sorted by");
  });

  test.each([
    "SELECT id FROM media WHERE title = 'beta' ORDER BY title",
    "SELECT DISTINCT title FROM media",
    "SELECT title, count(*) FROM media GROUP BY title",
    "SELECT rank() OVER (ORDER BY title) FROM media",
    "SELECT id FROM (SELECT id, title FROM media)",
    "SELECT * FROM sorted",
  ])("refuses to compare without it: %s", async (query) => {
    expect(await shop.failure("read_query", { query })).toMatch(
      /^no such collation sequence: icu_root\. The table media and the index media_title need this collation, .*COLLATE NOCASE/,
    );
  });
});

test.each([
  ["SELECT * FROM shouted", /^no such function: shout\. The view shouted needs this function, .*the tables that the view reads/],
  ["SELECT * FROM computed", /^unknown function: measure\(\)\. The table computed needs .*SELECT of the plain columns/],
  ["SELECT * FROM old_words", /^unknown tokenizer: icu\. The table old_words needs .*old_words_content/],
  ["SELECT * FROM places", /^no such module: spatialite\. The table places needs/],
  ["SELECT shout(v) FROM plain", /^no such function: shout$/],
])("names the object that needs a missing part: %s", async (query, message) => {
  expect(await shop.failure("read_query", { query })).toMatch(message);
});

test("names what works beside a trigger that needs a function", async () => {
  await using books = await openShop({
    sql: "CREATE TABLE books (title TEXT, sort TEXT); CREATE TRIGGER sorted AFTER INSERT ON books BEGIN UPDATE books SET sort = upper(NEW.title); END",
  });
  renameInSchema(books.file, [["sorted", "upper", "title_sort"]]);
  const message = await books.failure("write_query", { query: "INSERT INTO books (title) VALUES ('x')" });
  expect(message).toContain("The trigger sorted needs this function");
  expect(message).toContain("What works: SELECT, and changes that do not run the trigger.");
});
