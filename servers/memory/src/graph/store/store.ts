// The store: one SQLite database that several processes may use at once. Each call is one transaction; a lock of another process is
// waited for without holding up this one.
import { statSync } from "node:fs";
import type { Database, Statement } from "better-sqlite3";
import { GraphError, fromSqlite, isBusy } from "../errors.ts";
import { inSlices } from "./time-slices.ts";
import { TextIndex } from "../text-index/text-index.ts";

/** How long a lock is waited for, in milliseconds. */
const PATIENCE = 10_000;

/**
 * A value that is compared, and that SQLite's planner does not look at. Where it does (a join, an order, a choice of indexes), each new
 * value has the whole statement prepared again: 25 µs of the 30 that looking up an entity took.
 */
const UNSEEN = "likely(?)";

type Value = string | number | bigint | Buffer | null;

/** One transaction that may change something. */
export interface Change {
  /** The number of this call, for what it makes and ends; a call that changes nothing has none. */
  seq(): number;
}

interface Prepared {
  readonly statement: Statement<Value[]>;
  readonly make: () => Statement<Value[]>;
  readonly place: (values: Value[]) => Value[];
  /** Those that are walked row by row, and are not at the moment. */
  readonly idle: Statement<Value[]>[];
}

interface Counted extends Change {
  isNeeded(): boolean;
}

export class Store {
  readonly db: Database;
  readonly texts = new TextIndex(this);
  readonly #prepared = new Map<string, Prepared>();
  readonly #listeners = new Set<() => void>();
  /** While this is there, nothing may use the store. */
  busy: Promise<void> | undefined;
  readonly #path: string | undefined;
  readonly #file: string | undefined;

  /** `path`: the file that it was opened at; without one it lies in memory. */
  constructor(db: Database, path?: string) {
    this.db = db;
    this.#path = path;
    this.#file = fileAt(path);
  }

