// Expressions that SQLite runs without an error and that mean something else in other databases: the reply names them, and nothing else.
import { expect, test } from "vitest";
import { silentSlips } from "../../../src/db/sql/silent-slips.ts";
import { parseStatement } from "../../../src/db/sql/statement.ts";
import { openShop, text } from "../../support/shop.ts";

test.each([
  ["SELECT * FROM t WHERE email = NULL", "= NULL is never true: use IS NULL"],
  ["SELECT count(*) FROM t WHERE email <> NULL OR a != NULL", "<> NULL is never true: use IS NOT NULL"],
  ["UPDATE t SET a = 1 WHERE email = NULL", "= NULL is never true: use IS NULL"],
  ["SELECT name + ' ' + city FROM t", "+ adds numbers, and a text counts as 0: join texts by ||"],
  ["UPDATE t SET name = 'Dr. ' + name WHERE id = 1", "+ adds numbers"],
  ["SELECT CURRENT_DATE - 7", "CURRENT_DATE is a text, of which + and - take the year: use date(day, '-7 days')"],
  ["SELECT * FROM t WHERE day > date('now') - 30", "date(…) is a text, of which"],
  ["SELECT date('now') - date(day) FROM t", "julianday(later) - julianday(earlier)"],
  ["SELECT strftime('%B %Y', day) FROM t", "strftime has no %B and gives NULL for it"],
  ["UPDATE t SET status = 'x' AND amount = 5 WHERE id = 2", "AND in SET makes one condition"],
  ["SELECT * FROM t WHERE day >= 2024-02-01", "2024-02-01 without quotes is the number 2021: write '2024-02-01'"],
  ["SELECT * FROM t WHERE status = 'paid' OR 'open'", "OR 'open' is a condition of its own: write column IN"],
  ["SELECT * FROM t WHERE (id = 1 OR 2) AND a = 3", "OR 2 is a condition of its own"],
  ["SELECT data['a'] FROM t", "data['a'] gives data the name 'a'"],
  ["SELECT data[0] FROM t", "data[0] gives data the name 0"],
  ["SELECT CASE status WHEN NULL THEN 'x' ELSE 'y' END FROM t", "WHEN NULL is never true"],
  ["SELECT data->>'a.b' FROM t", "'a.b' is one key of the JSON: a path begins with $, '$.a.b'"],
  ["SELECT data -> 'items[0]' FROM t", "'$.items[0]'"],
  ["SELECT * FROM t WHERE name LIKE 'ç%'", "LIKE ignores the case of A to Z only"],
  ["SELECT * FROM t WHERE lower(name) = 'çelik'", "lower() and upper() change A to Z only"],
  ["SELECT substring(name, 0, 3) FROM t", "substr counts from 1"],
  ["SELECT count(*) * 100 / (SELECT count(*) FROM t) FROM t WHERE a = 1", "/ of two integers leaves out the decimals"],
  ["SELECT count(a) / count(*) FROM t", "/ of two integers"],
  ["SELECT c.name, sum(o.amount) FROM c, o WHERE c.id = o.c", "name comes from an arbitrary row, because there is no GROUP BY"],
  ["SELECT * FROM t WHERE day BETWEEN '2024-12-31' AND '2024-01-01'", "BETWEEN '2024-12-31' AND '2024-01-01' is never true"],
  ["DELETE FROM t WHERE a = 1 AND b BETWEEN 10 AND 9.5 AND c = 2", "BETWEEN 10 AND 9.5 is never true: the lower bound comes first"],
  ["SELECT * FROM t WHERE day >= '2024-2-1'", "'2024-2-1' is compared as text: write '2024-02-01'"],
  ["SELECT * FROM t WHERE day BETWEEN '2024-01-01' AND '2024-12-1 10:00'", "write '2024-12-01 10:00'"],
  ["SELECT * FROM t WHERE day > date('2024-2-11')", "date('2024-2-11') is NULL: write '2024-02-11'"],
  [
    "UPDATE t SET a = 1, price = (SELECT price FROM o ORDER BY id) WHERE id < 3",
    "(SELECT …) without WHERE gives all rows the value of its first row",
  ],
  ["SELECT * FROM t WHERE data ->> 'paid' = 'true' AND a = 1", "->> gives 1 and 0 for true and false of JSON"],
  ["SELECT name AS n, count(*) FROM t", "name comes from an arbitrary row"],
  ["SELECT CAST(placed_at AS DATE) FROM t", "CAST(… AS DATE) gives the number at the start of the text, such as the year: use date(…)"],
  ["SELECT cast(lower(a) AS timestamp) FROM t", "use datetime(…)"],
  ["SELECT FORMAT(placed_at, 'yyyy-MM') FROM t", "format() fills in %d and %s, and leaves 'yyyy-MM' out"],
  ["SELECT strftime(placed_at, '%Y-%m') FROM t", "strftime takes the format first, and is NULL otherwise: write strftime('%Y-%m', day)"],
  ["SELECT date(placed_at, '-2 weeks') FROM t", "'-2 week' is not a step that SQLite knows, and gives NULL: write '-14 days'"],
  ["SELECT date('now', 'start of year', '+1 quarter')", "write '+3 months'"],
  ["SELECT a FROM t WHERE a LIKE '%\\_%'", "LIKE has no escape character unless one is named: add ESCAPE"],
  ["SELECT a FROM t WHERE a LIKE 'A[0-9]%'", "LIKE takes [0-9] as it is written: use GLOB"],
  ["SELECT a FROM t ORDER BY 'Full name' DESC", "ORDER BY 'Full name' sorts by a constant: write the name as \"Full name\""],
])("names the slip in %s", (sql, slip) => {
  const slips = silentSlips(parseStatement(sql));
  expect(slips).toHaveLength(1);
  expect(slips[0]).toContain(slip);
});

