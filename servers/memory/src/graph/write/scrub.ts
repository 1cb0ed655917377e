// Scrubs the files of the memory after a purge, so that no purged text stays in the indexes, the database, its log or a backup.
import { closeSync, constants, readSync, rmSync } from "node:fs";
import { yieldToEventLoop } from "@oarlock/domain-kit";
import { isBusy } from "../errors.ts";
import { openMemoryFile } from "../memory-files.ts";
import { backupsOf } from "../store/backups.ts";
import type { Store } from "../store/store.ts";
import { runInSlices } from "../store/time-slices.ts";

/** Shorter texts are found everywhere by chance. */
const MIN_TEXT_BYTES = 6;
/** To search the file for more texts takes longer than to rewrite it. */
const MAX_SEARCHED_TEXTS = 300;
const READ_BYTES = 4 * 1024 * 1024;
/** Pages that one merge step of an index writes. */
const MERGE_PAGES = 500;
const RETRY_MS = 2000;

/**
 * Empties the log, rewrites the database where one of the texts is still in it, and removes backups that contain one of them. Other
 * processes may delay each step for up to two seconds; after that it is skipped, because what they hold are pages that nothing refers to.
 */
export async function scrub(store: Store, path: string, texts: readonly string[]): Promise<void> {
  if (path === ":memory:") return;
  await mergeIndexes(store);
  await emptyLog(store);
  const needles = texts.map((text) => Buffer.from(text)).filter(({ length }) => length >= MIN_TEXT_BYTES);
  for (const backup of backupsOf(path)) if (await backupContains(backup, needles)) rmSync(backup, { force: true });
  if (needles.length <= MAX_SEARCHED_TEXTS && !(await runInSlices(containsAny(descriptorOf(store, path), needles)))) return;
  await retryWhileBusy(store, () => store.db.exec("VACUUM"));
  await emptyLog(store);
}

/** Merges the segments of each index into one: deleted texts stay in the segments until then. */
async function mergeIndexes(store: Store): Promise<void> {
  for (const table of ["trigram", "gram"]) {
    // A negative number of pages starts a merge of all segments. It goes on until a step changes nothing.
    for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
      const before = totalChanges(store);
      await retryWhileBusy(store, () => store.run(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`, pages));
      if (pages > 0 && totalChanges(store) - before < 2) break;
      await yieldToEventLoop();
    }
  }
}

const totalChanges = (store: Store): number => store.get<{ count: number }>("SELECT total_changes() AS count")?.count ?? 0;

const emptyLog = (store: Store): Promise<void> =>
  retryWhileBusy(store, () => {
    const [result] = store.db.pragma("wal_checkpoint(TRUNCATE)") as [{ busy: number }]; // always one row
    return result.busy === 0;
  });

/** `action` returns false where another process has prevented it. */
async function retryWhileBusy(store: Store, action: () => unknown): Promise<void> {
  for (const giveUpAt = performance.now() + RETRY_MS; performance.now() < giveUpAt;) {
    // A large change may have started in the meantime.
    while (store.largeChange !== undefined) await store.largeChange;
    try {
      if (action() !== false) return;
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40));
  }
}

async function backupContains(backup: string, needles: readonly Buffer[]): Promise<boolean> {
  const file = openMemoryFile(backup, constants.O_RDONLY);
  try {
    return await runInSlices(containsAny(file, needles));
  } finally {
    closeSync(file);
  }
}

const descriptors = new WeakMap<Store, number>();

/** Stays open until the database is closed: to close any descriptor of a file drops all locks on it, those of SQLite too (POSIX). */
function descriptorOf(store: Store, path: string): number {
  const known = descriptors.get(store);
  if (known !== undefined) return known;
  const file = openMemoryFile(path, constants.O_RDONLY);
  descriptors.set(store, file);
  store.afterClose(() => closeSync(file));
  return file;
}

/** Whether a file contains one of the needles. Needles that are longer than half a read count as contained. */
function* containsAny(file: number, needles: readonly Buffer[]): Generator<void, boolean> {
  const longest = Math.max(0, ...needles.map(({ length }) => length));
  if (longest === 0 || longest > READ_BYTES / 2) return needles.length > 0;
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  // Reads overlap, so that a needle across their border is found.
  for (let position = 0; ; position += READ_BYTES - longest) {
    const length = readSync(file, buffer, 0, READ_BYTES, position);
    const part = buffer.subarray(0, length);
    for (const needle of needles) {
      if (part.includes(needle)) return true;
      yield;
    }
    if (length < READ_BYTES) return false;
  }
}
