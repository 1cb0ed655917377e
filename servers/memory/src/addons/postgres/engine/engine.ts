// The transactions of one memory in Postgres: in turn, cancelled with their calls, refused while the engine does not answer.
import { tracedWork } from "@oarlock/domain-kit";
import { GraphError } from "../../../graph/errors.ts";
import type { PostgresLocation } from "../../../postgres-location.ts";
import { PostgresConnections } from "./connections.ts";
import { isAway, postgresToGraphError, uncertain } from "./errors.ts";
import type { NewsConnection } from "./news-connection.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { Semaphore } from "./semaphore.ts";

const MAX_READS = 6;
/** Changes of one process follow each other: each holds the lock of the graph. */
const MAX_CHANGES = 1;

export interface TransactionOptions {
  readonly isChange?: boolean;
  /** Nothing is kept. */
  readonly isDryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Statements before and after those of a caller. */
interface Frame {
  readonly begin: string;
  /** Undefined: there is no transaction. */
  readonly end?: "commit" | "rollback";
}

export class PostgresEngine {
  readonly location: PostgresLocation;
  readonly #connections: PostgresConnections;
  readonly #reads = new Semaphore(MAX_READS);
  readonly #changes = new Semaphore(MAX_CHANGES);
  /** A connection serves other memories too. The schema of the extension pg_trgm is usually public. */
  readonly #path: string;

  constructor(location: PostgresLocation) {
    this.location = location;
    this.#connections = PostgresConnections.share(location);
    this.#path = `search_path = ${location.schema}, public`;
  }

  get news(): NewsConnection {
    return this.#connections.news;
  }

  /** Rejects with the error of the driver. */
  async connect(): Promise<void> {
    (await this.#connections.connect()).release();
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
    const begin = isChange || isDryRun ? "begin" : "begin isolation level repeatable read, read only";
    const frame: Frame = { begin: `${begin}; set local ${this.#path}`, end: isDryRun ? "rollback" : "commit" };
    return await tracedWork({ name: `postgresql ${name}`, isRemote: true, attributes }, () =>
      queue.run(async () => {
        try {
          return await this.#withClient(signal, frame, action);
        } catch (error) {
          if (isAway(error)) this.#connections.watchdog.noteAway();
          signal?.throwIfAborted();
          throw postgresToGraphError(error, this.location.displayName);
        }
      }),
    );
  }

  /** Runs statements without a transaction, such as those that cannot run in one. */
  async run<T>(action: (sql: PostgresConnection) => Promise<T>): Promise<T> {
    try {
      return await this.#withClient(undefined, { begin: `set ${this.#path}` }, action);
    } catch (error) {
      throw postgresToGraphError(error, this.location.displayName);
    }
  }

  async close(): Promise<void> {
    await this.#connections.release();
  }

  async #withClient<T>(signal: AbortSignal | undefined, frame: Frame, action: (sql: PostgresConnection) => Promise<T>): Promise<T> {
    return await this.#connections.inTurn(async () => {
      this.#refuseWhileAway();
      const client = await this.#connections.connect();
      const sql = new PostgresConnection(client);
      const ignore = (): void => undefined; // the query that is running reports it
      client.on("error", ignore);
      const cancel = (): void => void this.#connections.cancel(client);
      signal?.addEventListener("abort", cancel);
      const unwatch = this.#connections.watchdog.watch(client, sql);
      let broken: Error | undefined;
      try {
        await sql.run(frame.begin);
        const result = await action(sql);
        signal?.throwIfAborted();
        if (frame.end !== undefined) await this.#end(sql, frame.end);
        return result;
      } catch (error) {
        if (isAway(error)) broken = error as Error; // as tested
        else if (frame.end !== undefined) await sql.run("rollback").catch((failure: Error) => (broken = failure));
        throw error;
      } finally {
        signal?.removeEventListener("abort", cancel);
        unwatch();
        client.off("error", ignore);
        client.release(broken ?? false);
      }
    }, signal);
  }

  async #end(sql: PostgresConnection, end: string): Promise<void> {
    try {
      await sql.run(end);
    } catch (error) {
      if (end === "commit" && sql.hasChanged && isAway(error)) {
        this.#connections.watchdog.noteAway();
        throw uncertain(this.location.displayName);
      }
      throw error;
    }
  }

  #refuseWhileAway(): void {
    if (this.#connections.watchdog.isAway)
      throw new GraphError("away", `Postgres at ${this.location.displayName} does not answer. Nothing was changed. Try again.`);
  }
}
