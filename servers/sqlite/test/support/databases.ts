// Real databases for tests, written with better-sqlite3.
import Database from "better-sqlite3";

/** Creates a database file and returns its path. */
export function makeDatabase(file: string, sql: string): string {
  using db = openDatabase(file);
  db.exec(sql);
  return file;
}

/** The rows of a query, read through another connection than the server's. */
export function rowsOf(file: string, sql: string, ...params: unknown[]): unknown[] {
  using db = openDatabase(file);
  return db
    .prepare(sql)
    .raw(true)
    .all(...params);
}

/** The rows of each statement, through one connection. */
export function rowsOfAll(file: string, statements: readonly string[]): unknown[] {
  using db = openDatabase(file);
  return statements.map((sql) => db.prepare(sql).raw(true).all());
}

type OpenDatabase = Database.Database & Disposable;

export function openDatabase(file: string): OpenDatabase {
  const db = new Database(file);
  return Object.assign(db, { [Symbol.dispose]: () => void db.close() });
}

/** A small shop: customers, their orders, a view, an index, full-text search and a BLOB. */
export const SHOP = `
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE, photo BLOB);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id) ON DELETE CASCADE, total REAL, placed TEXT);
  CREATE INDEX orders_by_customer ON orders(customer_id);
  CREATE VIEW spending AS SELECT name, sum(total) AS spent FROM customers JOIN orders ON orders.customer_id = customers.id GROUP BY customers.id;
  CREATE VIRTUAL TABLE notes USING fts5(title, body);
  INSERT INTO customers (name, email, photo) VALUES ('Ada', 'ada@example.org', x'0102ff'), ('Grace', 'grace@example.org', NULL), ('Edsger', NULL, NULL);
  INSERT INTO orders (customer_id, total, placed) VALUES (1, 12.5, '2026-01-02'), (1, 7.25, '2026-02-03'), (2, 100, '2026-03-04');
  INSERT INTO notes VALUES ('Engines', 'The analytical engine weaves algebraic patterns'), ('Compilers', 'A compiler for the people');
`;
