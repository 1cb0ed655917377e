// The write-ahead log of a database: turned on, and reported where the folder does not support it.
import type { Database } from "better-sqlite3";

const REFUSED =
  "The folder of the memory does not support SQLite's write-ahead log, as some network folders do not: calls wait for each other, and a process on another machine must not use the memory at the same time. Name a file on a local disk with --db or MEMORY_FILE_PATH.";

/** Calls `warn` where SQLite keeps another journal. */
export function useWriteAheadLog(db: Database, warn: (message: string) => void): void {
  const isOn = (mode: unknown): boolean => mode === "wal";
  if (isOn(db.pragma("journal_mode", { simple: true }))) return;
  if (!isOn(db.pragma("journal_mode = WAL", { simple: true }))) warn(REFUSED);
}
