// What a stranger who can write in the folder of a memory puts beside it: links, pipes and databases.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import Database from "better-sqlite3";

/** Opened at both ends, so that a server that opens it, too, fails instead of waiting for ever. */
export function plantPipe(path: string): Disposable {
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return { [Symbol.dispose]: () => closeSync(fd) };
}

/** A database of another program, with one row of the user in it. `pragmas`: what else a stranger sets. */
export function makeForeignDatabase(path: string, pragmas = ""): string {
  const db = new Database(path);
  db.exec(`CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://precious.example'); ${pragmas}`);
  db.close();
  return path;
}

/** The rows of the user that are left. */
export function rowsIn(path: string): unknown[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare("SELECT url FROM bookmarks").all();
  } finally {
    db.close();
  }
}

export const ROWS = [{ url: "https://precious.example" }];
