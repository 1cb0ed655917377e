// Opens and closes a store: creates a missing one, upgrades an older one after a backup, and refuses files of other programs. Opening
// a store of the current format writes nothing.
import { dirname } from "node:path";
import type { Database } from "better-sqlite3";
import { makeFolders } from "@oarlock/domain-kit";
import { GraphError, isBusy, newerFormat, toGraphError } from "../errors.ts";
import { createMemoryFile, statMemoryFile } from "../memory-files.ts";
import { openDatabase } from "../sqlite/driver.ts";
import {
  APPLICATION_ID,
  CONFIRMED_COLUMN,
  FORMAT_VERSION,
  FORMER_NAMES_INDEX,
  INDEXED_TABLE,
  TABLES,
  TIMES_COLUMN,
} from "../sqlite/tables.ts";
import { makeBackup } from "./backups.ts";
import { fileMoved } from "./file-identity.ts";
import { foldTextsAgain } from "./fold-texts.ts";
import { Store } from "./store.ts";
import { useWriteAheadLog } from "./write-ahead-log.ts";

const CACHE_KIB = 16_384;
const MAX_LOG_BYTES = 64 * 1024 * 1024;
const MAX_ATTEMPTS = 50;

/**
 * `:memory:` keeps everything in this process. `warn`: logs a message for the operator. `opened`: databases that were opened before; where
 * one of them is missing or empty now, its content is lost, and a new one in its place would hide that.
 */
export async function openStore(
  path: string,
  warn: (message: string) => void = () => undefined,
  opened = new Set<string>(),
): Promise<Store> {
  const isFile = path !== ":memory:";
  try {
    if (isFile) {
      if (opened.has(path) && !((statMemoryFile(path)?.size ?? 0n) > 0n)) throw fileMoved();
      makeFolders(dirname(path), 0o700);
      // SQLite gives its side files the same mode.
      createMemoryFile(path);
    }
    const db = openDatabase(path, { timeout: 0 });
    try {
      await prepareWithRetries(() => prepare(db, path, isFile, warn));
      opened.add(path);
      return new Store(db, isFile ? path : undefined);
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    throw toGraphError(error);
  }
}

/** Retries while another process creates or upgrades the store. */
async function prepareWithRetries(attempt: () => void): Promise<void> {
  for (let left = MAX_ATTEMPTS; ; left--) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 200));
    }
  }
}

function prepare(db: Database, path: string, isFile: boolean, warn: (message: string) => void): void {
  // One transaction, so one state of the file: another process may be creating its tables just now.
  const { id, version, isEmpty } = db.transaction(() => readFormat(db))();
  if (!isEmpty && id !== APPLICATION_ID)
    throw new GraphError("invalid", "File is not a memory: it is a database of another program. Name another file.");
  if (version > FORMAT_VERSION) throw newerFormat(version, FORMAT_VERSION);
  if (isFile) useWriteAheadLog(db, warn);
  // An acknowledged call survives a power failure.
  db.pragma("synchronous = FULL");
  db.pragma(`cache_size = -${CACHE_KIB}`);
  db.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`);
  db.pragma("trusted_schema = OFF");
  db.pragma("cell_size_check = ON");
  // Deleted content is overwritten: purged texts must not stay in the file.
  db.pragma("secure_delete = ON");
  if (isEmpty || version < FORMAT_VERSION) upgrade(db, path);
}

function readFormat(db: Database): { id: number; version: number; isEmpty: boolean } {
  const id = Number(db.pragma("application_id", { simple: true }));
  const version = Number(db.pragma("user_version", { simple: true }));
  return { id, version, isEmpty: db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined };
}

/** Each entry upgrades from its index to the next version; the first one creates a store. */
const UPGRADES: readonly ((db: Database) => void)[] = [
  (db) => {
    db.exec(TABLES);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  },
  (db) => db.exec(INDEXED_TABLE),
  (db) => db.exec(CONFIRMED_COLUMN),
  foldTextsAgain,
  (db) => {
    if (!hasColumn(db, "observation", "times")) db.exec(TIMES_COLUMN);
    db.exec(FORMER_NAMES_INDEX);
  },
];

const hasColumn = (db: Database, table: string, column: string): boolean =>
  db.prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?").get(table, column) !== undefined;

function upgrade(db: Database, path: string): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    // Read again under the lock: another process may have upgraded it in the meantime.
    const version = Number(db.pragma("user_version", { simple: true }));
    if (version > 0 && version < FORMAT_VERSION) makeBackup(path);
    for (const step of UPGRADES.slice(version)) step(db);
    db.pragma(`user_version = ${FORMAT_VERSION}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/**
 * Closes a store and leaves its write-ahead log in place. SQLite's last connection would write the log back and delete it, and a process
 * that opens the store in that moment could meet a half-deleted log. A read-only connection does neither, so it is closed last.
 */
export function closeStore(store: Store, path: string): void {
  let lastConnection: Database | undefined;
  try {
    if (path !== ":memory:") {
      lastConnection = openDatabase(path, { readonly: true, timeout: 0 });
      lastConnection.prepare("SELECT 1 FROM meta LIMIT 1").get();
    }
  } catch {
    // SQLite then closes the log itself, which keeps all data too.
  } finally {
    store.close();
    lastConnection?.close();
  }
}
