// Notifies watchers of changes of the graph, by any process. Postgres sends the number of a call with its commit; what the call has touched
// is read from the tables. After a lost connection everything since the last number is read.
import { AsyncResource } from "node:async_hooks";
import type { Topic, WatchOptions } from "../../graph/graph.ts";
import { concerns } from "../../graph/watch/concerns.ts";
import type { PostgresEngine } from "./engine/engine.ts";
import type { NewsListener } from "./engine/news-connection.ts";
import { readTouched, type Position } from "./touched.ts";

const RETRY_MS = 1000;
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
  readonly #listener: NewsListener;
  #isListening = false;
  #collecting: ReturnType<typeof setTimeout> | undefined;
  #reading: Promise<void> | undefined;
  #notified: Position | undefined;
  #isClosed = false;

  constructor(engine: PostgresEngine) {
    this.#engine = engine;
    this.channel = `oarlock_memory:${engine.location.schema}`;
    // All memories share the connection of the news: unbound, their work would count for the person who opened it.
    this.#listener = { channel: this.channel, onNews: AsyncResource.bind(() => this.#notifySoon()) };
  }

  watch(topic: Topic, onChange: () => void, _options?: WatchOptions): () => void {
    const watcher = { topic, onChange };
    this.#watchers.add(watcher);
    if (!this.#isListening) this.#listen().catch(() => undefined); // tried again by itself
    return () => void this.#watchers.delete(watcher);
  }

  /** Watchers are notified of changes from now on. */
  async start(): Promise<void> {
    await this.#readChanges();
  }

  /** Resolves when changes from now on will be noticed. */
  async ready(): Promise<void> {
    await this.#listen();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watchers.clear();
    clearTimeout(this.#collecting);
    this.#engine.news.unlisten(this.#listener);
    await this.#reading;
  }

  async #listen(): Promise<void> {
    this.#isListening = true;
    await this.#engine.news.listen(this.#listener);
    // Earlier changes must not be notified to a new watcher; the news of them may still be on their way.
    await this.#notify();
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
      await this.#readChanges().catch(() => this.#notifySoon(RETRY_MS));
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
