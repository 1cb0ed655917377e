// Opens a store: makes it where there is none, brings an older one up to date after a backup, refuses what is no store of ours.
// Opening a store that is up to date writes nothing.
import { chmodSync, closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Database } from "better-sqlite3";
import { backUp } from "./backups.ts";
import { APPLICATION_ID, INDEXED, TABLES, VERSION } from "./tables.ts";
import { openDatabase } from "./sqlite.ts";
import { codeOf, GraphError, inWords, isBusy } from "../errors.ts";
import { makeFolders } from "./folders.ts";
import { Store } from "./store.ts";

const MAGIC = "SQLite format 3\0";
/** In KiB. */
const CACHE = 16_384;
const LOG_BYTES = 64 * 1024 * 1024;

/** `:memory:` keeps everything in this process. */
export async function openStore(path: string): Promise<Store> {
  const isFile = path !== ":memory:";
  try {
    if (isFile) make(path);
    const db = openDatabase(path, { timeout: 0 });
    try {
      for (let left = 50; ; left--) {
        try {
          prepare(db, path, isFile);
          return new Store(db, isFile ? path : undefined);
        } catch (error) {
          // Another process is making or upgrading it at this moment.
          if (!isBusy(error) || left === 0) throw error;
          await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 200));
        }
      }
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw inWords(error);
  }
}

/** Only its owner may read it; SQLite gives its side files the same mode. */
function make(path: string): void {
  makeFolders(dirname(path));
  if (existsSync(path)) return;
  try {
    closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Whether a file begins as a database of SQLite does, or is empty. Undefined: there is none. */
export function isDatabase(path: string): boolean | undefined {
  if (!existsSync(path) || !statSync(path).isFile()) return undefined;
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(MAGIC.length);
    const read = readSync(file, head);
    return read === 0 || head.toString("latin1") === MAGIC;
  } finally {
    closeSync(file);
  }
}

function prepare(db: Database, path: string, isFile: boolean): void {
  const id = Number(db.pragma("application_id", { simple: true }));
  const version = Number(db.pragma("user_version", { simple: true }));
  const isEmpty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (!isEmpty && id !== APPLICATION_ID)
    throw new GraphError("invalid", "The file is a database of another program, not a memory: name another file.");
  if (version > VERSION)
    throw new GraphError(
      "invalid",
      `The memory was written by a newer version of this server (its format is ${version}, this one knows ${VERSION}): update the server. Nothing was changed.`,
    );
  if (isFile && db.pragma("journal_mode", { simple: true }) !== "wal") db.pragma("journal_mode = WAL");
  // An acknowledged call is on the disk, also when the power fails.
  db.pragma("synchronous = FULL");
  db.pragma(`cache_size = -${CACHE}`);
  db.pragma(`journal_size_limit = ${LOG_BYTES}`);
  db.pragma("trusted_schema = OFF");
  db.pragma("cell_size_check = ON");
  // What is deleted is overwritten: purging is meant.
  db.pragma("secure_delete = ON");
  if (isEmpty || version < VERSION) upgrade(db, path);
}

/** The steps from each version to the next; the first makes a store. */
const STEPS: readonly ((db: Database) => void)[] = [
  (db) => {
    db.exec(TABLES);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  },
  (db) => db.exec(INDEXED),
];

function upgrade(db: Database, path: string): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been first.
    const from = Number(db.pragma("user_version", { simple: true }));
    if (from > 0 && from < VERSION) backUp(path);
    for (const step of STEPS.slice(from)) step(db);
    db.pragma(`user_version = ${VERSION}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Closes a store without touching its log: the last connection to close would write it back and delete it, and another process that
 * is just opening could meet it half done. One that may not write leaves everything as it is, so it is the last.
 */
export function closeStore(store: Store, path: string): void {
  let last: Database | undefined;
  try {
    if (path !== ":memory:") {
      last = openDatabase(path, { readonly: true, timeout: 0 });
      last.prepare("SELECT 1 FROM meta LIMIT 1").get();
    }
  } catch {
    // Then it closes as SQLite does by itself, which is safe too.
  } finally {
    store.close();
    last?.close();
  }
}
