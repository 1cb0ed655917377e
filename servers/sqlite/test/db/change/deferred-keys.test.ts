// Deferred foreign keys are checked at COMMIT, and by a dry run too.
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "../../support/databases.ts";
import { openShop, type Shop } from "../../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, p REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1, 1);
      PRAGMA foreign_keys = OFF; INSERT INTO child VALUES (2, 77);`,
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

const BROKEN = /^(?:FOREIGN KEY constraint failed|Statement \d: FOREIGN)/;

test.each([
  "INSERT INTO child VALUES (3, 99)",
  "UPDATE child SET p = 5 WHERE id = 1",
  "DELETE FROM parent WHERE id = 1",
  "DROP TABLE parent",
])("refuses %s, also as a dry run", async (query) => {
  for (const dry_run of [true, false]) {
    const args = query.startsWith("DROP") ? { dry_run: true } : { dry_run };
    expect(await shop.failure("write_query", { query, ...args })).toMatch(BROKEN);
    expect(await shop.failure("run_transaction", { statements: [{ query }], ...args })).toMatch(BROKEN);
  }
  expect(rowsOf(shop.file, "SELECT id, p FROM child")).toEqual([
    [1, 1],
    [2, 77],
  ]);
});

test("accepts a change with complete keys at its end beside rows that were invalid before", async () => {
  const statements = [{ query: "INSERT INTO child VALUES (4, 9)" }, { query: "INSERT INTO parent VALUES (9)" }];
  expect(await shop.structured("run_transaction", { statements, dry_run: true })).toMatchObject({ changes: 2, rolledBack: true });
  expect(await shop.structured("write_query", { query: "INSERT INTO child VALUES (5, 1)", dry_run: true })).toMatchObject({ changes: 1 });
  expect(await shop.structured("run_transaction", { statements })).toMatchObject({ changes: 2, rolledBack: false });
});

test("refuses an import_csv with invalid keys, also as a dry run", async () => {
  writeFileSync(shop.folder.at("child.csv"), "id,p\n10,1\n11,99\n");
  for (const dry_run of [true, false])
    expect(await shop.failure("import_csv", { path: "child.csv", table: "child", dry_run })).toMatch(BROKEN);
  writeFileSync(shop.folder.at("whole.csv"), "id,p\n12,1\n");
  for (const dry_run of [true, false])
    expect(await shop.structured("import_csv", { path: "whole.csv", table: "child", dry_run })).toMatchObject({
      rows: 1,
      rolledBack: dry_run,
    });
});