  #prepare(sql: string, isRaw = false): Prepared {
    const key = isRaw ? `raw ${sql}` : sql;
    let prepared = this.#prepared.get(key);
    if (prepared === undefined) {
      // The driver takes `?` only; `?1` and `?2`, for values that stand in several places, are ours.
      const order = [...sql.matchAll(/\?(\d)/g)].map(([, number]) => Number(number) - 1);
      const make = (): Statement<Value[]> => {
        const statement = this.db.prepare<Value[]>(sql.replaceAll(/\?\d/g, "?").replaceAll(/(?<=[=<>] )\?/g, UNSEEN));
        return isRaw ? statement.raw() : statement;
      };
      const place = (values: Value[]): Value[] => (order.length === 0 ? values : order.map((at) => values[at] ?? null));
      prepared = { statement: make(), make, place, idle: [] };
      this.#prepared.set(key, prepared);
    }
    return prepared;
  }

  /** All rows. What they are is said by the caller, whose own SQL it is; so below. */
  all<Row>(sql: string, ...values: Value[]): Row[] {
    const { statement, place } = this.#prepare(sql);
    return statement.all(...place(values)) as Row[];
  }

  /** All rows as lists of their columns, in half the time: for what is read by the hundred. */
  rows<Row extends unknown[]>(sql: string, ...values: Value[]): Row[] {
    const { statement, place } = this.#prepare(sql, true);
    return statement.all(...place(values)) as Row[];
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    const { statement, place } = this.#prepare(sql);
    return statement.get(...place(values)) as Row | undefined;
  }

  /** Row by row. Nothing may be written meanwhile. */
  *each<Row>(sql: string, ...values: Value[]): Generator<Row> {
    const { make, place, idle } = this.#prepare(sql);
    // One statement can be walked once at a time.
    const statement = idle.pop() ?? make();
    try {
      yield* statement.iterate(...place(values)) as IterableIterator<Row>;
    } finally {
      idle.push(statement);
    }
  }

  /** The id of the row that an INSERT made. */
  insert(sql: string, ...values: Value[]): number {
    const { statement, place } = this.#prepare(sql);
    return Number(statement.run(...place(values)).lastInsertRowid);
  }

  /** How many rows changed. */
  run(sql: string, ...values: Value[]): number {
    const { statement, place } = this.#prepare(sql);
    return statement.run(...place(values)).changes;
  }

  /** What `look` sees is one state, whatever other processes do meanwhile. */
  read<T>(look: () => T): T {
    try {
      if (this.db.inTransaction) return look();
      this.#checkFile();
      this.run("BEGIN");
      try {
        return look();
      } finally {
        this.run("COMMIT");
      }
    } catch (error) {
      throw fromSqlite(error);
    }
  }

  /**
   * All or nothing: what `act` does is kept when it returns, and undone when it throws. At once where the lock is free; a promise
   * where it is waited for.
   */
  write<T>(client: string | undefined, act: (change: Change) => T, signal?: AbortSignal): T | Promise<T> {
    if (this.busy !== undefined) return this.busy.then(() => this.write(client, act, signal));
    const done = this.#attempt(client, act);
    return done === undefined ? this.#insist(client, act, signal) : done.value;
  }

  /** Waits in steps of random length, so that those who wait do not meet again and again. */
  async #insist<T>(client: string | undefined, act: (change: Change) => T, signal: AbortSignal | undefined): Promise<T> {
    return await patiently(() => (this.busy === undefined ? this.#attempt(client, act) : undefined), signal);
  }

  /**
   * One change in pieces, for what takes long: between them this process does other things, but nothing may use this store meanwhile.
   */
  async writeInSlices<T>(client: string | undefined, work: (change: Change) => Generator<unknown, T>, signal?: AbortSignal): Promise<T> {
    while (this.busy !== undefined) await this.busy;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.busy = promise;
    const change = this.#change(client);
    try {
      await patiently(() => (this.#begin() ? { value: true } : undefined), signal);
      const value = await inSlices(work(change), signal);
      this.texts.flush();
      this.run("COMMIT");
      this.#tell(change);
      return value;
    } catch (error) {
      this.texts.forget();
      if (this.db.inTransaction) this.run("ROLLBACK");
      throw fromSqlite(error);
    } finally {
      this.busy = undefined;
      resolve();
    }
  }

  #begin(): boolean {
    this.#checkFile();
    try {
      this.run("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw fromSqlite(error);
    }
  }

  /** What is written to a file that has lost its name is lost with this process; SQLite itself does not look. */
  #checkFile(): void {
    if (this.#path === undefined || fileAt(this.#path) === this.#file) return;
    throw new GraphError(
      "moved",
      "The file of the memory was moved, deleted or replaced while this server was running. Nothing was changed, and what lies there now was not touched: restart the server to use it, or put the file back.",
    );
  }

  #change(client: string | undefined): Counted {
    let seq: number | undefined;
    return {
      seq: () => (seq ??= this.insert("INSERT INTO call (at, client) VALUES (?, ?)", Date.now(), client ?? null)),
      isNeeded: () => seq !== undefined,
    };
  }

  #tell(change: Counted): void {
    if (change.isNeeded()) for (const listener of this.#listeners) listener();
  }

  /** Undefined when another process has the lock. */
  #attempt<T>(client: string | undefined, act: (change: Change) => T): { value: T } | undefined {
    if (!this.#begin()) return undefined;
    const change = this.#change(client);
    try {
      const value = act(change);
      this.texts.flush();
      this.run("COMMIT");
      this.#tell(change);
      return { value };
    } catch (error) {
      // A full disk ends the transaction by itself.
      this.texts.forget();
      if (this.db.inTransaction) this.run("ROLLBACK");
      throw fromSqlite(error);
    }
  }

  /** Differs when something may have changed, by this process or by another one, since what is read now was read. */
  stamp(): string {
    const of = this.get<{ own: number; others: number }>("SELECT total_changes() AS own, data_version AS others FROM pragma_data_version");
    return `${of?.own}.${of?.others}`;
  }

  /** Calls back after each change by this process; returns the function that ends it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  meta<T extends Value>(key: string): T | undefined {
    return this.get<{ value: T }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }

  setMeta(key: string, value: Value): void {
    this.run("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value);
  }

  close(): void {
    this.db.close();
  }
}

/** Which file has this name now. */
function fileAt(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : `${stat.dev}.${stat.ino}`;
  } catch {
    return undefined; // a folder on the way is gone, or closed
  }
}

async function patiently<T>(attempt: () => { value: T } | undefined, signal: AbortSignal | undefined): Promise<T> {
  const end = performance.now() + PATIENCE;
  for (let longest = 4; ; longest = Math.min(longest * 2, 100)) {
    const done = attempt();
    if (done !== undefined) return done.value;
    if (performance.now() > end) break;
    await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * longest));
    signal?.throwIfAborted();
  }
  throw new GraphError(
    "busy",
    `The memory is busy: another process has held its lock for ${PATIENCE / 1000} seconds (database is locked). Nothing was changed; try again.`,
  );
}
