// Copies the database as it is at one moment, page by page or compactly, while other programs use it. SQLite opens files by their path only, which another
// program could swap for a link: so it writes into a folder of this user's own, and the bytes go from there into the open file.
import { closeSync, existsSync, fsyncSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { DbError } from "../errors.ts";
import { createPlace } from "../file-places.ts";
import type { BackupReply, BackupRequest, ReportProgress } from "../protocol/file-messages.ts";
import type { Engine } from "./engine.ts";
import { retryWhileBusy } from "./lock-retry.ts";
import { isCannotOpen } from "./sqlite-errors.ts";

const PAGES_PER_STEP = 500;
const BLOCK_BYTES = 1024 * 1024;

export async function backUp(
  engine: Engine,
  { file, scratchFolder, compact = false }: BackupRequest,
  reportProgress: ReportProgress,
): Promise<BackupReply> {
  const target = createPlace(file);
  try {
    const copy = join(scratchFolder, "copy.db");
    const reply = compact ? copyCompactly(engine, copy) : { pages: await copyPages(engine, copy, reportProgress) };
    copyBytes(copy, target);
    return reply;
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
    throw explainCopyError(error);
  }
}

/** The database itself is open already, so this is about the copy. */
const explainCopyError = (error: unknown): unknown =>
  isCannotOpen(error)
    ? new DbError(
        "read-only",
        "The copy cannot be created in the folder for temporary files. The operator names another one with the environment variable TMPDIR.",
      )
    : error;

/** By VACUUM INTO, which builds all tables and indexes anew. What it makes of a damaged database is checked. */
function copyCompactly({ db }: Engine, copy: string): BackupReply {
  // The connection is read-only all the same: the setting concerns the copy too.
  db.pragma("query_only = OFF");
  try {
    retryWhileBusy(() => {
      rmSync(copy, { force: true });
      db.prepare("VACUUM INTO ?").run(copy);
    });
  } catch (error) {
    throw explainCopyError(error);
  } finally {
    db.pragma("query_only = ON");
  }
  const target = new Database(copy, { readonly: true });
  try {
    if (target.pragma("quick_check(1)", { simple: true }) !== "ok")
      throw new DbError("damaged", "The compact copy has errors, so it was removed. Use check_database on the database.");
    return { pages: pagesOf(target), pagesBefore: pagesOf(db) };
  } finally {
    target.close();
  }
}

const pagesOf = (db: Database.Database): number => Number(db.pragma("page_count", { simple: true }));

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
