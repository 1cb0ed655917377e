// Copies the database as it is at one moment, page by page, while other programs use it.
import { existsSync } from "node:fs";
import { DbError } from "../errors.ts";
import type { BackupReply, BackupRequest, ReportProgress } from "../protocol/file-messages.ts";
import type { Engine } from "./engine.ts";
import { retryWhileBusy } from "./lock-retry.ts";
import { isCannotOpen } from "./sqlite-errors.ts";

const PAGES_PER_STEP = 500;

export async function backUp({ db }: Engine, { file }: BackupRequest, reportProgress: ReportProgress): Promise<BackupReply> {
  try {
    for (;;) {
      const { totalPages } = await db.backup(file, {
        progress({ totalPages: total, remainingPages }) {
          reportProgress(total - remainingPages, total);
          return PAGES_PER_STEP;
        },
      });
      if (existsSync(file)) return { pages: totalPages };
      // Where the first page is locked, the driver reports success and removes the copy. Wait for the lock and start again.
      retryWhileBusy(() => db.prepare("SELECT 1 FROM main.sqlite_schema LIMIT 1").get());
    }
  } catch (error) {
    // The database itself is open already, so this is about the copy.
    if (!isCannotOpen(error)) throw error;
    throw new DbError(
      "read-only",
      "The copy cannot be created there: the folder may not be written to, or the path is too long. Choose another path.",
    );
  }
}
