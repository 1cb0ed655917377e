// Tells databases from other files, without the driver.
import { existsSync, statSync } from "node:fs";
import { readHead } from "../memory-files.ts";

const SQLITE_HEADER = "SQLite format 3\0";

/** Whether a file is empty or begins like a SQLite database; undefined where there is no such file. */
export function isDatabase(path: string): boolean | undefined {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const head = readHead(path, SQLITE_HEADER.length).toString("latin1");
  return head === "" || head === SQLITE_HEADER;
}
