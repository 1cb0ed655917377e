// Numbers that are passed as texts: they are numbers where the statement compares them with numbers, and texts everywhere else.
import { expect, test } from "vitest";
import type { Params } from "../../../src/db/sql/parameters.ts";
import { numericParameters } from "../../../src/db/sql/numeric-operands.ts";
import { tokensOf } from "../../../src/db/sql/tokens.ts";
import { openEngine, change } from "../../support/engine.ts";
import { openShop } from "../../support/shop.ts";

const SQL = `
  CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, price REAL, qty INTEGER, code TEXT, loose);
  INSERT INTO items VALUES (1, 'pen', 'a', 40.0, 2, '070', 5), (2, 'ink', 'a', 10, 3, '70', '5'), (3, '7 up', 'b', 99.5, NULL, 'x70', 7);
  CREATE TABLE logs (at TEXT, qty TEXT);
`;

test.each<[query: string, params: Params, rows: unknown[][]]>([
  ["SELECT id FROM items WHERE price * 2 > ?", ["70"], [[1], [3]]],
  ["SELECT id FROM items WHERE ? < price * 2", ["70"], [[1], [3]]],
  ["SELECT id FROM items WHERE (price + 1) * qty >= :least", { least: " 8e1 " }, [[1]]],
  ["SELECT id FROM items WHERE price * 2 BETWEEN ? AND ?", ["70", "90"], [[1]]],
  ["SELECT id FROM items WHERE price * 2 NOT BETWEEN ?2 AND ?1", ["90", "70"], [[2], [3]]],
  ["SELECT id FROM items WHERE length(name) IN (?, ?)", ["4", "9"], [[3]]],
  ["SELECT id FROM items WHERE length(name) NOT IN (?, 4)", ["3"], []],
  ["SELECT kind FROM items GROUP BY kind HAVING count(*) = ?", ["2"], [["a"]]],
  ["SELECT kind, sum(price) AS spent FROM items GROUP BY kind HAVING spent > ?", ["60"], [["b", 99.5]]],
  ["SELECT kind, max(price) most FROM items GROUP BY kind HAVING most > ?", ["60"], [["b", 99.5]]],
  ["SELECT id FROM items WHERE coalesce(qty, 0) < ?", ["1"], [[3]]],
  ["SELECT id FROM items WHERE CASE WHEN qty IS NULL THEN 0 ELSE price END > $1", ["20"], [[1]]],
  ["SELECT id FROM items WHERE (SELECT count(*) FROM items) = ? AND id = 1", ["3"], [[1]]],
  ["SELECT id FROM (SELECT id, price * qty AS worth FROM items) WHERE worth > ?", ["50"], [[1]]],
  ["WITH w AS (SELECT id, price * qty AS worth FROM items) SELECT id FROM w WHERE w.worth <> @worth", { "@worth": "80" }, [[2]]],
  ["SELECT id FROM items WHERE -price < ? AND +qty = ?", ["-20", "2"], [[1]]],
  ["SELECT id FROM items WHERE price > ? LIMIT ?", ["5", "1"], [[1]]],
  ["SELECT id FROM items WHERE qty * 1 = ?", ["9007199254740993"], []],
  // Texts stay texts where one is meant.
  ["SELECT id FROM items WHERE code = ?", ["70"], [[2]]],
  ["SELECT id FROM items WHERE substr(name, 1, 1) = ?", ["7"], [[3]]],
  ["SELECT id FROM items WHERE coalesce(code, '-') = ?", ["70"], [[2]]],
  ["SELECT id FROM items WHERE loose = ?", ["5"], [[2]]],
  ["SELECT id FROM items WHERE max(code, name) = ?", ["70"], []],
  ["SELECT typeof(?)", ["7"], [["text"]]],
  ["SELECT id FROM items WHERE ? || '' = code", ["70"], [[2]]],
  ["SELECT id FROM items WHERE json_object('a', code) ->> '$.a' = ?", ["70"], [[2]]],
  ["SELECT id FROM items WHERE length(name) = :n OR code = :n", { n: "4" }, []],
  ["SELECT id FROM items WHERE length(name) = ?", ["four"], []],
])("%s with %j", async (query, params, rows) => {
  await using shop = await openShop({ sql: SQL });
  expect(await shop.rows(query, { params })).toEqual(rows);
});

test("changes compare such texts with numbers, and store texts as they are", async () => {
  await using opened = await openEngine(SQL);
  expect(change(opened, "UPDATE items SET code = ? WHERE price * qty > ?", { params: ["007", "50"], maxChanges: 9 }).changes).toBe(1);
  expect(change(opened, "DELETE FROM items WHERE price * 2 > :x", { params: { x: "150" }, maxChanges: 9 }).changes).toBe(1);
  expect(opened.engine.db.prepare("SELECT code FROM items").pluck().all()).toEqual(["007", "70"]);
});

test("ends where aliases refer to each other in many ways", () => {
  const names = Array.from({ length: 60 }, (_, at) => `coalesce(n${at}, n${at}) AS n${at + 1}`);
  const tokens = tokensOf(`SELECT 1 AS n0, ${names.join(", ")} FROM t WHERE n60 = ? AND n3 = ?`);
  expect([...numericParameters(tokens, () => false)]).toEqual([]);
});

test("follows aliases in a circle to an end", () => {
  const tokens = tokensOf("SELECT a + 0 AS b, coalesce(b) AS c, coalesce(c) AS d, coalesce(e) AS e FROM t WHERE d = ? AND e = ?");
  expect([...numericParameters(tokens, () => false)]).toEqual([0]);
});
