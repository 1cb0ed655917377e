// The one place that loads SQLite: a native module of some milliseconds, loaded when the first store is opened and not at every
// start.
import type { Database, Options } from "better-sqlite3";

type Constructor = new (path: string, options: Options) => Database;

let loaded: Constructor | undefined;

export function openDatabase(path: string, options: Options): Database {
  const { createRequire } = process.getBuiltinModule("node:module");
  loaded ??= createRequire(import.meta.url)("better-sqlite3") as Constructor; // as its own types say
  return new loaded(path, options);
}
