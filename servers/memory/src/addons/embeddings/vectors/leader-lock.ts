// Lets one process at a time embed the texts of a memory. The system frees the lock when its process ends, however that happens.
import type { Database } from "better-sqlite3";
import { isBusy } from "../../../graph/errors.ts";
import { createMemoryFile } from "../../../graph/memory-files.ts";
import { openDatabase } from "../../../graph/sqlite/driver.ts";

export class LeaderLock {
  readonly #path: string;
  #db: Database | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** False while another process has it. */
  take(): boolean {
    if (this.#db !== undefined) return true;
    createMemoryFile(this.#path);
    const db = openDatabase(this.#path, { timeout: 0 });
    try {
      db.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      db.close();
      if (isBusy(error)) return false;
      throw error;
    }
    this.#db = db;
    return true;
  }

  free(): void {
    this.#db?.close();
    this.#db = undefined;
  }
}
