// Copies the database as it is at one moment, page by page, while other programs use it. SQLite opens files by their path only, which another
// program could swap for a link: so it writes into a folder of this user's own, and the bytes go from there into the open file.
import { closeSync, existsSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DbError } from "../errors.ts";
import { createPlace } from "../file-places.ts";
import type { BackupReply, BackupRequest, ReportProgress } from "../protocol/file-messages.ts";
import type { Engine } from "./engine.ts";
import { retryWhileBusy } from "./lock-retry.ts";
import { isCannotOpen } from "./sqlite-errors.ts";

const PAGES_PER_STEP = 500;
const BLOCK_BYTES = 1024 * 1024;

export async function backUp(engine: Engine, { file, scratchFolder }: BackupRequest, reportProgress: ReportProgress): Promise<BackupReply> {
  const target = createPlace(file);
  try {
    const copy = join(scratchFolder, "copy.db");
    const pages = await copyPages(engine, copy, reportProgress);
    copyBytes(copy, target);
    return { pages };
  } finally {
    closeSync(target);
  }
}

async function copyPages({ db }: Engine, copy: string, reportProgress: ReportProgress): Promise<number> {
  try {
    for (;;) {
      const { totalPages } = await db.backup(copy, {
        progress({ totalPages: total, remainingPages }) {
          reportProgress(total - remainingPages, total);
          return PAGES_PER_STEP;
        },
      });
      if (existsSync(copy)) return totalPages;
      // Where the first page is locked, the driver reports success and removes the copy. Wait for the lock and start again.
      retryWhileBusy(() => db.prepare("SELECT 1 FROM main.sqlite_schema LIMIT 1").get());
    }
  } catch (error) {
    // The database itself is open already, so this is about the copy.
    if (!isCannotOpen(error)) throw error;
    throw new DbError(
      "read-only",
      "The copy cannot be created in the folder for temporary files. The operator names another one with the environment variable TMPDIR.",
    );
  }
}

function copyBytes(path: string, target: number): void {
  const source = openSync(path, "r");
  try {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    for (let length = readSync(source, block); length > 0; length = readSync(source, block))
      for (let done = 0; done < length;) done += writeSync(target, block, done, length - done);
    fsyncSync(target);
  } finally {
    closeSync(source);
  }
}
