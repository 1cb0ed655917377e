// Connections to Postgres: a bounded pool, transactions, cancellation, and a watchdog that ends calls when the engine does not answer.
import { tracedWork } from "@oarlock/domain-kit";
import { Client, Pool, type PoolClient } from "pg";
import { GraphError } from "../../../graph/errors.ts";
import type { PostgresLocation } from "../../../postgres-location.ts";
import { isAway, postgresToGraphError, uncertain } from "./errors.ts";
import { Semaphore } from "./semaphore.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { parserOf } from "./values.ts";

const MAX_READS = 6;
/** Changes of one process follow each other: each holds the lock of the graph. */
const MAX_CHANGES = 1;
/** For cancellations and probes. */
const SPARE_CONNECTIONS = 2;
const CONNECT_TIMEOUT_MS = 1500;
const PROBE_TIMEOUT_MS = 800;
const LOCK_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
/** How often calls in flight are looked at. */
const WATCH_MS = 150;
/** After this long without an answer the engine is probed. */
const SILENCE_MS = 300;
/** After the engine has not answered, calls are refused at once for this long. */
const AWAY_MS = 300;

export interface TransactionOptions {
  readonly isChange?: boolean;
  /** Nothing is kept. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
}

export class PostgresEngine {
  readonly location: PostgresLocation;
  readonly #pool: Pool;
  readonly #reads = new Semaphore(MAX_READS);
  readonly #changes = new Semaphore(MAX_CHANGES);
  readonly #busy = new Map<PoolClient, PostgresConnection>();
  #watchdog: ReturnType<typeof setInterval> | undefined;
  #isProbing = false;
  #awayUntil = 0;

  constructor(location: PostgresLocation) {
    this.location = location;
    this.#pool = new Pool({
      ...this.connectionOptions(),
      max: MAX_READS + MAX_CHANGES + SPARE_CONNECTIONS,
      idleTimeoutMillis: 30_000,
      allowExitOnIdle: true,
    });
    // A connection that breaks while it is idle is replaced by the next call.
    this.#pool.on("error", () => undefined);
  }

  connectionOptions() {
    return {
      connectionString: this.location.address,
      application_name: "oarlock-memory",
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      // The schema of the extension pg_trgm is usually public.
      options: `-c search_path=${this.location.schema},public -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c lock_timeout=${LOCK_TIMEOUT_MS}`,
      types: { getTypeParser: (type: number) => parserOf(type) },
    };
  }

  /** Rejects with the error of the driver. */
  async connect(): Promise<void> {
    (await this.#pool.connect()).release();
  }

  /** Runs `action` in one transaction, which is committed when it returns and rolled back when it throws. */
  async transaction<T>(
    { isChange = false, isDryRun = false, signal }: TransactionOptions,
    action: (sql: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    this.#refuseWhileAway();
    const queue = isChange || isDryRun ? this.#changes : this.#reads;
    const name = isChange ? "write" : "read";
    const attributes = { "db.system.name": "postgresql", "db.operation.name": name };
    return await tracedWork({ name: `postgresql ${name}`, isRemote: true, attributes }, () =>
      queue.run(async () => {
        signal?.throwIfAborted();
        this.#refuseWhileAway();
        try {
          const begin = isChange || isDryRun ? "begin" : "begin isolation level repeatable read, read only";
          return await this.#withClient(signal, begin, isDryRun ? "rollback" : "commit", action);
        } catch (error) {
          if (isAway(error)) this.#awayUntil = performance.now() + AWAY_MS;
          signal?.throwIfAborted();
          throw postgresToGraphError(error, this.location.displayName);
        }
      }),
    );
  }

  /** Runs statements without a transaction, such as those that cannot run in one. */
  async run<T>(action: (sql: PostgresConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#withClient(undefined, undefined, undefined, action);
    } catch (error) {
      throw postgresToGraphError(error, this.location.displayName);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#watchdog);
    await this.#pool.end();
  }

  async #withClient<T>(
    signal: AbortSignal | undefined,
    begin: string | undefined,
    end: string | undefined,
    action: (sql: PostgresConnection) => Promise<T>,
  ): Promise<T> {
    const client = await this.#pool.connect();
    const sql = new PostgresConnection(client);
    const ignore = (): void => undefined; // the query that is running reports it
    client.on("error", ignore);
    const cancel = (): void => void this.#cancel(client);
    signal?.addEventListener("abort", cancel);
    this.#watch(client, sql);
    let broken: Error | undefined;
    try {
      if (begin !== undefined) await sql.run(begin);
      const result = await action(sql);
      signal?.throwIfAborted();
      if (end !== undefined) await this.#end(sql, end);
      return result;
    } catch (error) {
      if (begin !== undefined && !isAway(error)) await sql.run("rollback").catch((failure: Error) => (broken = failure));
      else if (isAway(error)) broken = error as Error; // as tested
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#busy.delete(client);
      client.off("error", ignore);
      client.release(broken ?? false);
    }
  }

  async #end(sql: PostgresConnection, end: string): Promise<void> {
    try {
      await sql.run(end);
    } catch (error) {
      if (end === "commit" && sql.hasChanged && isAway(error)) {
        this.#awayUntil = performance.now() + AWAY_MS;
        throw uncertain(this.location.displayName);
      }
      throw error;
    }
  }

  #refuseWhileAway(): void {
    if (performance.now() < this.#awayUntil)
      throw new GraphError("away", `Postgres at ${this.location.displayName} does not answer. Nothing was changed. Try again.`);
  }

  async #cancel(client: PoolClient): Promise<void> {
    const { processID } = client as unknown as { processID: number | null }; // not in the types of the driver
    if (processID === null) return;
    await this.#pool.query("select pg_cancel_backend($1)", [processID]).catch(() => undefined);
  }

