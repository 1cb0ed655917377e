// The full list of tables names columns whose texts have several forms of dates or numbers, from rows of the whole table.
import { expect, test } from "vitest";
import { mixedForms } from "../../../src/db/schema/mixed-forms.ts";
import { openEngine } from "../../support/engine.ts";
import { openShop } from "../../support/shop.ts";

const SERIES = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000)";

test("names forms that the first rows do not have, with their share", async () => {
  await using shop = await openShop({
    sql: `CREATE TABLE orders (id INTEGER PRIMARY KEY, ordered_at TEXT, total TEXT, price REAL, note TEXT);
      ${SERIES} INSERT INTO orders SELECT i, iif(i > 17778, '12.03.2024', '2024-03-' || printf('%02d', 1 + i % 28)),
        CASE WHEN i < 10000 THEN '12.50' WHEN i < 15000 THEN '1.250,00' ELSE '7 EUR' END, iif(i % 50 = 0, '9,95', 2.5), 'order ' || i FROM c;`,
  });
  const [orders] = (await shop.structured("list_tables", { detail: "full" }))["tables"] as Record<string, unknown>[];
  expect(orders?.["forms"]).toEqual({
    ordered_at: expect.stringMatching(/^also "12\.03\.2024": (?:10|11|12) %$/),
    total: expect.stringMatching(/^also "(?:1\.250,00|7 EUR)": 2\d %, "(?:1\.250,00|7 EUR)": 2\d %$/),
    price: expect.stringMatching(/^also "9,95": [1-3] %$/),
  });
  const [summary] = (await shop.structured("list_tables"))["tables"] as object[];
  expect(summary).not.toHaveProperty("forms");
});

test.each<[name: string, sql: string, forms: Record<string, string>]>([
  ["dates with and without a time", "('2024-01-02'), ('2024-01-03 10:00'), ('2024-01-04T10:00:00')", {}],
  ["plain numbers, one of them in a text", "(1), (2), ('3'), (4.5)", {}],
  ["codes and names", "('A-1'), ('1.2'), ('x'), ('y'), ('z')", {}],
  ["two values", "('2024-01-02'), ('02.01.2024')", {}],
  ["long texts", "('2024-01-02'), ('2024-01-02'), ('2024-01-02'), (printf('%.*c', 5000, '7'))", {}],
  ["days written in two orders", "('01/02/2024'), ('2024-01-02'), ('2024-01-02'), (NULL)", { v: 'also "01/02/2024": 33 %' }],
  ["a month by its name", "('2024-01-02'), ('2024-01-02'), ('3 Mar 2024')", { v: 'also "3 Mar 2024": 33 %' }],
])("for %s", async (_name, values, forms) => {
  for (const options of ["", "WITHOUT ROWID"]) {
    await using opened = await openEngine(
      `CREATE TABLE t (id INTEGER PRIMARY KEY, v) ${options}; INSERT INTO t SELECT row_number() OVER (), column1 FROM (VALUES ${values});`,
    );
    expect(mixedForms(opened.engine.db, "t")).toEqual(forms);
  }
});
