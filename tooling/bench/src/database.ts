/** The database that the SQLite suite works on, made once and kept. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { inCache } from "./paths.ts";

/** What is used of better-sqlite3, which servers/sqlite has. */
interface Opened {
  exec(sql: string): void;
  prepare(sql: string): { get(): unknown };
  close(): void;
}

function opened(file: string): Opened {
  const load = createRequire(new URL("../../../servers/sqlite/package.json", import.meta.url));
  const Database = load("better-sqlite3") as new (path: string) => Opened; // its constructor, as its own types say
  return new Database(file);
}

/** How many rows of `log` there are. */
export function logged(file: string): number {
  const db = opened(file);
  const { count } = db.prepare("SELECT count(*) AS count FROM log").get() as { count: number }; // as asked
  db.close();
  return count;
}

/** A database in WAL mode with so many rows of `items`, and an empty `log`. */
export function rowsIn(rows: number): string {
  const file = inCache(`rows-${rows}.db`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.part`;
  rmSync(draft, { force: true });
  const db = opened(draft);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind INTEGER NOT NULL, price REAL NOT NULL, note TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO items SELECT i, 'item ' || i, i % 10, i * 0.37, 'a note of some words about item ' || i FROM n;
    CREATE TABLE log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, text TEXT NOT NULL);
  `);
  db.close();
  renameSync(draft, file);
  return file;
}
