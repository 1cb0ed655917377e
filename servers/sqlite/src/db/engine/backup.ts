// A copy of the database as it is at one moment, made page by page while others go on.
import { existsSync } from "node:fs";
import type { BackupAsked, BackupTold } from "../protocol/requests.ts";
import { DbError } from "../errors.ts";
import type { Engine } from "./engine.ts";
import { codeOf, patient } from "./lock-retry.ts";

export async function backup({ db }: Engine, { file }: BackupAsked, progress: (done: number, total: number) => void): Promise<BackupTold> {
  try {
    for (;;) {
      const { totalPages } = await db.backup(file, {
        progress({ totalPages: total, remainingPages }) {
          progress(total - remainingPages, total);
          return 500;
        },
      });
      if (existsSync(file)) return { pages: totalPages };
      // The driver takes a lock that is in the way of the first page for the end, and removes the copy again.
      patient(() => db.prepare("SELECT 1 FROM main.sqlite_schema LIMIT 1").get());
    }
  } catch (error) {
    // The database itself is open already.
    if (!codeOf(error).startsWith("SQLITE_CANTOPEN")) throw error;
    throw new DbError("read-only", "The copy cannot be made there: its folder may not be written to, or the path is too long");
  }
}