  #watch(client: PoolClient, sql: PostgresConnection): void {
    this.#busy.set(client, sql);
    this.#watchdog ??= setInterval(() => this.#look(), WATCH_MS).unref();
  }

  /** Probes the engine while a query has been waiting. A query may take long; an engine that answers nothing ends all of them. */
  #look(): void {
    if (this.#busy.size === 0) {
      clearInterval(this.#watchdog);
      this.#watchdog = undefined;
      return;
    }
    const silent = performance.now() - SILENCE_MS;
    if (![...this.#busy.values()].some(({ waitingSince }) => waitingSince < silent)) return;
    if (this.#isProbing) return;
    this.#isProbing = true;
    void this.#probeEngine().finally(() => (this.#isProbing = false));
  }

  /** Twice: a busy machine may be late once. */
  async #probeEngine(): Promise<void> {
    if ((await this.#answers()) || (await this.#answers())) return;
    this.#awayUntil = performance.now() + AWAY_MS;
    const error = new Error("Connection terminated: the engine does not answer");
    for (const [client, { waitingSince }] of this.#busy) if (waitingSince !== Number.POSITIVE_INFINITY) socketOf(client).destroy(error);
  }

  async #answers(): Promise<boolean> {
    const client = new Client({
      ...this.connectionOptions(),
      connectionTimeoutMillis: PROBE_TIMEOUT_MS,
      query_timeout: PROBE_TIMEOUT_MS,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("select 1");
      return true;
    } catch (error) {
      // An engine that refuses one more connection answers.
      return !isAway(error) && !/timeout/i.test(String(error));
    } finally {
      client.end().catch(() => undefined);
      socketOf(client).unref();
    }
  }
}

/** The socket of a connection: `end` would wait for an engine that does not answer. It is not in the types of the driver. */
export const socketOf = (client: object): { destroy(error?: Error): void; unref(): void } =>
  (client as { connection: { stream: { destroy(error?: Error): void; unref(): void } } }).connection.stream;
