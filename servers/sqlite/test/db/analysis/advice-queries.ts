// Thirty queries for the advice on indexes, and the tables that they read.

export const SCHEMA = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, country TEXT, email TEXT UNIQUE);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, placed TEXT, total REAL);
  CREATE TABLE lines (order_id INTEGER, product TEXT, amount INTEGER, PRIMARY KEY (order_id, product)) WITHOUT ROWID;
  CREATE TABLE visits (customer_id INTEGER, page TEXT, at TEXT); CREATE INDEX visits_page ON visits (page, at);
  CREATE TABLE codes (code TEXT PRIMARY KEY, meaning TEXT);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 2000) INSERT INTO orders SELECT i, i % 200, i % 3, '2026-01-' || i % 28, i FROM c;
  INSERT INTO customers SELECT id, 'n' || id, id % 9, 'e' || id FROM orders WHERE id <= 200;
  INSERT INTO visits SELECT customer_id, status, placed FROM orders;
  INSERT INTO lines SELECT id, 'p' || id % 50, 1 FROM orders;
`;

/** A query, and the tables and columns of the indexes that help. */
export const QUERIES: [sql: string, indexes: string[]][] = [
  ["SELECT * FROM orders WHERE customer_id = 1", ["orders(customer_id)"]],
  ["SELECT * FROM orders WHERE customer_id = ? AND status = ?", ["orders(customer_id,status)"]],
  ["SELECT * FROM orders WHERE status = 'x' AND total > 5", ["orders(status,total)"]],
  ["SELECT * FROM orders WHERE total > 5 AND status = 'x'", ["orders(status,total)"]],
  ["SELECT * FROM orders WHERE placed BETWEEN '2026-01-01' AND '2026-01-03'", ["orders(placed)"]],
  ["SELECT * FROM orders WHERE customer_id IN (1, 2)", ["orders(customer_id)"]],
  ["SELECT * FROM orders WHERE customer_id = 1 ORDER BY placed", ["orders(customer_id,placed)"]],
  ["SELECT * FROM orders WHERE customer_id = 1 ORDER BY placed DESC", ["orders(customer_id,placed)"]],
  ["SELECT * FROM orders ORDER BY total", ["orders(total)"]],
  ["SELECT * FROM orders ORDER BY status, total DESC", ["orders(status,total DESC)"]],
  ["SELECT status, count(*) FROM orders GROUP BY status", ["orders(status)"]],
  [
    "SELECT c.name, o.total FROM customers c JOIN visits v ON v.customer_id = c.id JOIN orders o ON o.customer_id = c.id WHERE v.page = 'x'",
    ["orders(customer_id)"],
  ],
  ["SELECT * FROM orders a JOIN orders b ON b.customer_id = a.customer_id WHERE a.id = 1", ["orders(customer_id)"]],
  ["SELECT name FROM customers WHERE (SELECT max(total) FROM orders WHERE customer_id = customers.id) > 9", ["orders(customer_id)"]],
  [
    "SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.status = '1')",
    ["orders(customer_id,status)"],
  ],
  ["SELECT count(o.total) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id", ["orders(customer_id)"]],
  ["SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL", ["orders(customer_id)"]],
  ["SELECT * FROM customers WHERE country = '1' AND name = 'n1'", ["customers(country,name)"]],
  ["UPDATE orders SET total = 0 WHERE status = '1' AND placed = 'x'", ["orders(status,placed)"]],
  ["DELETE FROM visits WHERE customer_id = 4", ["visits(customer_id)"]],
  ["SELECT meaning FROM codes WHERE meaning = 'm'", ["codes(meaning)"]],
  ["SELECT * FROM lines WHERE product = 'p1'", ["lines(product)"]],
  ["SELECT * FROM orders WHERE lower(status) = ?", ["orders(lower(status))"]],
  ["SELECT * FROM orders WHERE status IS NOT NULL AND lower(status) = 'x'", ["orders(lower(status))"]],
  ["SELECT * FROM orders o WHERE strftime('%Y-%m', o.placed) = '2026-01'", ["orders(strftime('%Y-%m',placed))"]],
  ["SELECT substr(placed, 1, 7) AS month, sum(total) FROM orders GROUP BY month", ["orders(substr(placed,1,7))"]],
  ["SELECT * FROM orders WHERE customer_id = 1 AND date(placed) > '2026-01-05'", ["orders(customer_id,date(placed))"]],
  ["SELECT * FROM visits WHERE page ->> '$.name' = 'x'", ["visits(page ->> '$.name')"]],
  ["SELECT * FROM customers WHERE name = 'N1' COLLATE NOCASE", ["customers(name COLLATE NOCASE)"]],
  ["SELECT * FROM customers WHERE name LIKE 'n1%'", ["customers(name COLLATE NOCASE)"]],
  ["SELECT * FROM customers ORDER BY lower(name)", ["customers(lower(name))"]],
  ["SELECT c.name FROM customers c LEFT JOIN orders o ON lower(o.status) = lower(c.name)", ["orders(lower(status))"]],
  // What is there already, or cannot help.
  ["SELECT * FROM orders WHERE substr(status, ?, 2) = 'x'", []],
  ["SELECT * FROM orders WHERE random() + id > 5 OR abs(total) IN (SELECT id FROM customers)", []],
  ["SELECT upper(name) FROM customers", []],
  ["SELECT * FROM customers WHERE name LIKE '%n1%'", []],
  ["SELECT * FROM orders WHERE date('now') = placed || ''", []],
  ["SELECT * FROM orders", []],
  ["SELECT count(*) FROM orders", []],
  ["SELECT * FROM orders WHERE id = 5", []],
  ["SELECT * FROM orders WHERE id > 5 ORDER BY id", []],
  ["SELECT * FROM customers WHERE email = 'e1'", []],
  ["SELECT * FROM codes WHERE code = 'x'", []],
  ["SELECT * FROM lines WHERE order_id = 1", []],
  ["SELECT * FROM visits WHERE page = 'x' ORDER BY at", []],
  ["SELECT * FROM orders WHERE total + 1 = 5", []],
  ["SELECT * FROM orders WHERE status <> 'x'", []],
  ["SELECT * FROM orders JOIN customers ON customers.id = orders.customer_id", []],
];
