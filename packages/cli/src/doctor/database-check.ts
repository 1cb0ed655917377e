// Check of a SQLite database that changes nothing: no journal is rolled back, and no file is created beside it.
import { closeSync, existsSync, openSync, readFileSync, readSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { quoted } from "../start/start-error.ts";
import { failed, noted, passed, type Check } from "./check.ts";
import { checkFile } from "./file-checks.ts";

/** The part of better-sqlite3 that the check uses. */
interface Connection {
  pragma(text: string, options?: { simple: boolean }): unknown;
  close(): unknown;
}

/** Opens a file, or the bytes of one. */
export type OpenDatabase = (source: string | Buffer, options: { readonly: boolean; timeout: number }) => Connection;

const MAGIC = "SQLite format 3\0";
/** Larger databases are not read as a whole. */
const MAX_CHECKED_BYTES = 128 * 1024 * 1024;
/** A change of a database needs as much. */
export const MIN_FREE_BYTES = 1024 * 1024;
const MAX_PROBLEMS = 5;
const LOCK_MS = 2000;
/** Bytes of the header that name the journal mode: 1 rollback, 2 write-ahead log. https://sqlite.org/fileformat2.html */
const MODE_BYTES = [18, 19] as const;
const WAL = 2;

export interface DatabaseQuestion {
  readonly name: string;
  readonly file: string;
  readonly write: boolean;
  readonly mayBeMissing: boolean;
  /** Further checks of a database that is fine. */
  examine?(connection: Connection): Check[];
}

/** Rights, header, and `PRAGMA quick_check`. */
export function checkDatabase(open: OpenDatabase, { name, file, write, mayBeMissing, examine }: DatabaseQuestion): Check[] {
  const rights = checkFile(name, file, { write, mayBeMissing });
  if (!rights.ok) return [rights];
  const freeBytes = freeBytesFor(file);
  if (write && freeBytes !== undefined && freeBytes < MIN_FREE_BYTES)
    return [failed(name, `${quoted(file)} is on a full disk: ${freeBytes} bytes are free.`, "Make room on that disk.")];
  if (!existsSync(file)) return [rights];
  const { size } = statSync(file);
  if (size === 0) return [passed(name, `${quoted(file)} is empty: a new database.`)];
  const head = headOf(file);
  if (head.toString("latin1", 0, MAGIC.length) !== MAGIC)
    return [failed(name, `${quoted(file)} is not a SQLite database, or its beginning is damaged.`, RESTORE)];
  const isWal = head[MODE_BYTES[0]] === WAL;
  if (!isWal && existsSync(`${file}-journal`))
    return [
      noted(name, "not checked", `${quoted(file)} is being written, or a program that wrote it ended early; its content was not checked.`),
    ];
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (hasLog && !existsSync(`${file}-shm`))
    return [
      noted(
        name,
        "not checked",
        `${quoted(file)} has a log (-wal) of a program that ended early; its content was not checked. The next start takes the log in.`,
      ),
    ];
  if (size > MAX_CHECKED_BYTES)
    return [
      noted(name, "not checked", `${quoted(file)} can be opened; with ${Math.round(size / 1e6)} MB it is too large for a full check here.`),
    ];
  try {
    // A log in use has all its files already. Without one, opening would create them, so that the bytes are checked in memory.
    return withConnection(
      open(isWal && !hasLog ? withoutWal(readFileSync(file)) : file, { readonly: true, timeout: LOCK_MS }),
      (connection) => {
        const rows = connection.pragma(`quick_check(${MAX_PROBLEMS})`) as Record<string, unknown>[]; // one column
        const problems = rows.map((row) => String(Object.values(row)[0])).filter((text) => text !== "ok");
        if (problems.length > 0) return [failed(name, `${quoted(file)} is damaged: ${problems.join("; ").slice(0, 500)}`, RESTORE)];
        return [passed(name, `${rights.message.replace(/\.$/, "")}, and its content is sound.`), ...(examine?.(connection) ?? [])];
      },
    );
  } catch (error) {
    return [databaseError(name, file, error)];
  }
}

/** Of the disk below its folder. Undefined where that is missing, too. */
function freeBytesFor(file: string): number | undefined {
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) return undefined;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const RESTORE =
  "Restore the file from a backup. Without one, save what can be read with the sqlite3 program: sqlite3 FILE .recover | sqlite3 NEW_FILE";

function databaseError(name: string, file: string, error: unknown): Check {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const text = error instanceof Error ? error.message : String(error);
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return failed(name, `${quoted(file)} is locked by another program.`, "Wait until that program has finished, or close it.");
  if (code === "SQLITE_CORRUPT" || code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT"))
    return failed(name, `${quoted(file)} is damaged: ${text}.`, RESTORE);
  if (code.startsWith("SQLITE_"))
    return failed(
      name,
      `${quoted(file)} cannot be opened: ${text} (${code}).`,
      "Check the rights on the file and its folder, and the disk.",
    );
  return failed(
    name,
    `The SQLite driver cannot be loaded: ${text.split("\n", 1)[0] ?? ""}`,
    "Install it again for this Node: npm rebuild better-sqlite3, or remove node_modules and install the server anew.",
  );
}

function withConnection<T>(connection: Connection, use: (connection: Connection) => T): T {
  try {
    return use(connection);
  } finally {
    connection.close();
  }
}

function withoutWal(bytes: Buffer): Buffer {
  for (const offset of MODE_BYTES) bytes[offset] = 1;
  return bytes;
}

function headOf(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const head = Buffer.alloc(100);
    return head.subarray(0, readSync(descriptor, head, 0, head.length, 0));
  } finally {
    closeSync(descriptor);
  }
}
