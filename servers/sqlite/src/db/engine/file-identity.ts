// Which file a connection belongs to: notices a file that is put in its place or written over, and the WAL left by the one before.
import { lstatSync, statSync, type BigIntStats } from "node:fs";
import type Database from "better-sqlite3";
import { checkDatabaseFile } from "../database-file.ts";
import { DbError } from "../errors.ts";
import type { ConnectionOptions } from "./connection.ts";
import { logIdentity, staleLogError } from "../stale-log.ts";
import { BUSY_MESSAGE } from "./lock-retry.ts";

/** How often a reader looks at the file, in milliseconds. More often would slow short queries. */
const READER_INTERVAL_MS = 200;

export type FileChange = "none" | "replaced" | "overwritten";

export class FileIdentity {
  readonly #options: ConnectionOptions;
  readonly #walFile: string;
  /** The file as this connection left it. */
  #known: BigIntStats | undefined;
  #knownLog: string | undefined;
  /** The inode of the log that this connection has open. */
  #openLog: number | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#walFile = `${options.file}-wal`;
    this.#known = this.note();
  }

  /** In decimal digits. */
  get inode(): string {
    return String(this.#known?.ino ?? 0);
  }

  note(): BigIntStats | undefined {
    try {
      return lstatSync(this.#options.file, { bigint: true, throwIfNoEntry: false });
    } catch {
      return undefined; // opening the file reports the reason
    }
  }

  accept(noted: BigIntStats | undefined): void {
    this.#known = noted;
    this.#openLog = undefined;
  }

  /** A changed size or time of the same file, after a request that may write, is that request's own doing. */
  acceptOwnChanges(): void {
    this.#openLog ??= inodeOf(this.#walFile);
    if (!this.#options.write) return;
    const now = this.note();
    if (now?.ino === this.#known?.ino) this.#known = now;
  }

  /**
   * "overwritten" is a file that another program wrote over in place, as copying programs do: its change counter may equal that of the
   * old content, by which SQLite knows what it has cached. A writer checks before every request: a change written to a file that has
   * lost its name would be lost.
   */
  check(db: Database.Database): FileChange {
    if (db.open && this.#hasLostLog()) {
      if (this.#options.write) this.#leaveWal(db);
      return "replaced";
    }
    const now = performance.now();
    if (!this.#options.write && now - this.#checkedAt < READER_INTERVAL_MS) return "none";
    const { file, label, lockdown = false } = this.#options;
    // A file, or a log, that was put there after the connection was opened.
    if (lockdown) checkDatabaseFile(file, label, lockdown);
    const stat = this.note();
    // A closed connection found no file to follow at its last request.
    const isSameFile = db.open && stat?.ino === this.#known?.ino;
    if (!isSameFile) this.#leaveWal(db);
    else if (!this.#options.write) this.#knownLog = logIdentity(this.#options.file);
    this.#checkedAt = now;
    if (!isSameFile) return "replaced";
    return stat?.mtimeNs === this.#known?.mtimeNs && stat?.size === this.#known?.size ? "none" : "overwritten";
  }

  /**
   * While a connection is open, SQLite deletes no log: another program has, or a person who tidied up. What is written to it would be lost
   * with this process.
   */
  #hasLostLog(): boolean {
    return this.#openLog !== undefined && inodeOf(this.#walFile) !== this.#openLog;
  }

  /** Times and sizes of the database and its WAL. */
  dataVersion(): string {
    return [this.#options.file, this.#walFile]
      .map((file) => statSync(file, { bigint: true, throwIfNoEntry: false }))
      .map((stat) => (stat === undefined ? "" : `${stat.mtimeNs.toString(36)}-${stat.size.toString(36)}`))
      .join(".");
  }

  /** SQLite would take the WAL of the old file for that of the new one, and change the new one back. */
  #leaveWal(db: Database.Database): void {
    if (!db.open) return;
    if (this.#options.write) {
      // Into the old file, which this connection still has open.
      const [result] = db.pragma("wal_checkpoint(TRUNCATE)") as [{ busy: number }]; // one row, always
      if (result.busy !== 0) throw new DbError("busy", BUSY_MESSAGE);
    } else if (this.#knownLog !== undefined && logIdentity(this.#options.file) === this.#knownLog) throw staleLogError(this.#options.label);
  }
}

/** Undefined for a missing file. */
const inodeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.ino;
