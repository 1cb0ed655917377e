// Advice on indexes where the data decides: joins need indexes on several tables, and most rows have some values.
import { beforeAll, afterAll, expect, test } from "vitest";
import { explainPlan } from "../../../src/db/analysis/query-plan.ts";
import type { Params } from "../../../src/db/sql/parameters.ts";
import { openEngine, type OpenedEngine } from "../../support/engine.ts";

const series = (rows: number): string => `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${rows})`;
const SQL = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, ordered_at TEXT, status TEXT, total REAL);
  CREATE TABLE order_items (id INTEGER PRIMARY KEY, order_id INTEGER, product_id INTEGER, qty INTEGER);
  CREATE TABLE products (id INTEGER PRIMARY KEY, category TEXT);
  ${series(4000)} INSERT INTO customers SELECT i, 'n' || i, 'e' || i FROM c;
  ${series(20000)} INSERT INTO orders SELECT i, 1 + (i * 7919) % 4000, date('2023-01-01', (i % 700) || ' days'), iif(i % 10, 'paid', 'open'), i % 500 FROM c;
  ${series(40000)} INSERT INTO order_items SELECT i, 1 + (i * 31) % 20000, 1 + i % 300, 1 + i % 10 FROM c;
  ${series(300)} INSERT INTO products SELECT i, 'k' || i % 12 FROM c;
`;

let opened: OpenedEngine;
beforeAll(async () => {
  opened = await openEngine(SQL);
});
afterAll(() => opened[Symbol.asyncDispose]());

const adviceFor = (sql: string, params?: Params): string[] =>
  explainPlan(opened.engine, { op: "plan", sql, params })
    .suggestions.map((one) => /ON (.*)$/.exec(one.sql)?.[1]?.replaceAll('"', "").replace(" (", "(").replaceAll(", ", ",") ?? "")
    .toSorted();

test.each<[sql: string, indexes: string[], params?: Params]>([
  [
    "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.email = 'e77' AND o.ordered_at >= '2023-06-01'",
    ["customers(email)", "orders(customer_id,ordered_at)"],
  ],
  [
    "SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.email = ? AND o.ordered_at >= ?",
    ["customers(email)", "orders(customer_id,ordered_at)"],
    ["e77", "2023-06-01"],
  ],
  [
    "SELECT p.category, sum(i.qty) FROM orders o JOIN order_items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id WHERE o.status = 'open' GROUP BY p.category",
    ["order_items(order_id)", "orders(status)"],
  ],
  [
    "SELECT * FROM order_items i JOIN orders o ON o.id = i.order_id WHERE o.customer_id = 12",
    ["order_items(order_id)", "orders(customer_id)"],
  ],
  ["SELECT * FROM order_items WHERE qty > 2", []],
  ["SELECT * FROM orders WHERE total < ?", [], [490]],
  ["SELECT product_id, sum(qty) FROM order_items GROUP BY product_id", []],
  ["SELECT * FROM orders WHERE total >= 499", ["orders(total)"]],
])("for %s: %j", (sql, indexes, params) => {
  expect(adviceFor(sql, params)).toEqual(indexes);
});

test("proposes no index on a range of most rows where the data cannot be measured", () => {
  expect(adviceFor("SELECT * FROM order_items WHERE qty > 2 AND product_id < ?")).toEqual(["order_items(product_id)"]);
});

test("measures nothing that may take long, and leaves the data as it is", () => {
  const sql = "SELECT count(*) FROM orders a, orders b, order_items c WHERE a.total + b.total = c.qty AND a.status = 'open'";
  const before = performance.now();
  adviceFor(sql);
  expect(performance.now() - before).toBeLessThan(5000);
  expect(opened.engine.db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index'").all()).toEqual([]);
});