test.each([
  "UPDATE t SET a = NULL, b = NULL WHERE c IS NULL",
  "INSERT INTO t VALUES (1, NULL) ON CONFLICT (a) DO UPDATE SET b = NULL",
  "UPDATE t SET a = 1, b = CASE WHEN a = 1 AND b = 2 THEN 1 END, c = (d AND e), f = g BETWEEN 1 AND 2 WHERE a = 1 AND b = 2",
  "SELECT a - 2 - 1, 2024 - id - 5, '2024-02-01' FROM t WHERE a = 1 OR 1 = b OR 'x' = c OR b IN (1, 2)",
  "SELECT a [x], [b 1], t.[0], CASE WHEN a IS NULL THEN NULL END FROM t",
  "SELECT a <> 'NULL', a + 1, '5' + 1, a || ' + ' FROM t",
  "SELECT date('now', '-7 days'), date, current_date, strftime('%Y', a) - strftime('%Y', b), julianday(a) - julianday(b) FROM t",
  "SELECT strftime('%Y-%m-%d %H:%M:%S %j %w %W %f %s %J %%B %F %p', a) FROM t",
  "SELECT data->>'$.a.b', data->'a'->>'b', data->>0 FROM t",
  "SELECT * FROM t WHERE name LIKE 'c%' AND city = 'Köln' AND x LIKE '%€%'",
  "SELECT CAST(a AS INTEGER), (SELECT b AS date), format('%d', a), strftime('%Y', date(a, '-7 days')), a IN ('x', '1 week') FROM t",
  "SELECT a FROM t WHERE a LIKE '%\\_%' ESCAPE '\\' AND b LIKE '[x]%' ORDER BY 'x' || a, \"b\"",
  "SELECT substr(name, 1, 3), substr(name, -3), substr(name, instr(name, 'a'), 0) FROM t",
  "SELECT count(*) * 100.0 / (SELECT count(*) FROM t), sum(a) / count(*), a / 2 FROM t",
  "SELECT name, count(*) FROM t GROUP BY name",
  "SELECT name, max(day) FROM t",
  "SELECT 'all' AS kind, NULL, count(*), sum(a) * 2 AS s FROM t",
  "SELECT name, count(*) OVER () FROM t",
  "SELECT name, (SELECT count(*) FROM o WHERE o.c = t.id) FROM t",
  "SELECT DISTINCT name, a FROM t",
  "SELECT * FROM t WHERE data -> 'paid' = 'true' OR data ->> 'name' = 'truth' OR paid = 'true'",
  "SELECT * FROM t WHERE a BETWEEN 1 AND 2 AND b BETWEEN 5 AND 4 + c AND d NOT BETWEEN 2 AND 1 AND e BETWEEN 'b' AND 'a' AND f BETWEEN -1 AND -2",
  "INSERT INTO t VALUES ('2024-2-1'); ",
  "UPDATE t SET day = '2024-2-1', x = date('2024-02-01') WHERE day = '2024-2-1' AND code > '2024-123-1'",
  "UPDATE t SET a = (SELECT max(a) FROM o), b = (SELECT b FROM o WHERE o.id = t.id), c = (SELECT c FROM o LIMIT 1), d = (SELECT 1)",
  "UPDATE t SET a = 1 WHERE id = (SELECT id FROM o)",
])("names none in %s", (sql) => {
  expect(silentSlips(parseStatement(sql))).toEqual([]);
});

test("stands in the text of each reply", async () => {
  await using shop = await openShop({ sql: "CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t (v) VALUES (NULL), ('a')" });
  const query = "SELECT id FROM t WHERE v = NULL";
  expect(text(await shop.call("read_query", { query }))).toBe("[]\n[= NULL is never true: use IS NULL]");
  expect(text(await shop.call("read_query", { query: `SELECT 1; ${query}` }))).toContain("Statement 2:\n[]\n[= NULL");
  const change = "DELETE FROM t WHERE v = NULL";
  expect(text(await shop.call("write_query", { query: change }))).toBe('[{"affected_rows":0}]\n[= NULL is never true: use IS NULL]');
  expect(text(await shop.call("write_query", { query: change, dry_run: true }))).toContain("[= NULL is never true");
  expect(text(await shop.call("write_query", { query: "INSERT INTO t (v) VALUES ('a' + 'b')" }))).toContain("[+ adds numbers");
  const together = text(await shop.call("run_transaction", { statements: [{ query: change }, { query }] }));
  expect(together.match(/= NULL is never true/g)).toHaveLength(2);
});
