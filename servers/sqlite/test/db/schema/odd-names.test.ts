// Names and values that are legal and rare: tools find them and return them exactly.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, text, type Shop } from "../../support/shop.ts";

const LONG = `z${"y".repeat(3000)}`;
const SQL = `
  CREATE TABLE "" (x);
  CREATE TABLE "two words" (a, "b c" TEXT);
  CREATE INDEX "an index" ON "two words" (a);
  CREATE INDEX "an index too" ON "two words" ("b c");
  CREATE VIEW seen AS SELECT * FROM "two words";
  CREATE TABLE keyed (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
  INSERT INTO keyed VALUES ('a', 1);
  CREATE TABLE real_numbers (r REAL);
  INSERT INTO real_numbers VALUES (7.0), (7e300), (8.5);
  CREATE TABLE broken_text (t TEXT);
  INSERT INTO broken_text VALUES (CAST(x'61ff62' AS TEXT));
  CREATE TABLE "${LONG}" (a);
  CREATE TABLE "${LONG}y" (a);
`;

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ sql: SQL });
});
afterAll(() => shop[Symbol.asyncDispose]());

test("list_tables pages over every table, also with an empty or a long name", async () => {
  const names: string[] = [];
  let cursor: unknown;
  do {
    const args = { limit: 1, detail: "names", ...(cursor !== undefined && { cursor: String(cursor) }) };
    const structured = (await shop.structured("list_tables", args)) as { tables: { name: string }[]; nextCursor?: string };
    names.push(...structured.tables.map(({ name }) => name));
    cursor = structured.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(["", "broken_text", "keyed", "real_numbers", "seen", "two words", LONG, `${LONG}y`]);
});

test("explain_query names indexes and tables whose names contain spaces", async () => {
  expect(await shop.structured("explain_query", { query: 'SELECT * FROM "two words" WHERE a = 1' })).toMatchObject({
    indexes: ["an index"],
  });
  expect(await shop.structured("explain_query", { query: `SELECT "b c" FROM "two words" ORDER BY "b c"` })).toMatchObject({
    indexes: ["an index too"],
  });
  await shop.call("write_query", { query: 'CREATE TABLE "no index" (n)' });
  expect(await shop.structured("explain_query", { query: 'SELECT * FROM "no index" WHERE n = 1' })).toMatchObject({
    fullScans: ["no index"],
    suggestions: [{ sql: 'CREATE INDEX "no_index_n" ON "no index" ("n")' }],
  });
});

test("search_text returns a found number as SQLite writes it", async () => {
  expect(await shop.structured("search_text", { query: "7.0" })).toMatchObject({
    matches: [
      { table: "real_numbers", column: "r", rowid: 1, snippet: "7.0" },
      { table: "real_numbers", column: "r", rowid: 2, snippet: "7.0e+300" },
    ],
  });
});

test("finds no value by the blob resource in tables without row ids", async () => {
  for (const uri of ["sqlite://shop/blob/seen/a/1", "sqlite://shop/blob/keyed/v/1"])
    await expect(shop.client.request("resources/read", { uri })).rejects.toMatchObject({ code: -32002 });
});

test("S6 names texts in replies that may hold invalid bytes", async () => {
  const sign = "may stand for bytes that are not text";
  expect(text(await shop.call("read_query", { query: "SELECT t FROM broken_text" }))).toContain(sign);
  expect(text(await shop.call("read_query", { query: "SELECT t FROM broken_text", format: "csv" }))).toContain(sign);
  expect(text(await shop.call("describe_table", { table_name: "broken_text", sample_rows: 1 }))).toContain(sign);
  expect(text(await shop.call("read_query", { query: "SELECT hex(t) FROM broken_text" }))).not.toContain(sign);
});

test("create_table reports a table that already exists", async () => {
  const again = await shop.call("create_table", { query: "CREATE TABLE IF NOT EXISTS Keyed (other)" });
  expect(text(again)).toBe('A table "Keyed" already exists; it was not changed');
  expect(again.structuredContent).toMatchObject({ existed: true });
  await shop.call("write_query", { query: "CREATE VIEW Looked AS SELECT 1" });
  const view = await shop.call("create_table", { query: "CREATE TABLE IF NOT EXISTS looked (other)" });
  expect(text(view)).toBe('A view "looked" already exists; it was not changed');
});
