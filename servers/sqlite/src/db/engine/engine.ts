// One connection of a database process: its checked statements, its transactions, and the file that it belongs to.
import { lstatSync } from "node:fs";
import type Database from "better-sqlite3";
import { allowWriteWithTexts } from "../policy/changing-statement.ts";
import { allowReadWithTexts } from "../policy/reading-statement.ts";
import type { AllowedStatement } from "../policy/statement-policy.ts";
import { mayHaveLostTexts } from "../schema/quoted-texts/objects.ts";
import { dropReadableViews } from "../schema/quoted-texts/views.ts";
import { openConnection, type ConnectionOptions } from "./connection.ts";
import { FileIdentity } from "./file-identity.ts";
import { retryWhileBusy } from "./lock-retry.ts";

/** To open a file that another program replaces at the same time. */
const MAX_ATTEMPTS = 5;
const MAX_CACHED_STATEMENTS = 100;
const MAX_CACHED_LENGTH = 20_000;

export class Engine {
  readonly options: ConnectionOptions;
  readonly #statements = new Map<string, AllowedStatement>();
  readonly #identity: FileIdentity;
  #db: Database.Database;
  #own: OwnStatements;
  #schemaVersion = -1;

  constructor(options: ConnectionOptions) {
    this.options = options;
    this.#identity = new FileIdentity(options);
    [this.#db, this.#own] = connect(options);
  }

  get db(): Database.Database {
    return this.#db;
  }

  /** The inode of the file. */
  get inode(): string {
    return this.#identity.inode;
  }

  /** Changes whenever the data may have changed. */
  dataVersion(): string {
    return this.#identity.dataVersion();
  }

  /** The checked statement, from the cache where the schema is unchanged. */
  allowed(sql: string, access: "read" | "write"): AllowedStatement {
    this.#dropStatementsOfOldSchema();
    if (access === "write") this.#dropReadableViews();
    const key = access + sql;
    const cached = this.#statements.get(key);
    if (cached !== undefined) return cached;
    const statement = retryWhileBusy(() => (access === "read" ? allowReadWithTexts(this.#db, sql) : allowWriteWithTexts(this.#db, sql)));
    if (sql.length < MAX_CACHED_LENGTH) this.#statements.set(key, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > MAX_CACHED_STATEMENTS && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }

  /** Opens a fresh connection, which has no state of earlier calls. Where that fails, the old one is closed all the same. */
  reconnect(): void {
    this.#statements.clear();
    // Noted before the file is opened: one that is put there meanwhile is noticed by the next request.
    const noted = this.#identity.note();
    this.#db.close();
    [this.#db, this.#own] = retryWhileBusy(() => connect(this.options));
    this.#identity.accept(noted);
  }

  /**
   * Reconnects where the file was replaced or overwritten in place. Called between requests, so that no request changes files halfway.
   * @param keepOverwritten Keeps the connection to an overwritten file: its change counters would start again.
   */
  followFile(keepOverwritten = false): void {
    const change = this.#identity.check(this.#db);
    if (change === "replaced" || (change === "overwritten" && !keepOverwritten)) this.reconnect();
  }

  /** Ends a request: changes that it made to the file are our own. */
  endRequest(): void {
    this.#identity.acceptOwnChanges();
  }

  /** Rows changed on this connection, those of foreign keys and triggers included. */
  totalChanges(): number {
    return this.#own.totalChanges.get() ?? 0;
  }

  lastInsertRowid(): number | string {
    return exactInteger(this.#own.lastInsertRowid.get() ?? 0n);
  }

  /** Runs `act` in one read transaction: it sees one state, and takes the lock once. */
  readTransaction<T>(act: () => T): T {
    this.#own.begin.run();
    try {
      return act();
    } finally {
      this.#own.commit.run();
    }
  }

  /** Begins a write transaction and waits for the lock. */
  beginWrite(): void {
    retryWhileBusy(() => this.#own.beginImmediate.run());
  }

  commit(): void {
    retryWhileBusy(() => this.#own.commit.run());
  }

  /** Rolls back a transaction that is still open. */
  rollback(): void {
    if (!this.#db.inTransaction) return;
    this.#db.exec("ROLLBACK");
    if (mayHaveLostTexts(this.#db)) this.#statements.clear();
    this.#dropReadableViews();
  }

  close(): void {
    this.#db.close();
  }

  /** Statements that read them would be compiled anew, without their texts. */
  #dropReadableViews(): void {
    if (dropReadableViews(this.#db)) this.#statements.clear();
  }

  #dropStatementsOfOldSchema(): void {
    const version = retryWhileBusy(() => this.#own.schemaVersion.get()) ?? -1;
    if (version === this.#schemaVersion) return;
    this.#statements.clear();
    dropReadableViews(this.#db);
    // A connection notices a new schema only while a statement runs; what is prepared before that fits the old tables.
    retryWhileBusy(() => this.#db.prepare("SELECT 1 FROM main.sqlite_schema LIMIT 1").get());
    this.#schemaVersion = version;
  }
}

/** A number, or decimal text past 2^53. */
export const exactInteger = (value: number | bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

interface OwnStatements {
  readonly begin: Database.Statement<[]>;
  readonly beginImmediate: Database.Statement<[]>;
  readonly commit: Database.Statement<[]>;
  readonly schemaVersion: Database.Statement<[], number>;
  readonly totalChanges: Database.Statement<[], number>;
  readonly lastInsertRowid: Database.Statement<[], bigint>;
}

function connect(options: ConnectionOptions): [Database.Database, OwnStatements] {
  for (let attemptsLeft = MAX_ATTEMPTS; ; attemptsLeft -= 1) {
    const inode = inodeOf(options.file);
    const db = openConnection(options);
    try {
      const own = prepareOwn(db);
      // A file that is put in place of the checked one meanwhile is checked too: a stale log would keep its lock.
      if (inode === undefined || inodeOf(options.file) === inode || attemptsLeft === 0) return [db, own];
    } catch (error) {
      db.close();
      throw error;
    }
    db.close();
  }
}

/** Exact: as numbers, those of Windows are rounded, and two files could have one. */
const inodeOf = (file: string): bigint | undefined => lstatSync(file, { bigint: true, throwIfNoEntry: false })?.ino;

const prepareOwn = (db: Database.Database): OwnStatements => ({
  begin: db.prepare<[]>("BEGIN"),
  beginImmediate: db.prepare<[]>("BEGIN IMMEDIATE"),
  commit: db.prepare<[]>("COMMIT"),
  schemaVersion: db.prepare<[], number>("PRAGMA schema_version").pluck(),
  totalChanges: db.prepare<[], number>("SELECT total_changes()").pluck(),
  lastInsertRowid: db.prepare<[], bigint>("SELECT last_insert_rowid()").pluck().safeIntegers(),
});
