// Slips that only the data shows: values that a column never holds, and numbers that are stored as text.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openShop, text, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({
    sql: `CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, vip INTEGER, paid TEXT, day TEXT, amount TEXT, year TEXT, zip TEXT, city TEXT, note TEXT);
      INSERT INTO orders (status, vip, paid, day, amount, year, zip, city, note)
        SELECT CASE value % 3 WHEN 0 THEN 'paid' WHEN 1 THEN 'open' END, value % 2, CASE value % 2 WHEN 0 THEN 'yes' ELSE 'no' END,
          date('2024-01-01', '+' || value || ' days'), value * 7, 2000 + value % 20, printf('%05d', value * 997), 'Ort ' || char(65 + value % 26), 'x' || value
        FROM generate_series_like;
      UPDATE orders SET city = 'Ängelholm' WHERE id = 3;
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT);
      CREATE VIEW v AS SELECT * FROM orders;`.replace(
      "generate_series_like",
      "json_each('[' || (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 30) SELECT group_concat(x) FROM n) || ']')",
    ),
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

const remarksOf = async (query: string, more: object = {}): Promise<string[]> =>
  text(await shop.call("read_query", { query, ...more }))
    .split("\n")
    .filter((line) => /^\[[a-z]/i.test(line));

describe("a value that the column never holds", () => {
  test.each([
    ["SELECT * FROM orders WHERE status = 'Paid'", "[status is never 'Paid': it is 'open', NULL, 'paid']"],
    ["SELECT count(*) FROM orders o WHERE o.status = 'Paid'", "[status is never 'Paid': it is 'open', NULL, 'paid']"],
    ["SELECT * FROM orders WHERE vip = 'true'", "[vip is never 'true': it is 1, 0]"],
    ["SELECT * FROM orders WHERE paid = true AND status = 'open'", "[paid is never 1: it is 'no', 'yes']"],
    ["SELECT * FROM orders WHERE day = '2024-1-5'", "[day is never '2024-1-5': its values are such as '2024-01-02']"],
    ["SELECT id FROM orders WHERE city = 'ängelholm'", "[city is never 'ängelholm': it is 'Ängelholm']"],
    ["SELECT id FROM orders WHERE city = 'Ort B '", "[city is never 'Ort B ': it is 'Ort B']"],
    ["SELECT o.id FROM orders o JOIN customers c ON c.id = o.id WHERE o.status == 'Paid' AND c.name = 'x'", "[status is never"],
  ])("gives a remark on %s", async (query, remark) => {
    expect(await remarksOf(query)).toEqual([expect.stringContaining(remark)]);
  });

  test("gives a remark on a parameter", async () => {
    expect(await remarksOf("SELECT id FROM orders WHERE id > ? AND status = ?", { params: [0, "OPEN"] })).toEqual([
      "[status is never 'OPEN': it is 'open', NULL, 'paid']",
    ]);
    expect(await remarksOf("SELECT id FROM orders WHERE status = :s", { params: { s: "OPEN" } })).toHaveLength(1);
  });

  test.each([
    "SELECT * FROM orders WHERE status = 'paid' AND vip = 7 OR status = 'gone' AND status = 'open' AND NOT vip",
    "SELECT count(*) FROM orders WHERE status = 'Paid' OR status = 'paid'",
    "SELECT * FROM orders WHERE status = 'paid' AND id > 1000",
    "SELECT * FROM orders WHERE lower(status) = 'Paid'",
    "SELECT * FROM orders WHERE note = 'x99'",
    "SELECT * FROM orders WHERE id = 99",
    "SELECT upper(status) AS status FROM orders WHERE status = 'PAIDX'",
    "SELECT * FROM orders WHERE NOT status = 'Paid' AND id > 1000",
    "SELECT * FROM v WHERE status = 'Paid'",
    "SELECT * FROM customers WHERE name = 'x'",
    "SELECT sum(CASE WHEN status = 'Paid' THEN 1 ELSE 0 END) FROM orders",
    "EXPLAIN QUERY PLAN SELECT * FROM orders WHERE status = 'Paid'",
  ])("gives no remark on %s", async (query) => {
    expect(await remarksOf(query)).toEqual([]);
  });
});

describe("numbers as text", () => {
  const REMARK = "[amount has numbers as text, where '9' > '10': use CAST(amount AS REAL)]";
  test.each([
    "SELECT id FROM orders WHERE amount > 100 LIMIT 1",
    "SELECT id FROM orders o WHERE o.amount <= 50 AND vip = 1 LIMIT 1",
    "SELECT id FROM orders ORDER BY amount DESC LIMIT 1",
    "SELECT max(amount) FROM orders",
  ])("give a remark on %s", async (query) => {
    expect(await remarksOf(query)).toEqual([REMARK]);
  });

  test("give a remark on a parameter", async () => {
    expect(await remarksOf("SELECT id FROM orders WHERE amount > ? LIMIT 1", { params: [100] })).toEqual([REMARK]);
  });

  test.each([
    "SELECT id FROM orders WHERE year > 2005 LIMIT 1",
    "SELECT year, max(year) FROM orders ORDER BY year LIMIT 1",
    "SELECT id FROM orders ORDER BY zip LIMIT 1",
    "SELECT id FROM orders WHERE day > '2024-01-05' ORDER BY day LIMIT 1",
    "SELECT id FROM orders WHERE CAST(amount AS REAL) > 100 ORDER BY amount + 0 LIMIT 1",
    "SELECT CAST(amount AS REAL) AS amount FROM orders ORDER BY amount LIMIT 1",
    "SELECT id FROM orders WHERE amount = 7 ORDER BY note LIMIT 1",
  ])("give no remark on %s", async (query) => {
    expect(await remarksOf(query)).toEqual([]);
  });
});
