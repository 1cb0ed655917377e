// Texts in double quotes among the VALUES of an INSERT, as MySQL takes them.
import { expect, test } from "vitest";
import { rowsOf } from "../support/databases.ts";
import { openShop, text } from "../support/shop.ts";

const SQL = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, city TEXT)";

test.each([
  [
    'INSERT INTO t ("name", city) VALUES ("name", "Rom"), (\'b\', "it\'s")',
    [
      ["name", "Rom"],
      ["b", "it's"],
    ],
    "'it's', 'name', 'Rom'",
  ],
  ['REPLACE INTO t (id, name, city) VALUES (1, upper("x"), NULL);', [["X", null]], "'x'"],
])("stores %s", async (query, rows, named) => {
  await using shop = await openShop({ sql: SQL });
  const remark = `[VALUES take no names, so read as texts: ${named}]`;
  expect(text(await shop.call("write_query", { query, dry_run: true }))).toContain(remark);
  expect(text(await shop.call("write_query", { query }))).toBe(`[{"affected_rows":${rows.length}}]\n${remark}`);
  expect(rowsOf(shop.file, "SELECT name, city FROM t")).toEqual(rows);
});

test.each([
  'INSERT INTO t (name) SELECT "x"',
  "INSERT INTO t (name) VALUES ('a') RETURNING \"x\"",
  'INSERT INTO t (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET name = "x"',
  'UPDATE t SET name = "x"',
  'DELETE FROM t WHERE name = "x"',
])("refuses %s", async (query) => {
  await using shop = await openShop({ sql: SQL });
  expect(await shop.failure("write_query", { query })).toContain('no such column: "x"');
});
