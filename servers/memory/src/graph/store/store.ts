// The store: one SQLite database that several processes may use at once. Each call is one transaction. While another process holds the
// write lock, a call waits without blocking this process.
import type { Database } from "better-sqlite3";
import { GraphError, isBusy, sqliteToGraphError } from "../errors.ts";
import type { CallHandle, FigureLimits, Figures, Rows, Totals } from "../rows/rows.ts";
import { SqlConnection, type SqlValue } from "../sqlite/sql-connection.ts";
import { checkFormat } from "../sqlite/tables.ts";
import { TextIndex } from "../text-index/text-index.ts";
import { OpenFiles } from "./file-identity.ts";
import { SqliteCalls } from "./sqlite-calls.ts";
import { SqliteEntities } from "./sqlite-entities.ts";
import { countFigures, countTotals } from "./sqlite-figures.ts";
import { SqliteObservations } from "./sqlite-observations.ts";
import { SqliteRelations } from "./sqlite-relations.ts";
import { SqliteTexts } from "./sqlite-texts.ts";
import { runInSlices, runSteps } from "./time-slices.ts";

const LOCK_TIMEOUT_MS = 10_000;
const MAX_RETRY_DELAY_MS = 100;
/** A change with more steps than this takes long enough to let other requests run in between. */
const STEPS_BEFORE_SLICES = 300;

export type { CallHandle };

interface CountedCall extends CallHandle {
  readonly isEmpty: boolean;
}

export class Store extends SqlConnection implements Rows, Disposable {
  readonly textIndex = new TextIndex(this);
  readonly entities = new SqliteEntities(this, this.textIndex);
  readonly observations = new SqliteObservations(this, this.textIndex);
  readonly relations = new SqliteRelations(this);
  readonly calls = new SqliteCalls(this);
  readonly texts = new SqliteTexts(this);
  /** Set while a large change is in progress; the store must not be used until it resolves. */
  largeChange: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #files: OpenFiles | undefined;
  #cursorKey: Uint8Array | undefined;
  /** The last counts. Counting reads a whole index, which each page of the graph would pay for again. */
  #totals: (Totals & { readonly stamp: string }) | undefined;

  /** `path`: the file of the database; undefined for one in memory. */
  constructor(db: Database, path?: string) {
    super(db);
    if (path !== undefined) this.#files = new OpenFiles(path);
  }

  /** Runs `query` in one read transaction: changes of other processes are not visible in between. */
  read<T>(query: () => T): T {
    try {
      if (this.db.inTransaction) return query();
      this.#files?.check(() => this.#saveLog());
      this.run("BEGIN");
      try {
        checkFormat(this);
        return this.withoutChanges(query);
      } finally {
        this.run("COMMIT");
      }
    } catch (error) {
      throw sqliteToGraphError(error);
    }
  }

  /** Runs `change` in one write transaction, which is committed when `change` returns and rolled back when it throws. */
  async write<T>(client: string | undefined, change: (call: CallHandle) => T, signal?: AbortSignal): Promise<T> {
    // oxlint-disable-next-line require-yield
    const inOneStep = function* (call: CallHandle): Generator<never, T> {
      return change(call);
    };
    return await this.writeInSlices(client, inOneStep, signal);
  }

  /** The same for a change of any size. Runs the first 300 steps at once, the rest in slices; then `largeChange` is set until its end. */
  async writeInSlices<T>(
    client: string | undefined,
    change: (call: CallHandle) => Generator<unknown, T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return await this.#runInSlices(client, change, (call) => this.#commit(call), signal);
  }

  /** Runs a change and rolls it back. Returns what the change would return, and throws what it would throw. */
  async dryRun<T>(change: (call: CallHandle) => Generator<unknown, T>, signal?: AbortSignal): Promise<T> {
    return await this.#runInSlices(undefined, change, () => this.#undo(), signal);
  }

