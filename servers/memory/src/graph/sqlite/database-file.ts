// Tells databases from other files, without the driver.
import { closeSync, constants, existsSync, readSync, statSync } from "node:fs";
import { openMemoryFile } from "../memory-files.ts";

const SQLITE_HEADER = "SQLite format 3\0";

/** Whether a file is empty or begins like a SQLite database; undefined where there is no such file. */
export function isDatabase(path: string): boolean | undefined {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const file = openMemoryFile(path, constants.O_RDONLY);
  try {
    const head = Buffer.alloc(SQLITE_HEADER.length);
    const length = readSync(file, head);
    return length === 0 || head.toString("latin1") === SQLITE_HEADER;
  } finally {
    closeSync(file);
  }
}
