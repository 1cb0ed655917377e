/** The database that the SQLite suite works on, made once and kept. */
import { DatabaseSync } from "node:sqlite";
import { madeOnce } from "./paths.ts";

/** How many rows of `log` there are. */
export function logged(file: string): number {
  using db = new DatabaseSync(file);
  return Number(db.prepare("SELECT count(*) AS count FROM log").get()?.["count"]);
}

/** A database in WAL mode with so many rows of `items`, and an empty `log`. */
export const rowsIn = (rows: number): string =>
  madeOnce(`rows-${rows}.db`, (draft) => {
    using db = new DatabaseSync(draft);
    db.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind INTEGER NOT NULL, price REAL NOT NULL, note TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
        INSERT INTO items SELECT i, 'item ' || i, i % 10, i * 0.37, 'a note of some words about item ' || i FROM n;
      CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, text TEXT NOT NULL);
    `);
  });
