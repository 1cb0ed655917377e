// Slips that only the data shows: values that a column never holds, and numbers that are stored as text.
import type { Json } from "@oarlock/server-kit/protocol";
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
      CREATE TABLE events (id INTEGER PRIMARY KEY, guid GUID, kind TEXT, created_at DATETIME, published DATETIME, seen_at INTEGER, start_ts INTEGER, size INTEGER, parts INTEGER, free, mixed DATETIME, ratio REAL);
      INSERT INTO events VALUES (1, x'00ff', 'app.entities.movies.Movie', 1714557600000, '1974-05-01 10:00:00', 1714557600000000, 1714557600, 10, 4, 'a', 5, 0.5),
        (2, x'01ff', 'app.entities.shows.Series, with a long name', 1714557700000, '1984-05-31 23:30:00', 1714557700000000, 1714557700, 12, 4, 'b', 'c', 1.5);
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
    "SELECT * FROM events WHERE id = 9",
    "SELECT sum(CASE WHEN status = 'Paid' THEN 1 ELSE 0 END) FROM orders",
    "EXPLAIN QUERY PLAN SELECT * FROM orders WHERE status = 'Paid'",
  ])("gives no remark on %s", async (query) => {
    expect(await remarksOf(query)).toEqual([]);
  });
});

describe("a change of no row", () => {
  const changed = async (name: string, args: object): Promise<string> => text(await shop.call(name, args as Json));
  test("names the value that the column never holds", async () => {
    const remark = "[status is never 'Paid': it is 'open', NULL, 'paid']";
    for (const query of ["UPDATE orders SET status = 'x' WHERE status = 'Paid'", "DELETE FROM orders WHERE status = 'Paid' AND id > 0"]) {
      expect(await changed("write_query", { query })).toContain(remark);
      expect(await changed("write_query", { query, dry_run: true })).toContain(remark);
      expect(await changed("run_transaction", { statements: [{ query }] })).toContain(remark);
    }
  });

  test("stays without a remark where a row was changed, or none had to be", async () => {
    for (const query of ["UPDATE orders SET note = 'gone' WHERE id = 1", "DELETE FROM orders WHERE status = 'paid' AND id > 1000"])
      expect(await changed("write_query", { query })).not.toContain("never");
  });
});

describe("a column of another kind", () => {
  test.each([
    ["SELECT id FROM events WHERE guid = '00ff'", "[guid is never '00ff': it holds BLOBs, such as x'00ff']"],
    ["SELECT id FROM events WHERE kind = 'Movie'", "[kind is never 'Movie': it is 'app.entities.movies.Movie', 'app.entities.shows.Series"],
    [
      "SELECT id FROM events WHERE created_at < '2020-01-01'",
      "[created_at holds numbers such as 1714557600000, and each number is less than the text '2020-01-01': use datetime(created_at / 1000, 'unixepoch')]",
    ],
    [
      "SELECT id FROM events WHERE published > '2000'",
      "[published holds texts such as '1974-05-01 10:00:00', and each text is greater than the number 2000: write '2000-01-01']",
    ],
    [
      "SELECT id FROM events e WHERE e.free >= 2018 AND id > 0",
      "[free holds texts such as 'a', and each text is greater than the number 2018]",
    ],
    ["SELECT id FROM events WHERE seen_at BETWEEN '2024-05-01' AND 'now'", "[seen_at holds numbers such as 1714557600000000"],
    [
      "SELECT id FROM events WHERE published BETWEEN '1984-05-01' AND '1984-05-31'",
      "[published has times: '1984-05-31 23:30:00' is later than '1984-05-31', so add the time or use < the next day]",
    ],
    ["SELECT datetime(seen_at, 'unixepoch') FROM events", "[seen_at is read by datetime(seen_at / 1000000, 'unixepoch')]"],
    ["SELECT strftime('%Y', e.created_at) FROM events e", "[created_at is read by datetime(created_at / 1000, 'unixepoch')]"],
    ["SELECT date(start_ts) FROM events", "[start_ts is read by datetime(start_ts, 'unixepoch')]"],
    ["SELECT sum(size / parts) FROM events", "[size / parts leaves out the decimals: multiply by 1.0 first]"],
  ])("gives a remark on %s", async (query, remark) => {
    const [first = ""] = await remarksOf(query);
    expect(first).toContain(remark);
  });

  test.each([
    "SELECT id FROM events WHERE created_at < 1800000000000 AND published > '1980-01-01' AND published <= '1984-05-30'",
    "SELECT id FROM events WHERE mixed > 3 AND mixed < 'd' AND ratio < 1 AND ratio > '0.1' AND id > 0",
    "SELECT datetime(seen_at / 1000000, 'unixepoch'), datetime(start_ts, 'unixepoch'), date(published), strftime('%Y', published) FROM events",
    "SELECT 1.0 * size / parts, size / 4, start_ts / id, size * 100 / parts FROM events",
    "SELECT id FROM customers WHERE name > 5",
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

describe("texts in sums and means", () => {
  test.each([
    ["SELECT avg(city) FROM orders", "city"],
    ["SELECT status, sum(CAST(o.note AS REAL)) AS s FROM orders o GROUP BY status", "note"],
    ["SELECT total(DISTINCT published) FROM events", "published"],
  ])("give a remark on %s", async (query, column) => {
    expect(await remarksOf(query)).toEqual([
      expect.stringMatching(new RegExp(`^.sum\\(\\) and avg\\(\\) read texts of ${column} such as '.+' in part or as 0.$`)),
    ]);
  });

  test.each([
    "SELECT sum(amount), avg(CAST(amount AS INTEGER)), total(ratio) FROM orders, events WHERE events.id = 1",
    "SELECT avg(length(city)), sum(city = 'x'), sum(created_at) FROM orders, events WHERE events.id = 1",
    "SELECT avg(n) FROM (SELECT id AS n, city FROM orders)",
  ])("give no remark on %s", async (query) => {
    expect(await remarksOf(query)).toEqual([]);
  });
});
