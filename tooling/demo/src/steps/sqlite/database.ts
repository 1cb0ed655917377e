// The chandlery's database, and another program at work on it.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../../../../../servers/sqlite/package.json", import.meta.url));

/** What is used of better-sqlite3, which the server has. */
interface Opened {
  exec(sql: string): void;
  prepare(sql: string): { raw(): { all(): unknown[][] } };
  close(): void;
}

function within<T>(file: string, work: (db: Opened) => T): T {
  const Database = createRequire(SERVER)("better-sqlite3") as new (path: string) => Opened; // its constructor, as its own types say
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Customers, goods, 150 orders, and letters that can be searched. */
export const makeChandlery = (file: string): void =>
  within(file, (db) =>
    db.exec(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, port TEXT NOT NULL);
      CREATE TABLE goods (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, price REAL NOT NULL, weight INTEGER);
      CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers(id),
        goods_id INTEGER NOT NULL REFERENCES goods(id), pieces INTEGER NOT NULL, placed TEXT NOT NULL);
      CREATE INDEX orders_by_customer ON orders(customer_id);
      CREATE VIRTUAL TABLE letters USING fts5(sender, body);
      INSERT INTO customers (name, port) VALUES ('Ada', 'Bergen'), ('Joshua', 'Halifax'), ('Grace', 'Bergen');
      INSERT INTO goods (name, price, weight) VALUES ('rope', 2.5, 9007199254740993), ('lantern', 40, 3), ('anchor', 180, 60);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
        INSERT INTO orders (customer_id, goods_id, pieces, placed) SELECT 1 + i % 3, 1 + i % 3, i, date('2026-01-01', i || ' days') FROM n;
      INSERT INTO letters VALUES ('Joshua', 'Please send two more lanterns, the fog is thick.');
    `),
  );

/** What the file holds, seen without the server. */
export const found = (file: string, sql: string): unknown[][] => within(file, (db) => db.prepare(sql).raw().all());

/** Another program, in a process of its own, changes the file. */
export function otherProgram(file: string, sql: string): void {
  const script = `const D = require("node:module").createRequire(process.argv[1])("better-sqlite3"); const db = new D(process.argv[2]); db.exec(process.argv[3]); db.close();`;
  execFileSync(process.execPath, ["--eval", script, SERVER, file, sql]);
}
