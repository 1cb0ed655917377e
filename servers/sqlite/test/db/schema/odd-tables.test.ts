// Unusual tables: row ids at the limits of 64 bits, columns named like row ids, and views on dropped tables. Tools describe them and every
// other table.
import { afterAll, beforeAll, expect, test } from "vitest";
import { RowEncoder } from "../../../src/db/rows/row-encoder.ts";
import { rowLimits } from "../../../src/replies/row-limits.ts";
import { openDatabase } from "../../support/databases.ts";
import { openShop, type Shop } from "../../support/shop.ts";

const SQL = `
  CREATE TABLE far (id INTEGER PRIMARY KEY, body TEXT);
  INSERT INTO far VALUES (9223372036854775807, 'needle'), (9007199254740993, 'needle'), (-9223372036854775808, 'needle'), (5, 'needle');
  CREATE TABLE named (rowid TEXT, body TEXT);
  INSERT INTO named VALUES ('z', 'needle'), ('b', NULL);
  CREATE TABLE all_named (rowid TEXT, _rowid_ TEXT, oid TEXT, body BLOB);
  INSERT INTO all_named VALUES ('a', 'b', 'c', 'needle');
  CREATE TABLE large (id INTEGER PRIMARY KEY, number INTEGER) ;
  INSERT INTO large VALUES (1, 1234567890123456789);
  CREATE VIEW broken AS SELECT * FROM gone;
  CREATE VIEW one AS SELECT * FROM other;
  CREATE VIEW other AS SELECT * FROM one;
`;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: SQL });
});
afterAll(() => shop[Symbol.asyncDispose]());

test("search_text finds rows with any row id and returns the id exactly", async () => {
  const found = (await shop.structured("search_text", { query: "NEEDLE" })) as { matches: { table: string; rowid: unknown }[] };
  expect(found).toMatchObject({ truncated: false });
  expect(found.matches.map(({ table, rowid }) => [table, rowid])).toEqual([
    ["all_named", null],
    ["far", "-9223372036854775808"],
    ["far", 5],
    ["far", "9007199254740993"],
    ["far", "9223372036854775807"],
    ["named", 1],
  ]);
  expect(await shop.structured("search_text", { query: "4567890123456789" })).toMatchObject({
    matches: [{ table: "large", column: "number", snippet: "1234567890123456789" }],
  });
});

test("search_text refuses long texts, and names why a view cannot be read", async () => {
  expect(await shop.failure("search_text", { query: "x".repeat(60_000) })).toBe(
    "Invalid query: the text has 60000 characters, the limit is 8000. Search for a part of it.",
  );
  expect(await shop.failure("search_text", { query: "x", tables: ["broken"] })).toContain("no such table: main.gone");
});

test("reads a column named rowid as a plain column", async () => {
  expect(await shop.structured("describe_table", { table_name: "named" })).toMatchObject({ rowEstimate: 2 });
  expect(await shop.structured("describe_table", { table_name: "all_named" })).not.toHaveProperty("rowEstimate");
  const { contents } = await shop.client.request("resources/read", { uri: "sqlite://shop/blob/named/body/1" });
  expect(contents).toMatchObject([{ text: "needle" }]);
});

test("list_tables lists an invalid view with its error beside the others", async () => {
  expect(await shop.structured("list_tables")).toMatchObject({
    tables: [
      { name: "all_named" },
      { name: "broken", type: "view", error: "no such table: main.gone" },
      { name: "far" },
      { name: "large" },
      { name: "named", columns: ["rowid", "body"], rowEstimate: 2 },
      { name: "one", error: "view one is circularly defined" },
      { name: "other" },
    ],
  });
  expect(await shop.structured("describe_table", { table_name: "broken", sample_rows: 3 })).toMatchObject({
    type: "view",
    columns: [],
    error: "no such table: main.gone",
    sql: "CREATE VIEW broken AS SELECT * FROM gone",
  });
  expect(
    await shop.client.complete({ type: "ref/resource", uri: "sqlite://{database}/table/{table}" }, { name: "table", value: "br" }),
  ).toMatchObject({
    values: ["broken"],
  });
});

test("describe_table and explain_query truncate long statements", async () => {
  const other = openDatabase(shop.file);
  const long = "x".repeat(300_000);
  other.exec("CREATE TABLE heavy (a)");
  for (let at = 0; at < 12; at += 1)
    other.exec(
      `CREATE TRIGGER t${at} AFTER INSERT ON heavy BEGIN SELECT '${long}'; END; CREATE INDEX i${at} ON heavy(a) WHERE a <> '${long}'`,
    );
  other.exec(`CREATE INDEX longest ON heavy(a) WHERE a <> '${long.repeat(4)}'`);
  other.close();
  const result = await shop.call("describe_table", { table_name: "heavy" });
  expect(result.structuredContent).toMatchObject({ truncated: true, sql: "CREATE TABLE heavy (a)" });
  expect(JSON.stringify(result).length).toBeLessThan(600_000);
  expect(await shop.structured("describe_table", { table_name: "far" })).not.toHaveProperty("truncated");
  expect(await shop.structured("explain_query", { query: "SELECT * FROM heavy WHERE a = 1" })).toMatchObject({
    plan: [{ detail: expect.stringMatching(/^(SCAN|SEARCH) heavy/) as string }],
    suggestions: [],
  });
});

test("RowEncoder refuses rows of another width than its columns", () => {
  const output = { arrays: () => expect.unreachable(), objects: () => expect.unreachable(), restart: () => expect.unreachable() };
  const rows = new RowEncoder([{ name: "a", declaredType: null }], rowLimits(2_500_000, 10), output, { usesBigInts: true });
  rows.add([1, 2]);
  expect(() => rows.end()).toThrow("changed while the statement ran");
});
