// Names and values that are legal and rare: found, told exactly, and never taken for something else.
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

test("every table is listed, that without a name and those with long ones too, page by page", async () => {
  const names: string[] = [];
  let cursor: unknown;
  do {
    const args = { limit: 1, detail: "names", ...(cursor !== undefined && { cursor: String(cursor) }) };
    const told = (await shop.told("list_tables", args)) as { tables: { name: string }[]; nextCursor?: string };
    names.push(...told.tables.map(({ name }) => name));
    cursor = told.nextCursor;
  } while (cursor !== undefined);
  expect(names).toEqual(["", "broken_text", "keyed", "real_numbers", "seen", "two words", LONG, `${LONG}y`]);
});

test("an index and a table are told by their whole names in a plan", async () => {
  expect(await shop.told("explain_query", { query: 'SELECT * FROM "two words" WHERE a = 1' })).toMatchObject({ indexes: ["an index"] });
  expect(await shop.told("explain_query", { query: `SELECT "b c" FROM "two words" ORDER BY "b c"` })).toMatchObject({
    indexes: ["an index too"],
  });
  await shop.call("write_query", { query: 'CREATE TABLE "no index" (n)' });
  expect(await shop.told("explain_query", { query: 'SELECT * FROM "no index" WHERE n = 1' })).toMatchObject({
    fullScans: ["no index"],
    suggestions: [{ sql: 'CREATE INDEX "no_index_n" ON "no index" ("n")' }],
  });
});

test("search_text tells the number that it found, as SQLite writes it", async () => {
  expect(await shop.told("search_text", { query: "7.0" })).toMatchObject({
    matches: [
      { table: "real_numbers", column: "r", rowid: 1, snippet: "7.0" },
      { table: "real_numbers", column: "r", rowid: 2, snippet: "7.0e+300" },
    ],
  });
});

test("a value of what has no row ids is not found", async () => {
  for (const uri of ["sqlite://shop/blob/seen/a/1", "sqlite://shop/blob/keyed/v/1"])
    await expect(shop.client.request("resources/read", { uri })).rejects.toMatchObject({ code: -32002 });
});

test("S6 bytes that are no text are said to be none", async () => {
  const sign = "may stand for bytes that are not text";
  expect(text(await shop.call("read_query", { query: "SELECT t FROM broken_text" }))).toContain(sign);
  expect(text(await shop.call("read_query", { query: "SELECT t FROM broken_text", format: "csv" }))).toContain(sign);
  expect(text(await shop.call("describe_table", { table_name: "broken_text", sample_rows: 1 }))).toContain(sign);
  expect(text(await shop.call("read_query", { query: "SELECT hex(t) FROM broken_text" }))).not.toContain(sign);
});

test("create_table does not say that it made what was there", async () => {
  const again = await shop.call("create_table", { query: "CREATE TABLE IF NOT EXISTS Keyed (other)" });
  expect(text(again)).toBe('A table "Keyed" already exists; it was not changed');
  expect(again.structuredContent).toMatchObject({ existed: true });
  await shop.call("write_query", { query: "CREATE VIEW Looked AS SELECT 1" });
  const view = await shop.call("create_table", { query: "CREATE TABLE IF NOT EXISTS looked (other)" });
  expect(text(view)).toBe('A view "looked" already exists; it was not changed');
});
