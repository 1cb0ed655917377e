// A file that a copying program overwrites in place: its inode stays the same, and its change counters may be the same.
import { copyFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeDatabase, openDatabase, rowsOf } from "../../support/databases.ts";
import { openShop } from "../../support/shop.ts";

/** Only a server that does not notice the change takes so long. */
const HANG_MS = 30_000;

/** The counters by which SQLite notices that its cache is outdated. */
function changeCounters(file: string): unknown[] {
  return [rowsOf(file, "SELECT count(*) FROM sqlite_schema"), rowsOf(file, "PRAGMA schema_version")];
}

test.each([
  ["the same tables", "CREATE TABLE t (a); INSERT INTO t VALUES ('new')"],
  ["another table in place of the first", "CREATE TABLE other (b, a); INSERT INTO other VALUES (1, 'wrong')"],
  ["other change counters", "CREATE TABLE u (a); CREATE TABLE t (a); INSERT INTO t VALUES ('new')"],
])("read_query reads an overwritten file with %s", async (_, sql) => {
  await using shop = await openShop({ sql: "CREATE TABLE t (a); INSERT INTO t VALUES ('old')" });
  expect(await shop.rows("SELECT a FROM t")).toEqual([["old"]]);
  copyFileSync(makeDatabase(shop.folder.at("new.db"), sql), shop.file);
  const [table] = sql.includes("other") ? ["other"] : ["t"];
  const wanted = rowsOf(shop.file, `SELECT a FROM ${table}`);
  const seen = await waitUntil(
    async () =>
      ((await shop.client.call("read_query", { query: `SELECT a FROM ${table}` })).structuredContent as Json | undefined)?.["rows"],
    (rows) => JSON.stringify(rows) === JSON.stringify(wanted),
    HANG_MS,
  );
  expect(seen).toEqual(wanted);
});

test.each(["delete", "wal"])("write_query writes to the tables of an overwritten file in journal mode %s", async (mode) => {
  await using shop = await openShop({ sql: `PRAGMA journal_mode = ${mode}; CREATE TABLE t (a); INSERT INTO t VALUES (1)` });
  await shop.call("write_query", { query: "INSERT INTO t VALUES (2)" });
  // The WAL of the first file is empty.
  rowsOf(shop.file, "PRAGMA wal_checkpoint(TRUNCATE)");
  const replacement = makeDatabase(
    shop.folder.at("new.db"),
    `PRAGMA journal_mode = ${mode}; CREATE TABLE other (b, a); INSERT INTO other VALUES (1, 1); INSERT INTO other VALUES (2, 2)`,
  );
  expect(changeCounters(replacement)).toEqual(changeCounters(shop.file));
  copyFileSync(replacement, shop.file);
  expect(await shop.structured("write_query", { query: "INSERT INTO other VALUES (3, 3)" })).toMatchObject({ changes: 1 });
  expect(rowsOf(shop.file, "SELECT b FROM other")).toEqual([[1], [2], [3]]);
  expect(rowsOf(shop.file, "PRAGMA integrity_check")).toEqual([["ok"]]);
});

test("read_query sees each write of another program", async () => {
  await using shop = await openShop({ sql: "CREATE TABLE t (a)" });
  using other = openDatabase(shop.file);
  for (let round = 1; round <= 10; round++) {
    other.exec(`INSERT INTO t VALUES (${round})`);
    await shop.call("write_query", { query: `INSERT INTO t VALUES (${round})` });
    expect(await shop.rows("SELECT count(*) FROM t")).toEqual([[2 * round]]);
  }
});
