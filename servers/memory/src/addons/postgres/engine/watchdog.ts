// Ends calls when Postgres does not answer: a query may take long, so the engine is asked by a connection of its own.
import { Client, type ClientConfig, type PoolClient } from "pg";
import { isAway } from "./errors.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

const PROBE_TIMEOUT_MS = 800;
/** How often calls in flight are looked at. */
const WATCH_MS = 150;
/** After this long without an answer the engine is probed. */
const SILENCE_MS = 300;
/** After the engine has not answered, calls are refused at once for this long. */
const AWAY_MS = 300;

export class Watchdog {
  readonly #options: ClientConfig;
  readonly #busy = new Map<PoolClient, PostgresConnection>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isProbing = false;
  #awayUntil = 0;

  constructor(options: ClientConfig) {
    this.#options = options;
  }

  /** Whether calls are refused, because the engine has just not answered. */
  get isAway(): boolean {
    return performance.now() < this.#awayUntil;
  }

  noteAway(): void {
    this.#awayUntil = performance.now() + AWAY_MS;
  }

  /** Watches the queries on a connection until the returned function is called. */
  watch(client: PoolClient, sql: PostgresConnection): () => void {
    this.#busy.set(client, sql);
    this.#timer ??= setInterval(() => this.#look(), WATCH_MS).unref();
    return () => void this.#busy.delete(client);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (this.#busy.size === 0) return this.stop();
    const silent = performance.now() - SILENCE_MS;
    if (![...this.#busy.values()].some(({ waitingSince }) => waitingSince < silent)) return;
    if (this.#isProbing) return;
    this.#isProbing = true;
    void this.#probeEngine().finally(() => (this.#isProbing = false));
  }

  /** Twice: a busy machine may be late once. */
  async #probeEngine(): Promise<void> {
    if ((await this.#answers()) || (await this.#answers())) return;
    this.noteAway();
    const error = new Error("Connection terminated: the engine does not answer");
    for (const [client, { waitingSince }] of this.#busy) if (waitingSince !== Number.POSITIVE_INFINITY) socketOf(client).destroy(error);
  }

  async #answers(): Promise<boolean> {
    const client = new Client({ ...this.#options, connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS });
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
