// The SQLite driver. Its native module takes some milliseconds to load, so it is loaded with the first database, not at start-up.
import type { Database, Options } from "better-sqlite3";

type Constructor = new (path: string | Buffer, options: Options) => Database;

let driver: Constructor | undefined;

export function openDatabase(path: string | Buffer, options: Options): Database {
  const { createRequire } = process.getBuiltinModule("node:module");
  driver ??= createRequire(import.meta.url)("better-sqlite3") as Constructor; // as its own types declare
  return new driver(path, options);
}
