// A memory in Postgres, which several processes and machines may use at once. Each call is one transaction.
import type { PostgresOptions } from "../../addon-ports.ts";
import type { SemanticMatches } from "../../graph/semantic-index.ts";
import type { Graph, Purge, SlicedChange, SliceOptions, Topic, Watch } from "../../graph/graph.ts";
import type { CallHandle, Rows } from "../../graph/rows/rows.ts";
import { runInSlices } from "../../graph/store/time-slices.ts";
import { sumBatches, type DeletedCounts } from "../../graph/write/deletion.ts";
import { PostgresChangeFeed } from "./change-feed.ts";
import { PostgresEngine } from "./engine/engine.ts";
import { lockState, logCall } from "./write/graph-state.ts";
import { NotLoaded } from "./rows/lookups.ts";
import { formatOf, prepareTables } from "./prepare-tables.ts";
import { checkFormat } from "./tables.ts";
import type { PostgresConnection } from "./engine/postgres-connection.ts";
import { Loaded, PostgresRows } from "./rows/postgres-rows.ts";
import { pruneBatch } from "./write/pruning.ts";
import { purge } from "./write/purge.ts";

/** Opening waits this long, so that `initialize` is answered first. */
const OPEN_DELAY_MS = 40;
/** How often reads look whether a newer server has upgraded the tables. */
const FORMAT_INTERVAL_MS = 1000;

interface WriteOptions {
  readonly client: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly isDryRun?: boolean;
}

export class PostgresGraph implements Graph {
  readonly engine: PostgresEngine;
  readonly #options: PostgresOptions;
  readonly #feed: PostgresChangeFeed;
  readonly #openListeners: ((watch: Watch) => void)[] = [];
  #opening: Promise<void> | undefined;
  #isClosed = false;
  #formatReadAt = -Infinity;

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.engine = new PostgresEngine(options.location);
    this.#feed = new PostgresChangeFeed(this.engine);
  }

  /** Creates the tables where they are missing. Does nothing where it is open; after a failure it tries again. */
  async open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    await this.#opening;
  }

  openSoon(): void {
    const { warn } = this.#options;
    setTimeout(() => {
      if (!this.#isClosed) this.open().catch((error: unknown) => warn?.(error instanceof Error ? error.message : String(error)));
    }, OPEN_DELAY_MS).unref();
  }

  onOpen(listener: (watch: Watch) => void): void {
    this.#openListeners.push(listener);
  }

  async read<T>(query: (rows: Rows) => T, signal?: AbortSignal): Promise<T> {
    return await this.#read(async (rows) => query(rows), signal);
  }

  async readInSlices<Progress, T>(query: (rows: Rows) => Generator<Progress, T>, options: SliceOptions<Progress>): Promise<T> {
    return await this.#read(async (rows) => await runInSlices(query(rows), options), options.signal);
  }

  /** There are no embeddings in Postgres. */
  async findByMeaning(): Promise<SemanticMatches> {
    return { matches: [] };
  }

  async write<T>(client: string | undefined, change: (rows: Rows, call: CallHandle) => T, signal?: AbortSignal): Promise<T> {
    return await this.#write(async (rows) => change(rows, rows.pending), { client, signal });
  }

  async writeInSlices<T>(client: string | undefined, change: SlicedChange<T>, signal?: AbortSignal): Promise<T> {
    return await this.#write(async (rows) => await runInSlices(change(rows, rows.pending), { signal }), { client, signal });
  }

  async dryRun<T>(change: SlicedChange<T>, signal?: AbortSignal): Promise<T> {
    const options = { client: undefined, signal, isDryRun: true };
    return await this.#write(async (rows) => await runInSlices(change(rows, rows.pending), { signal }), options);
  }

  async purge(client: string | undefined, what: Purge, signal?: AbortSignal): Promise<DeletedCounts> {
    return await this.#purge(what, { client, signal });
  }

  async dryRunPurge(what: Purge, signal?: AbortSignal): Promise<DeletedCounts> {
    return await this.#purge(what, { client: undefined, signal, isDryRun: true });
  }

  async pruneHistory(endedBefore: number, isStopped = () => false): Promise<DeletedCounts> {
    await this.open();
    return await sumBatches(isStopped, async () =>
      this.engine.transaction({ isChange: true, signal: undefined }, async (sql) => {
        const removed = await pruneBatch(sql, endedBefore);
        sql.hasChanged = removed !== undefined;
        return removed;
      }),
    );
  }

  async watch(topic: Topic, onChange: () => void): Promise<() => void> {
    await this.open();
    await this.#feed.ready();
    return this.#feed.watch(topic, onChange);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#opening?.catch(() => undefined);
    await this.#feed.close();
    await this.engine.close();
  }

  async #open(): Promise<void> {
    await prepareTables(this.engine, this.#options.readOnly === true, this.#options.owner);
    if (this.#openListeners.length > 0) await this.#feed.start();
    for (const listener of this.#openListeners) listener((...watch) => this.#feed.watch(...watch));
  }

  async #read<T>(query: (rows: PostgresRows) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    await this.open();
    return await this.engine.transaction({ signal }, async (sql) => {
      await this.#checkFormat(sql);
      return await untilLoaded(sql, new Loaded(), query);
    });
  }

  /** Changes check it each time, with the row that they lock. */
  async #checkFormat(sql: PostgresConnection): Promise<void> {
    const now = performance.now();
    if (now - this.#formatReadAt < FORMAT_INTERVAL_MS) return;
    checkFormat(await formatOf(sql));
    this.#formatReadAt = now;
  }

  async #write<T>(change: (rows: PostgresRows) => Promise<T>, { client, signal, isDryRun = false }: WriteOptions): Promise<T> {
    await this.open();
    return await this.engine.transaction({ isChange: !isDryRun, isDryRun, signal }, async (sql) => {
      const loaded = new Loaded();
      loaded.state = await lockState(sql);
      const { result, pending } = await untilLoaded(sql, loaded, async (rows) => ({ result: await change(rows), pending: rows.pending }));
      if (isDryRun || pending.isEmpty) return result;
      sql.hasChanged = true;
      await pending.write(sql);
      await logCall(sql, pending.state, client, this.#feed.channel);
      return result;
    });
  }

  async #purge(what: Purge, { client, signal, isDryRun = false }: WriteOptions): Promise<DeletedCounts> {
    await this.open();
    return await this.engine.transaction({ isChange: !isDryRun, isDryRun, signal }, async (sql) => {
      const state = await lockState(sql);
      const counts = await purge(sql, state, what);
      if (isDryRun || Object.values(counts).every((count) => count === 0)) return counts;
      sql.hasChanged = true;
      state.purged = ++state.seq;
      await logCall(sql, state, client, this.#feed.channel);
      return counts;
    });
  }
}

/** Runs an operation; where it needs rows that are not loaded, loads them and runs it again. Nothing has been changed until then. */
async function untilLoaded<T>(sql: PostgresConnection, loaded: Loaded, operation: (rows: PostgresRows) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await operation(new PostgresRows(loaded));
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      await error.load(sql);
    }
  }
}
