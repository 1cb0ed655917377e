// Files that are damaged in one place: tools return the intact part and name the damaged one.
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openShop, text, type Shop } from "../../support/shop.ts";
import { rowsOf } from "../../support/databases.ts";

const SQL = `CREATE TABLE sound (body TEXT); INSERT INTO sound VALUES ('needle');
  CREATE TABLE torn (id INTEGER PRIMARY KEY, body TEXT); INSERT INTO torn VALUES (1, 'needle');
  CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES ('needle');
  CREATE VIEW counted AS SELECT abs(-9223372036854775807 - (body = 'needle')) AS more FROM sound;`;

/** A shop whose file is overwritten at the root pages of these tables. */
async function openDamaged(...tables: readonly string[]): Promise<Shop> {
  const shop = await openShop({ sql: SQL });
  const bytes = readFileSync(shop.file);
  for (const table of tables) {
    const [[page] = []] = rowsOf(shop.file, "SELECT rootpage FROM sqlite_schema WHERE name = ?", table) as [number][];
    bytes.fill(0xab, ((page ?? 0) - 1) * 4096, (page ?? 0) * 4096);
  }
  writeFileSync(shop.file, bytes);
  return shop;
}

test.each([
  ["a table", "torn", "torn"],
  ["the index of a full-text table", "words_data", "words"],
])("SQL-27 search_text and list_tables return everything else after damage of %s", async (_, page, table) => {
  await using shop = await openDamaged(page);
  expect(await shop.structured("search_text", { query: "needle" })).toMatchObject({
    matches: expect.arrayContaining([expect.objectContaining({ table: "sound" })]) as unknown,
    truncated: true,
    unfinished: [table],
  });
  const { tables } = (await shop.structured("list_tables")) as { tables: { name: string }[] };
  expect(tables.map(({ name }) => name)).toEqual(["counted", "sound", "torn", "words"]);
  expect(await shop.failure("search_text", { query: "needle", tables: [table] })).toMatch(/damaged|malformed|constructor failed/);
});

test("SQL-27 check_database reports the damage that stops it", async () => {
  await using shop = await openDamaged("torn", "words_config");
  const result = await shop.call("check_database", { checks: ["quick_check", "integrity_check", "size"] });
  expect(text(result)).toMatch(
    /^not ok: quick_check, integrity_check\nquick_check: \[".+"\]\nintegrity_check: \[".+"\]\nsize: \{"pages":\d+/,
  );
});

test("SQL-27 check_database reports a file that cannot be opened, without naming itself as the next step", async () => {
  await using shop = await openShop({ sql: SQL });
  truncateSync(shop.file, 5000);
  expect(await shop.failure("read_query", { query: "SELECT * FROM sound" })).toContain("Use check_database for details");
  expect(await shop.failure("check_database")).toBe(
    "The database file is damaged so far that it cannot be checked. Restore it from a copy.",
  );
});

test.each([
  ["torn", ["id", "body"], "malformed"],
  ["counted", ["more"], "integer overflow"],
])("describe_table describes %s although its rows cannot be read", async (table, columns, error) => {
  await using shop = await openDamaged("torn");
  const structured = await shop.structured("describe_table", { table_name: table, sample_rows: 3 });
  expect(structured).toMatchObject({ table, columns: columns.map((name) => ({ name })), error: expect.stringContaining(error) as unknown });
  expect(structured).not.toHaveProperty("sample");
});
