// What search_text says of words that no table has.
import { expect, test } from "vitest";
import { openShop, text } from "../support/shop.ts";

const SQL = `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, note TEXT);
  INSERT INTO people (name, note) VALUES ('Katharina Przybylski', 'Ulm'), ('Jörg Müller', printf('%.200c', 'x')), ('Anna Meyer', NULL)`;

test("names words that are near, and nothing else", async () => {
  await using shop = await openShop({ sql: SQL });
  const answers = ["Prizibilski", "Katarina Przybylsky", "Mueller", "Anna Meier", "zzzz", "Anna Müller", "ab"];
  const replies = await Promise.all(answers.map(async (query) => text(await shop.call("search_text", { query })).split("\n")[0]));
  expect(replies).toEqual([
    "No matches in 1 table; these words are near: Przybylski, in these rows:",
    "No matches in 1 table; these words are near: Katharina, Przybylski, in these rows:",
    "No matches in 1 table; these words are near: Müller, in these rows:",
    "No matches in 1 table; these words are near: Meyer, in these rows:",
    "No matches in 1 table",
    "No matches in 1 table",
    "No matches in 1 table",
  ]);
  expect(await shop.structured("search_text", { query: "Prizibilski" })).toEqual({
    matches: [],
    truncated: false,
    near: ["Przybylski"],
    nearMatches: [expect.objectContaining({ table: "people", rowid: 1 })],
  });
  expect(text(await shop.call("search_text", { query: "Prizibilski" })).split("\n")[1]).toContain("Katharina Przybylski");
});
