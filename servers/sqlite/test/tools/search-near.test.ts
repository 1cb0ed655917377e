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

test("finds words with other accents, in both directions", async () => {
  const names = ["Łukasz Wójcik", "Siobhán Ó Briain", "Renee Dubois", "Đặng Ŧřøħ", "naïve\u0000café", "x".repeat(90) + " Ångström"];
  const values = names.map((name) => `(CAST(x'${Buffer.from(name).toString("hex")}' AS TEXT))`).join();
  await using shop = await openShop({
    sql: `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO people (name) VALUES ${values}`,
  });
  const found = async (query: string): Promise<unknown> => {
    const { matches } = (await shop.structured("search_text", { query })) as { matches: { rowid: number }[] };
    return matches.map(({ rowid }) => rowid);
  };
  for (const query of ["Lukasz Wojcik", "lukasz WÓJCIK", "Łukasz"]) expect(await found(query), query).toEqual([1]);
  expect(await found("siobhan o briain")).toEqual([2]);
  expect(await found("Renée")).toEqual([3]);
  expect(await found("dang troh")).toEqual([4]);
  expect(await found("cafe")).toEqual([5]);
  expect(await found("angstrom")).toEqual([6]);
  expect(text(await shop.call("search_text", { query: "angstrom" }))).toContain("… ".slice(1) + "Ångström");
});
