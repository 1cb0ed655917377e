// A change of all rows of a table by a statement without WHERE is named as such.
import { expect, test } from "vitest";
import { openShop, text } from "../support/shop.ts";

const SQL = `CREATE TABLE t (id INTEGER PRIMARY KEY, v, UNIQUE (v)); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');
  CREATE TABLE s (id, v); INSERT INTO s VALUES (1, 'x'), (2, 'y'); CREATE TABLE one (v); INSERT INTO one VALUES (1)`;

test.each([
  ["UPDATE t SET v = v || '!'", "All 3 rows of t were changed: the UPDATE has no WHERE."],
  ["UPDATE t SET v = id + (SELECT count(*) FROM s WHERE s.id > 1)", "All 3 rows of t were changed: the UPDATE has no WHERE."],
  ["WITH x AS (SELECT 1 WHERE 1) UPDATE t SET v = id RETURNING v", "All 3 rows of t were changed: the UPDATE has no WHERE."],
  ["DELETE FROM t", "All 3 rows of t were deleted: the DELETE has no WHERE."],
])("names the whole table after %s", async (query, remark) => {
  await using shop = await openShop({ sql: SQL });
  const dry = text(await shop.call("write_query", { query, dry_run: true }));
  expect(query.includes("RETURNING") || dry.includes(remark.replace("were", "would be"))).toBe(true);
  expect(text(await shop.call("write_query", { query }))).toContain(remark);
});

test.each([
  "UPDATE t SET v = id WHERE id > 0",
  "UPDATE t SET v = s.v FROM s JOIN t AS other ON other.id = s.id WHERE s.id = t.id",
  "UPDATE OR IGNORE t SET v = 'same'",
  "DELETE FROM one",
  "INSERT INTO one VALUES (2)",
])("names no whole table after %s", async (query) => {
  await using shop = await openShop({ sql: SQL });
  expect(text(await shop.call("write_query", { query }))).not.toContain("All ");
});

test("names the whole tables of a transaction", async () => {
  await using shop = await openShop({ sql: SQL });
  const statements = [{ query: "UPDATE s SET v = 1" }, { query: "UPDATE t SET v = 'z' WHERE id = 1" }];
  expect(text(await shop.call("run_transaction", { statements }))).toContain("changed (UPDATE 2, UPDATE 1). All 2 rows of s were changed:");
});
