// Notifies watchers of changes of the graph, by any process. Postgres sends the number of a call with its commit; what the call has touched
// is read from the tables. After a lost connection everything since the last number is read.
import { Client } from "pg";
import type { Topic, WatchOptions } from "../../graph/graph.ts";
import { concerns } from "../../graph/watch/concerns.ts";
import { socketOf, type PostgresEngine } from "./engine/engine.ts";
import { readTouched, type Position } from "./touched.ts";

const MAX_RETRY_MS = 1000;
const HEARTBEAT_MS = 1000;
/** Changes are collected for this long, so that a call has its response before its notifications. */
const COLLECT_MS = 20;

interface Watcher {
  readonly topic: Topic;
  readonly onChange: () => void;
}

export class PostgresChangeFeed {
  readonly channel: string;
  readonly #engine: PostgresEngine;
  readonly #watchers = new Set<Watcher>();
  #listening: Promise<void> | undefined;
  #client: Client | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #collecting: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | undefined;
  #notified: Position | undefined;
  #failures = 0;
  #isClosed = false;

  constructor(engine: PostgresEngine) {
    this.#engine = engine;
    this.channel = `oarlock_memory:${engine.location.schema}`;
  }

  watch(topic: Topic, onChange: () => void, _options?: WatchOptions): () => void {
    const watcher = { topic, onChange };
    this.#watchers.add(watcher);
    this.#listening ??= this.#listen();
    this.#listening.catch(() => undefined); // tried again by itself
    return () => void this.#watchers.delete(watcher);
  }

  /** Watchers are notified of changes from now on. */
  async start(): Promise<void> {
    await this.#readChanges();
  }

  /** Resolves when changes from now on will be noticed. */
  async ready(): Promise<void> {
    this.#listening ??= this.#listen();
    await this.#listening;
    // Earlier changes must not be notified to a new watcher; the news of them may still be on their way.
    await this.#notify();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watchers.clear();
    clearTimeout(this.#retry);
    clearTimeout(this.#collecting);
    await this.#listening?.catch(() => undefined);
    this.#disconnect();
    await this.#reading;
  }

  async #listen(): Promise<void> {
    const client = new Client({ ...this.#engine.connectionOptions(), query_timeout: HEARTBEAT_MS });
    client.on("error", () => this.#reconnect(client));
    client.on("end", () => this.#reconnect(client));
    client.on("notification", () => this.#notifySoon());
    this.#client = client;
    try {
      await client.connect();
      socketOf(client).unref();
      await client.query(`listen "${this.channel}"`);
      this.#heartbeat = setInterval(() => this.#beat(client), HEARTBEAT_MS).unref();
      this.#failures = 0;
      // What has changed while there was no connection.
      await this.#notify();
    } catch (error) {
      this.#reconnect(client);
      throw error;
    }
  }

  /** Without it, a connection that is half open would stay so. */
  #beat(client: Client): void {
    client.query("select 1").catch(() => this.#reconnect(client));
  }

  #reconnect(client: Client): void {
    if (this.#client !== client) return;
    this.#disconnect();
    this.#listening = undefined;
    if (this.#isClosed) return;
    const delay = Math.min(50 * 2 ** this.#failures++, MAX_RETRY_MS);
    this.#retry = setTimeout(() => void (this.#listening ??= this.#listen()).catch(() => undefined), delay).unref();
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    clearInterval(this.#heartbeat);
    client?.end().catch(() => undefined);
    if (client !== undefined) socketOf(client).destroy();
  }

  #notifySoon(delayMs = COLLECT_MS): void {
    if (!this.#isClosed) this.#collecting ??= setTimeout(() => void this.#notify(), delayMs).unref();
  }

  /** One at a time. Tries again later where the changes cannot be read. */
  async #notify(): Promise<void> {
    clearTimeout(this.#collecting);
    this.#collecting = undefined;
    const earlier = this.#reading;
    const reading = (async () => {
      await earlier;
      await this.#readChanges().catch(() => this.#notifySoon(MAX_RETRY_MS));
    })();
    this.#reading = reading;
    await reading;
  }

  async #readChanges(): Promise<void> {
    const since = this.#notified;
    const { position, touched } = await this.#engine.transaction({}, async (sql) => await readTouched(sql, since));
    this.#notified = position;
    if (since === undefined || touched === undefined) return;
    for (const { topic, onChange } of this.#watchers) if (concerns(topic, touched)) onChange();
  }
}
