// Texts in double quotes: read as texts where nothing is called so, and refused where a misspelt column is likelier.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, continent TEXT, founded TEXT);
      INSERT INTO city VALUES (1, 'Oslo', 'Europe', '1048-01-02'), (2, 'it''s', 'Asia', '2001-05-06'), (3, 'Lima', 'South America', '1535-01-18');`,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

const rows = async (query: string): Promise<unknown> => (await shop.structured("read_query", { query }))["rows"];

test.each<[query: string, rows: unknown[][]]>([
  ['SELECT id FROM city WHERE continent = "Asia"', [[2]]],
  ['SELECT id FROM city WHERE continent = "South America" AND name LIKE "%im%"', [[3]]],
  ['SELECT id FROM city WHERE continent IN ("Europe", "Asia") ORDER BY id', [[1], [2]]],
  ['SELECT id FROM city WHERE "continent" = "Europe"', [[1]]],
  ['SELECT id FROM city WHERE name = "it\'s"', [[2]]],
  ['SELECT strftime("%Y", founded) FROM city WHERE id = 1', [["1048"]]],
  ['SELECT name || " - " || continent FROM city WHERE id = 1', [["Oslo - Europe"]]],
  ['SELECT CASE WHEN id > 1 THEN "yes" ELSE "no" END FROM city ORDER BY id', [["no"], ["yes"], ["yes"]]],
  ['SELECT id AS "Total" FROM city WHERE continent = "Asia" ORDER BY "Total"', [[2]]],
  ['SELECT count(*) FROM city WHERE founded BETWEEN "1000-01-01" AND "1600-01-01"', [[2]]],
  ['SELECT group_concat(name, "; ") FROM city WHERE id <> 2', [["Oslo; Lima"]]],
  ['WITH c AS (SELECT * FROM city WHERE continent = "Asia") SELECT id FROM c WHERE name != "nobody"', [[2]]],
])("reads %s", async (query, expected) => {
  expect(await rows(query)).toEqual(expected);
});

test("names what was read as a text", async () => {
  const reply = await shop.call("read_query", { query: 'SELECT id FROM city WHERE continent = "Asia"' });
  expect(text(reply)).toBe("[{\"id\":2}]\n[Not names here, so read as texts: 'Asia']");
});

test.each([
  'SELECT "nmae" FROM city',
  'SELECT "population" FROM city',
  'SELECT id FROM city ORDER BY "population"',
  'SELECT id FROM city GROUP BY "population"',
  'SELECT id FROM city WHERE "population" > 5',
  'SELECT id FROM city WHERE name = "contineent"',
  'SELECT city."Asia" FROM city',
])("refuses %s as a column that does not exist", async (query) => {
  expect(await shop.failure("read_query", { query })).toContain("no such column:");
});
