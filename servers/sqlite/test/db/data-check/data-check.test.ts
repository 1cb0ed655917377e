// The data check: each finding has a count, two examples and a query that returns as many rows; clean data has none.
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkData, type DataReply } from "../../../src/db/data-check/data-check.ts";
import { openEngine } from "../../support/engine.ts";
import { openShop, text, type Shop } from "../../support/shop.ts";

const SQL = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT, city TEXT, joined TEXT);
  INSERT INTO customers VALUES (1, 'ada@example.org', 'Paris', '2026-01-02'), (2, 'Ada@Example.org ', 'Paris', '03.01.2026'), (3, 'bob@example.org', 'paris', '2026-01-04'),
    (4, 'eve@example.org', 'Rome', '1/5/2026'), (5, 'EVE@example.org', 'Rome', '2026-01-06'), (6, 'joe@example.org', 'Rome', '2026-01-07');
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT, price TEXT, quantity INT, note TEXT, declared INT REFERENCES customers(id));
  INSERT INTO orders VALUES (1, 1, '12.50', 1, 'a b', 1), (2, 2, '1,234.50', 2, 'c', 1), (3, 99, '7', 3, 'd', 1), (4, NULL, '8,50', 'four', 'e', 1), (5, 3, '9', 5, 'f', 1), (6, 98, '10 EUR', '', 'g', 1), (7, 4, '11.5', 7, 'h', 1);
  CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT); INSERT INTO moz_places VALUES (1, 'a'), (2, 'b');
  CREATE TABLE moz_visits (id INTEGER PRIMARY KEY, place_id INT, parentID INT); INSERT INTO moz_visits VALUES (1, 1, NULL), (2, 2, 1), (3, 3, 2);
  CREATE TABLE items (itemID INTEGER PRIMARY KEY); INSERT INTO items VALUES (1), (2);
  CREATE TABLE notes (noteID INTEGER PRIMARY KEY, itemID INT); INSERT INTO notes VALUES (1, 1), (2, 2), (3, 7);
  CREATE TABLE clean (id INTEGER PRIMARY KEY, code TEXT, day TEXT, zip TEXT, amount REAL); INSERT INTO clean VALUES (1, 'x1', '2026-01-01', '01234', 1), (2, 'x2', '2026-01-02 10:00', '04321', 2.5), (3, 'x3', '2026-01-03', '09999', 3);
`;

let shop: Shop;
let data: DataReply;
beforeAll(async () => {
  shop = await openShop({ sql: SQL });
  ({ data } = (await shop.structured("check_database", { checks: ["data"] })) as unknown as { data: DataReply });
});
afterAll(() => shop[Symbol.asyncDispose]());

test("finds data that differs from what it looks like, with counts and examples", () => {
  expect(data.findings.map(({ kind, table, column, count, examples }) => [kind, table, column, count, ...examples])).toEqual([
    ["duplicate", "customers", "email", 4, "ada@example.org", "Ada@Example.org "],
    ["spelling", "customers", "city", 1, "paris"],
    ["form", "customers", "joined", 2, "03.01.2026", "1/5/2026"],
    ["link", "moz_visits", "place_id", 1, 3],
    ["link", "notes", "itemID", 1, 7],
    ["link", "orders", "customer_id", 2, 99, 98],
    ["form", "orders", "price", 3, "1,234.50", "8,50"],
    ["sum", "orders", "price", 3, "1,234.50", "8,50"],
    ["type", "orders", "quantity", 2, "four", ""],
  ]);
  expect(data.findings.map(({ rows }) => rows).slice(0, 4)).toEqual([{ id: [1, 2] }, { id: [3] }, { id: [2, 4] }, { id: [3] }]);
  expect(data).not.toHaveProperty("notChecked");
});

test("names the target of a link, and its orphans and NULLs", () => {
  const link = data.findings.find(({ kind, table }) => kind === "link" && table === "orders");
  expect(link?.problem).toBe("It looks like a link to customers.id without a foreign key. Orphans: 2 of 6 values; NULLs: 1.");
});

test("names links without orphans in short", () => {
  expect(data).toMatchObject({ linksWithoutForeignKey: ["moz_visits.parentID -> moz_visits.id, 1 NULL"] });
});

test("gives a query that returns as many rows as it counts", async () => {
  for (const { query, count } of data.findings)
    expect(await shop.structured("read_query", { query }), query).toMatchObject({ rowCount: count });
});

test("names words in other capitals or with blanks, where few words repeat", async () => {
  await using own = await openEngine(`CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT, name TEXT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 40)
    INSERT INTO t SELECT i, CASE i % 10 WHEN 0 THEN 'PAID' WHEN 1 THEN 'paid ' WHEN 2 THEN 'it''s' ELSE 'paid' END, 'n' || i FROM c;
    INSERT INTO t VALUES (50, '', 'x'), (51, ' ', 'y');`);
  const { findings } = checkData(own.engine.db);
  expect(findings.map(({ kind, column, count }) => [kind, column, count])).toEqual([["spelling", "state", 8]]);
  expect(findings[0]?.query).toBe("SELECT * FROM \"t\" WHERE \"state\" COLLATE BINARY IN ('PAID', 'paid ')");
});

test("leaves out the data by default, and counts findings as no damage", async () => {
  const byDefault = await shop.call("check_database");
  expect(byDefault.structuredContent).not.toHaveProperty("data");
  expect(text(byDefault)).toMatch(/^(?:not )?ok.*\nNot run: integrity_check \(.*\) and data \(.*\); name them in checks\.\n/);
  expect(text(await shop.call("check_database", { checks: ["data"] }))).toMatch(
    /^ok; the data has 9 findings, see below\ndata: \{"findings":/,
  );
});

test("checks the first rows of a large table, and says how many", async () => {
  await using large = await openEngine(`CREATE TABLE t (id INTEGER PRIMARY KEY, n INT);
    WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 50001) INSERT INTO t SELECT i, iif(i IN (5, 50001), 'odd', i) FROM c`);
  const { findings } = checkData(large.engine.db);
  expect(findings).toMatchObject([{ kind: "type", column: "n", count: 1, rowsChecked: 50_000 }]);
  expect(large.engine.db.prepare(findings[0]?.query ?? "").all()).toHaveLength(2);
});

test("knows months by their names", async () => {
  await using months = await openEngine(
    `CREATE TABLE t (id INTEGER PRIMARY KEY, day TEXT); INSERT INTO t (day) VALUES ('2026-01-31'), ('2026-02-01'), ('3. März 2026'), ('12-JAN-26')`,
  );
  expect(checkData(months.engine.db).findings).toMatchObject([
    { kind: "form", column: "day", count: 2, examples: ["3. März 2026", "12-JAN-26"] },
  ]);
});

test("ends in time, and names the tables that it has not checked", async () => {
  await using opened = await openEngine("CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE b (x); INSERT INTO b VALUES (2)");
  const reason = "the check ends after -1 seconds";
  expect(checkData(opened.engine.db, -1000)).toEqual({
    findings: [],
    notChecked: [
      { table: "a", reason },
      { table: "b", reason },
    ],
  });
});
