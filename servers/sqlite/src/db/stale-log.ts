// The log of a file in WAL mode (-wal), which does not name its file. Beside another file that was put in place of its own it is stale:
// SQLite would take it for the log of the new file, show the old rows, and write them into the new file.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { clip } from "@oarlock/domain-kit";
import { DbError } from "./errors.ts";

/** Bytes of the header of a log. */
const LOG_HEADER_BYTES = 32;
const LOG_MAGIC = 0x377f0682;
const DATABASE_MAGIC = "SQLite format 3\0";
/** Where a database file says how it is read and written: 1 with a rollback journal, 2 with a log. https://sqlite.org/fileformat2.html */
const WRITE_VERSION_OFFSET = 18;
const ROLLBACK_JOURNAL = 1;

/** Identifies the log of a database file; undefined where it has none, or an empty one. */
export function logIdentity(file: string): string | undefined {
  const stat = statSync(`${file}-wal`, { bigint: true, throwIfNoEntry: false });
  // A deleted file may leave its number to a new one, so the time of its creation counts too, where the system knows it.
  return stat === undefined || stat.size === 0n ? undefined : `${stat.ino}:${stat.birthtimeNs}`;
}

/**
 * Whether a log lies beside a file that uses none, so that it is the log of another file. Not to be called while this process has the
 * file open: closing it would release SQLite's locks.
 */
export function hasLogOfOtherFile(file: string): boolean {
  if (logIdentity(file) === undefined) return false;
  const log = headOf(`${file}-wal`, LOG_HEADER_BYTES);
  const database = headOf(file, WRITE_VERSION_OFFSET + 1);
  const isLog = log.length === LOG_HEADER_BYTES && (log.readUInt32BE(0) | 1) === (LOG_MAGIC | 1);
  return isLog && database.toString("latin1", 0, 16) === DATABASE_MAGIC && database[WRITE_VERSION_OFFSET] === ROLLBACK_JOURNAL;
}

function headOf(file: string, length: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, readSync(descriptor, head, 0, length, 0));
  } finally {
    closeSync(descriptor);
  }
}

/** The error of a file beside a stale log. A connection that still has the old file open can empty the log. */
export const staleLogError = (label: string): DbError =>
  new DbError(
    "needs-recovery",
    `${clip(label)} was replaced while the log of the old file (-wal) lies beside it, which would change the new one. End the programs that use it, delete its -wal and -shm files, and try again.`,
  );

/** "unknown": the log was not there when the file was looked at last, so it may belong to the old file or to the new one. */
export type LogState = "valid" | "stale" | "unknown";

/** Notices that a database file was replaced beside its log, without opening it. */
export class StaleLogCheck {
  readonly #file: string;
  #known: { readonly inode: bigint | undefined; readonly log: string | undefined } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Tells "stale" until the log has been emptied or deleted, and "unknown" until it is accepted too. */
  check(): LogState {
    const inode = statSync(this.#file, { bigint: true, throwIfNoEntry: false })?.ino;
    const log = logIdentity(this.#file);
    const known = this.#known;
    const isReplaced = known !== undefined && inode !== undefined && inode !== known.inode;
    if (isReplaced && log !== undefined) return log === known.log ? "stale" : "unknown";
    this.#known = { inode, log };
    return "valid";
  }

  /** Takes the log for that of the file. */
  accept(): void {
    this.#known = undefined;
    this.check();
  }
}
