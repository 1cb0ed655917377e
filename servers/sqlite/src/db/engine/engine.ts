// One connection and the statements that were looked at on it.
import { lstatSync, statSync, type BigIntStats, type Stats } from "node:fs";
import type Database from "better-sqlite3";
import { DbError } from "../errors.ts";
import { openConnection, type Place } from "./connection.ts";
import { BUSY, patient } from "./lock-retry.ts";
import { vetRead, vetWrite, type Vetted } from "../policy/statement-policy.ts";

/** Statements that are kept ready. */
const KEPT = 100;

export class Engine {
  readonly place: Place;
  readonly #kept = new Map<string, Vetted>();
  #db: Database.Database;
  #own: Own;
  #schema = -1;
  /** The file as this connection left it. */
  #seen: Stats | undefined;
  #log: number | undefined;
  #looked = Number.NEGATIVE_INFINITY;

  constructor(place: Place) {
    this.place = place;
    this.#seen = lookAt(this.place.file);
    [this.#db, this.#own] = connected(place);
  }

  get db(): Database.Database {
    return this.#db;
  }

  /** The number of the file in its file system. */
  get file(): number {
    return this.#seen?.ino ?? 0;
  }

  /** The statement, looked at now or earlier on the same schema. */
  vetted(text: string, kind: "read" | "write"): Vetted {
    this.#forgetOldSchema();
    const key = kind + text;
    let vetted = this.#kept.get(key);
    if (vetted === undefined) {
      vetted = patient(() => (kind === "read" ? vetRead(this.#db, text) : vetWrite(this.#db, text)));
      if (text.length < 20_000) this.#kept.set(key, vetted);
      const [oldest] = this.#kept.keys();
      if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
    }
    return vetted;
  }

  /** A connection that remembers nothing. Where it cannot be had, this one is closed for good. */
  renew(): void {
    this.#kept.clear();
    const seen = lookAt(this.place.file); // before it is opened: one that is put there meanwhile is noticed then
    this.#db.close();
    [this.#db, this.#own] = patient(() => connected(this.place));
    this.#seen = seen;
  }

  /** Rows changed on this connection, also by foreign keys and triggers. */
  totalChanges(): number {
    return this.#own.changes.get() ?? 0;
  }

  /** What `act` sees is one state, and the lock is taken once for all that it asks. */
  reading<T>(act: () => T): T {
    this.#own.open.run();
    try {
      return act();
    } finally {
      this.#own.commit.run();
    }
  }

  /** Waits for the right to write. */
  begin(): void {
    patient(() => this.#own.begin.run());
  }

  commit(): void {
    patient(() => this.#own.commit.run());
  }

  lastRowid(): number | string {
    const rowid = this.#own.rowid.get() ?? 0n;
    return Number.isSafeInteger(Number(rowid)) ? Number(rowid) : String(rowid);
  }

  close(): void {
    this.#db.close();
  }

  /**
   * Another file with the same name is another database, and so may be one that was written over in place, as copying programs do
   * it: its counts may be those of before, by which SQLite knows what it has kept. Looked at between requests: none changes over
   * in the middle. `counts`: this connection stays, as what it tells of changes begins anew with another one.
   */
  followFile(counts = false): void {
    const now = performance.now();
    // What is written to a file that has lost its name is lost: there it is looked each time.
    if (!this.place.write && now - this.#looked < LOOKED_AT_MS) return;
    const seen = lookAt(this.place.file);
    // It is closed where there was no file to follow.
    if (this.#db.open && seen?.ino === this.#seen?.ino) {
      if (!counts && (seen?.mtimeMs !== this.#seen?.mtimeMs || seen?.size !== this.#seen?.size)) this.renew();
      if (!this.place.write) this.#log = this.#logNow();
    } else {
      this.#leaveLog();
      this.renew();
    }
    this.#looked = now;
  }

  /** A request is done: what it did to the file was no other program. */
  settled(): void {
    if (!this.place.write) return;
    const seen = lookAt(this.place.file);
    if (seen?.ino === this.#seen?.ino) this.#seen = seen;
  }

  /** The log of the file before would be taken for that of the new one, and change it back. */
  #leaveLog(): void {
    // Into the file that it belongs to, which this connection has open still.
    if (!this.#db.open) return;
    if (this.place.write) {
      const [result] = this.#db.pragma("wal_checkpoint(TRUNCATE)") as [{ busy: number }]; // one row, always
      if (result.busy !== 0) throw new DbError("busy", BUSY);
    } else if (this.#log !== undefined && this.#logNow() === this.#log)
      throw new DbError(
        "recover",
        `${this.place.label} was replaced while the log of the database before lies beside it (-wal), and would change the new one. End the programs that use it, delete its -wal and -shm files, and ask again`,
      );
  }

  /** The log that lies there, unless it is empty. */
  #logNow(): number | undefined {
    const stat = statSync(`${this.place.file}-wal`, { throwIfNoEntry: false });
    return stat === undefined || stat.size === 0 ? undefined : stat.ino;
  }

  /** Differs when the data may have changed. */
  stamp(): string {
    return [this.place.file, `${this.place.file}-wal`]
      .map((file) => stampOf(statSync(file, { bigint: true, throwIfNoEntry: false })))
      .join(".");
  }

  #forgetOldSchema(): void {
    const schema = patient(() => this.#own.version.get()) ?? -1;
    if (schema === this.#schema) return;
    this.#kept.clear();
    // The connection itself finds out only while a statement runs: what is prepared before that is for the tables of before.
    patient(() => this.#db.prepare("SELECT 1 FROM main.sqlite_schema LIMIT 1").get());
    this.#schema = schema;
  }
}

function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // what is in the way is told by whoever opens it
  }
}

/** How often a reader looks whether the file is still the same, in milliseconds. */
const LOOKED_AT_MS = 200;

/** Questions of our own to the connection. */
interface Own {
  open: Database.Statement<[]>;
  begin: Database.Statement<[]>;
  commit: Database.Statement<[]>;
  version: Database.Statement<[], number>;
  changes: Database.Statement<[], number>;
  rowid: Database.Statement<[], bigint>;
}

function connected(place: Place): [Database.Database, Own] {
  const db = openConnection(place);
  try {
    return [db, ownOf(db)];
  } catch (error) {
    db.close();
    throw error;
  }
}

const ownOf = (db: Database.Database): Own => ({
  open: db.prepare<[]>("BEGIN"),
  begin: db.prepare<[]>("BEGIN IMMEDIATE"),
  commit: db.prepare<[]>("COMMIT"),
  version: db.prepare<[], number>("PRAGMA schema_version").pluck(),
  changes: db.prepare<[], number>("SELECT total_changes()").pluck(),
  rowid: db.prepare<[], bigint>("SELECT last_insert_rowid()").pluck().safeIntegers(),
});

const stampOf = (stat: BigIntStats | undefined): string =>
  stat === undefined ? "" : `${stat.mtimeNs.toString(36)}-${stat.size.toString(36)}`;
