// A file that a copying program writes over in place: it keeps its number, and its counts may be those of before.
import { copyFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { makeDatabase, opened, rowsOf } from "../../support/databases.ts";
import { openShop } from "../../support/shop.ts";
import { soon } from "../../support/wait-until.ts";

/** By these SQLite tells that what it has kept of a file is old: how often the data and the schema were changed. */
function countsOf(file: string): unknown[] {
  return [rowsOf(file, "SELECT count(*) FROM sqlite_schema"), rowsOf(file, "PRAGMA schema_version")];
}

test.each([
  ["the same tables", "CREATE TABLE t (a); INSERT INTO t VALUES ('new')"],
  ["others in their places", "CREATE TABLE other (b, a); INSERT INTO other VALUES (1, 'wrong')"],
  ["other counts", "CREATE TABLE u (a); CREATE TABLE t (a); INSERT INTO t VALUES ('new')"],
])("a file that is written over in place is read anew: %s", async (_, sql) => {
  await using shop = await openShop({ sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('old')" });
  expect(await shop.rows("SELECT a FROM t")).toEqual([["old"]]);
  copyFileSync(makeDatabase(shop.folder.at("new.db"), sql), shop.file);
  const [table] = sql.includes("other") ? ["other"] : ["t"];
  const wanted = rowsOf(shop.file, `SELECT a FROM ${table}`);
  const seen = await soon(
    async () =>
      ((await shop.client.call("read_query", { query: `SELECT a FROM ${table}` })).structuredContent as Json | undefined)?.["rows"],
    (rows) => JSON.stringify(rows) === JSON.stringify(wanted),
  );
  expect(seen).toEqual(wanted);
});

test.each(["delete", "wal"])("what is written to it then is in the tables that it has now, in journal mode %s", async (mode) => {
  await using shop = await openShop({ sql: `PRAGMA journal_mode = ${mode}; CREATE TABLE t (a); INSERT INTO t VALUES (1)` });
  await shop.call("write_query", { query: "INSERT INTO t VALUES (2)" });
  // Nothing of the one before lies in its log.
  rowsOf(shop.file, "PRAGMA wal_checkpoint(TRUNCATE)");
  const made = makeDatabase(
    shop.folder.at("new.db"),
    `PRAGMA journal_mode = ${mode}; CREATE TABLE other (b, a); INSERT INTO other VALUES (1, 1); INSERT INTO other VALUES (2, 2)`,
  );
  expect(countsOf(made)).toEqual(countsOf(shop.file));
  copyFileSync(made, shop.file);
  expect(await shop.told("write_query", { query: "INSERT INTO other VALUES (3, 3)" })).toMatchObject({ changes: 1 });
  expect(rowsOf(shop.file, "SELECT b FROM other")).toEqual([[1], [2], [3]]);
  expect(rowsOf(shop.file, "PRAGMA integrity_check")).toEqual([["ok"]]);
});

test("what another program writes is read, again and again", async () => {
  await using shop = await openShop({ sql: "CREATE TABLE t (a)" });
  using other = opened(shop.file);
  for (let round = 1; round <= 20; round++) {
    other.exec(`INSERT INTO t VALUES (${round})`);
    await shop.call("write_query", { query: `INSERT INTO t VALUES (${round})` });
    expect(await shop.rows("SELECT count(*) FROM t")).toEqual([[2 * round]]);
  }
});
