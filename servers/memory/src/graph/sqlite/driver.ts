// The SQLite driver. Its native module takes some milliseconds to load, so it is loaded with the first database, not at start-up.
import type { Database, Options } from "better-sqlite3";
import { GraphError } from "../errors.ts";
import { holdFolderOf, statMemoryFile } from "../memory-files.ts";

type Constructor = new (path: string | Buffer, options: Options) => Database;

/** Files that SQLite keeps beside a database. */
const SIDE_FILES = ["-journal", "-wal", "-shm"] as const;

let driver: Constructor | undefined;

/**
 * Opens a database that exists, `:memory:`, or the bytes of one. SQLite goes by names and follows links, so the files are looked at before,
 * and the database once more afterwards. Throws a GraphError where something else has one of the names.
 */
export function openDatabase(path: string | Buffer, options: Options): Database {
  const { createRequire } = process.getBuiltinModule("node:module");
  driver ??= createRequire(import.meta.url)("better-sqlite3") as Constructor; // as its own types declare
  if (typeof path !== "string" || path === ":memory:") return new driver(path, options);
  // A folder that has become a link is refused here.
  holdFolderOf(path)[Symbol.dispose]();
  const before = statMemoryFile(path);
  for (const ending of SIDE_FILES) statMemoryFile(path + ending);
  const db = new driver(path, { ...options, fileMustExist: true });
  try {
    if (statMemoryFile(path)?.ino === before?.ino) return db;
    throw new GraphError("moved", "Memory file replaced while it was being opened. Nothing was changed. Try again.");
  } catch (error) {
    db.close();
    throw error;
  }
}
