// The rows of a table: counted in a small database, and in a large one near the count, whatever the row ids are.
import { expect, test } from "vitest";
import { estimateRows } from "../../../src/db/schema/row-estimate.ts";
import { openEngine } from "../../support/engine.ts";

const upTo = (count: number, id = "n"): string =>
  `INSERT INTO t WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${count}) SELECT ${id}, 'x' FROM c;`;
const HUGE = "9223372036854775807";

test.each<[title: string, rows: string, least: number, most: number]>([
  ["no rows", "", 0, 0],
  ["rows without gaps", upTo(30_000), 30_000, 30_000],
  ["one huge row id", `${upTo(5000)} INSERT INTO t VALUES (${HUGE}, 'x')`, 5001, 5001],
  ["one huge row id alone", `INSERT INTO t VALUES (${HUGE}, 'x')`, 1, 1],
  ["the lowest and the highest row id", `INSERT INTO t VALUES (-9223372036854775808, 'x'), (${HUGE}, 'x')`, 2, 2],
  ["a block at either end", `${upTo(3000)} ${upTo(3000, "1000000000000 + n")}`, 6000, 6000],
  ["blocks of a thousand", upTo(9000, "n + n / 1000 * 1000000"), 9000, 9000],
  ["random row ids", upTo(2000, "n * 4611686018427387"), 2000, 2000],
  ["every third row id", upTo(9000, "3 * n"), 8500, 9500],
  ["every fourth row deleted", `${upTo(30_000)} DELETE FROM t WHERE id % 4 = 0;`, 22_000, 23_000],
  ["more rows deleted at the end", `${upTo(40_000)} DELETE FROM t WHERE id > 20000 AND id % 10 > 0;`, 18_000, 26_000],
])("is near the count with %s", async (_title, rows, least, most) => {
  await using opened = await openEngine(`CREATE TABLE t (id INTEGER PRIMARY KEY, a); ${rows}`, { write: false });
  const count = opened.engine.db.prepare("SELECT count(*) FROM t").pluck().get();
  expect(estimateRows(opened.engine.db, "t", ["id", "a"])).toBe(count);
  const estimate = estimateRows(opened.engine.db, "t", ["id", "a"], 0);
  expect(estimate).toBeGreaterThanOrEqual(least);
  expect(estimate).toBeLessThanOrEqual(most);
});

test("is left out of a large database where many rows have ids without an order", async () => {
  await using opened = await openEngine(`CREATE TABLE t (id INTEGER PRIMARY KEY, a); ${upTo(20_000, "n * 461168601842738")}`, {
    write: false,
  });
  expect(estimateRows(opened.engine.db, "t", ["id", "a"], 0)).toBeUndefined();
});
