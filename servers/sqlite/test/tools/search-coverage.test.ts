// search_text finds a text wherever it is, in whatever spelling, and names what it did not search.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renameInSchema } from "../support/foreign-schema.ts";
import { openShop, text, type Shop } from "../support/shop.ts";

const SQL = `
  CREATE VIRTUAL TABLE f3 USING fts3(title, body); INSERT INTO f3 VALUES ('old', 'a third walrus here'), ('É', 'die Straße nach Süden');
  CREATE VIRTUAL TABLE f4 USING fts4(body, tokenize=porter); INSERT INTO f4 VALUES ('fourth walruses swimming'), ('x y');
  CREATE VIRTUAL TABLE fi USING fts4(title, body, tokenize=simple); INSERT INTO fi VALUES ('icu', 'an otter');
  CREATE VIRTUAL TABLE tri USING fts5(body, tokenize='trigram'); INSERT INTO tri VALUES ('ab in a trigram'), ('zq');
  CREATE VIRTUAL TABLE f5 USING fts5(body); INSERT INTO f5 VALUES ('Hauptstrasse 5'), ('Waldstraße 7, C++'), ('an unbreakable word');
  CREATE VIRTUAL TABLE empty5 USING fts5(body, content=''); INSERT INTO empty5 (rowid, body) VALUES (1, 'contentless gnu');
  CREATE VIRTUAL TABLE vocab USING fts5vocab(f5, row);
  CREATE VIRTUAL TABLE places USING rtree(id, x0, x1, +label); INSERT INTO places VALUES (7, 1, 2, 'the ibex lives here');
  CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, data BLOB);
  INSERT INTO people VALUES (1, 'Zo' || char(0xEB), NULL), (2, 'Zoe' || char(0x308), NULL), (3, 'STRASSE', NULL), (4, 'Straße', NULL), (5, char(0xFB01) || 'nch', NULL),
    (6, 'ΟΔΟΣ', NULL), (7, 'b', CAST('a heron in a blob' AS BLOB)), (8, 'c', CAST(x'00ff01' || 'binary heron' AS BLOB)), (9, 'd', zeroblob(70000)), (10, 'Ada', NULL), (11, char(0x1E9E), NULL), (12, 'a' || char(0) || 'kiwi', NULL);
  CREATE TABLE first_names (id INTEGER PRIMARY KEY, first TEXT, last TEXT); INSERT INTO first_names VALUES (1, 'Grace', 'Hopper');
  CREATE VIEW full_names AS SELECT id, first || ' ' || last AS name FROM first_names;
  CREATE VIEW grouped AS SELECT count(*) AS n, group_concat(last, '+') AS names FROM first_names GROUP BY first || 'x';
`;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: SQL });
  renameInSchema(shop.file, [["fi", "simple", "icu"]]);
});
afterAll(() => shop[Symbol.asyncDispose]());

type Match = { table: string; rowid: unknown; column: unknown; snippet: string };
const find = async (query: string, args: object = {}): Promise<Match[]> =>
  (await shop.structured("search_text", { query, ...args }))["matches"] as Match[];
const places = (matches: readonly Match[]): string[] => matches.map(({ table, rowid }) => `${table} ${String(rowid)}`).toSorted();

test.each([
  ["FTS3", "third walrus", ["f3 1"]],
  ["FTS4, with its stemmer", "walrus swim fourth", ["f4 1"]],
  ["a word of two letters in a trigram table", "zq", ["tri 2"]],
  ["a short word beside a long one in a trigram table", "ab trigram", ["tri 1"]],
  ["a part of a word that no index has", "break", ["f5 3"]],
  ["punctuation in a full-text table", "C++", ["f5 2"]],
  ["an R-tree", "ibex", ["places 7"]],
  ["a BLOB with text, and one without", "heron", ["people 7", "people 8"]],
  ["what follows a NUL", "kiwi", ["people 12"]],
  ["a view, where no table has the text", '"Grace Hopper"', ["full_names null"]],
  ["the texts of a table whose tokenizer is missing", "otter", ["fi_content 1"]],
  ["a word in a table without texts", "gnu", ["empty5 1"]],
])("finds %s", async (_name, query, wanted) => {
  expect(places(await find(query))).toEqual(wanted);
});

test("finds a text in the last of many columns", async () => {
  const columns = Array.from({ length: 1001 }, (_, index) => `c${index} TEXT`);
  await using wide = await openShop({ sql: `CREATE TABLE wide (${columns.join()}); INSERT INTO wide (c1000) VALUES ('far lynx')` });
  expect(await wide.structured("search_text", { query: "far lynx" })).toMatchObject({ matches: [{ column: "c1000" }], truncated: false });
});

describe("folds letters by Unicode", () => {
  test.each([
    ["straße", ["f3 2", "f5 1", "f5 2", "people 3", "people 4"]],
    ["STRASSE", ["f3 2", "f5 1", "f5 2", "people 3", "people 4"]],
    ["Zo\u00eb", ["people 1", "people 2"]],
    ["ZOE\u0308", ["people 1", "people 2"]],
    ["FINCH", ["people 5"]],
    ["οδος", ["people 6"]],
    ["suden", ["f3 2"]],
  ])("%s", async (query, wanted) => {
    expect(places(await find(query))).toEqual(wanted);
  });

  test("shows the words around a match after letters that fold to several", async () => {
    const [match] = await find("süden", { tables: ["f3"] });
    expect(match?.snippet).toContain("Straße nach Süden");
  });

  test("returns each match once over pages, by index and by scan", async () => {
    const found: Match[] = [];
    let cursor: unknown;
    do {
      const page = await shop.structured("search_text", { query: "strasse", limit: 1, ...(cursor !== undefined && { cursor }) });
      found.push(...(page["matches"] as Match[]));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    expect(places(found)).toEqual(["f3 2", "f5 1", "f5 2", "people 3", "people 4"]);
  });
});

describe("names what was not searched", () => {
  test("lists everything left out in a reply without matches", async () => {
    const result = await shop.call("search_text", { query: "unicorn" });
    const [first, ...lines] = text(result).split("\n");
    expect(first).toMatch(/^No matches in 1\d tables$/);
    expect(lines).toEqual([
      '[not searched: "empty5": its texts are not stored, so only whole words are found]',
      '[not searched: "fi": its tokenizer is not here, so its texts were searched in fi_content]',
      '[not searched: "vocab": it lists the words of a full-text table]',
      '[not searched: "people.data": BLOBs of more than 64 KB]',
      '[not searched: 1 view, which show what is in tables: "grouped"; name them in tables]',
    ]);
    expect(result.structuredContent).toMatchObject({
      matches: [],
      truncated: false,
      notSearched: [{ table: "empty5" }, { table: "fi" }, { table: "vocab" }, { table: "people", column: "data" }],
    });
  });

  test("lists the views where tables have matches, and searches named ones", async () => {
    const result = await shop.call("search_text", { query: "Hopper" });
    expect(places((result.structuredContent as { matches: Match[] }).matches)).toEqual(["first_names 1"]);
    expect(text(result)).toContain('[not searched: 2 views, which show what is in tables: "full_names", "grouped"; name them in tables]');
    expect(places(await find("Hopper", { tables: ["grouped", "full_names"] }))).toEqual(["full_names null", "grouped null"]);
  });

  test("lists nothing where everything was searched", async () => {
    const result = await shop.call("search_text", { query: "Hopper", tables: ["first_names"] });
    expect(result.structuredContent).not.toHaveProperty("notSearched");
    expect(text(result)).not.toContain("not searched");
  });
});