  async #runInSlices<T>(
    client: string | undefined,
    change: (call: CallHandle) => Generator<unknown, T>,
    finish: (call: CountedCall) => void,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return await this.#lock(async () => {
      const call = this.#newCall(client);
      const end = Promise.withResolvers<void>();
      try {
        const steps = change(call);
        const step = runSteps(steps, STEPS_BEFORE_SLICES);
        if (step.done !== true) this.largeChange = end.promise;
        const result = step.done === true ? step.value : await runInSlices(steps, { signal });
        finish(call);
        return result;
      } catch (error) {
        this.#undo();
        throw sqliteToGraphError(error);
      } finally {
        this.largeChange = undefined;
        end.resolve();
      }
    }, signal);
  }

  /** Calls `action` when no large change is in progress; no other code runs in between. */
  async whenIdle<T>(action: () => T | PromiseLike<T>): Promise<T> {
    while (this.largeChange !== undefined) await this.largeChange;
    return await action();
  }

  /** Rows are read one by one: they are near. */
  prepare(): void {
    // Nothing to do.
  }

  inBatches<T>(items: Iterable<T>): Iterable<T> {
    return items;
  }

  totals(): Totals {
    const stamp = this.changeStamp();
    if (this.#totals?.stamp !== stamp) this.#totals = { stamp, ...countTotals(this) };
    return { entities: this.#totals.entities, relations: this.#totals.relations };
  }

  figures(limits: FigureLimits): Figures {
    return countFigures(this, limits);
  }

  /** Created with the store. */
  cursorKey(): Uint8Array {
    return (this.#cursorKey ??= this.meta<Buffer>("cursorKey") ?? Buffer.alloc(32));
  }

  insertRecord(seq: number, line: string): void {
    this.insert("INSERT INTO record (line, created) VALUES (?, ?)", line, seq);
  }

  endRecord(seq: number, id: number): void {
    this.run("UPDATE record SET ended = ? WHERE id = ? AND ended IS NULL", seq, id);
  }

  /** Differs when this process or another one may have changed something since the last time. */
  changeStamp(): string {
    const counts = this.get<{ own: number; others: number }>(
      "SELECT total_changes() AS own, data_version AS others FROM pragma_data_version",
    );
    return `${counts?.own}.${counts?.others}`;
  }

  /** Calls `listener` after each change by this process. Returns the function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  meta<T extends SqlValue>(key: string): T | undefined {
    return this.get<{ value: T }>("SELECT value FROM meta WHERE key = ?", key)?.value;
  }

  setMeta(key: string, value: SqlValue): void {
    this.run("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Takes the write lock, then calls `inTransaction` before anything else runs. Retries at random intervals. */
  async #lock<T>(inTransaction: () => T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
    const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
    for (let maxDelay = 4; ; maxDelay = Math.min(maxDelay * 2, MAX_RETRY_DELAY_MS)) {
      while (this.largeChange !== undefined) await this.largeChange;
      if (this.#begin()) return await inTransaction();
      if (performance.now() > giveUpAt) break;
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * maxDelay));
      signal?.throwIfAborted();
    }
    throw new GraphError(
      "busy",
      `Memory busy: another process has held its lock for ${LOCK_TIMEOUT_MS / 1000} seconds (database is locked). Nothing was changed. Try again.`,
    );
  }

  /** Takes SQLite's write lock. False when another process has it. */
  #begin(): boolean {
    this.#files?.check(() => this.#saveLog());
    try {
      this.run("BEGIN IMMEDIATE");
      checkFormat(this);
      return true;
    } catch (error) {
      if (this.db.inTransaction) this.run("ROLLBACK");
      if (isBusy(error)) return false;
      throw sqliteToGraphError(error);
    }
  }

  /** Into the database. Where that fails, closing the database tries again. */
  #saveLog(): void {
    try {
      this.db.pragma("wal_checkpoint(TRUNCATE)");
    } catch {
      return;
    }
  }

  #commit(call: CountedCall): void {
    this.textIndex.beforeCommit();
    this.run("COMMIT");
    if (!call.isEmpty) for (const listener of this.#listeners) listener();
  }

  #undo(): void {
    this.textIndex.afterRollback();
    // SQLite has already rolled back when the disk is full.
    if (this.db.inTransaction) this.run("ROLLBACK");
  }

  #newCall(client: string | undefined): CountedCall {
    let seq: number | undefined;
    const insertCall = (): number => this.insert("INSERT INTO call (at, client) VALUES (?, ?)", Date.now(), client ?? null);
    return {
      seq: () => (seq ??= insertCall()),
      get isEmpty() {
        return seq === undefined;
      },
    };
  }
}
