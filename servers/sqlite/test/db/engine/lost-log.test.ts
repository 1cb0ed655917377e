// A log (-wal) that is deleted while the database is open: SQLite goes on with the file that has lost its name.
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { openShop } from "../../support/shop.ts";

test("write_query loses no change when the log is deleted before and after it", async () => {
  await using shop = await openShop({ sql: "PRAGMA journal_mode = wal; CREATE TABLE t (a); INSERT INTO t VALUES (1)" });
  for (let round = 2; round <= 4; round++) {
    await shop.call("write_query", { query: `INSERT INTO t VALUES (${round})` });
    expect(await shop.rows("SELECT max(a) FROM t")).toEqual([[round]]);
    rmSync(`${shop.file}-wal`, { force: true });
  }
  await shop.call("write_query", { query: "INSERT INTO t VALUES (5)" });
  expect(await shop.rows("SELECT a FROM t")).toEqual([[1], [2], [3], [4], [5]]);
  // As another program sees it, also after this process is killed.
  expect(rowsOf(shop.file, "SELECT a FROM t")).toEqual([[1], [2], [3], [4], [5]]);
  expect(rowsOf(shop.file, "PRAGMA integrity_check")).toEqual([["ok"]]);
});
