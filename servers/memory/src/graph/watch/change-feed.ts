// Notifies watchers of changes of the graph, by this process or by others that share the store. The store is polled for changes of others
// only while there are watchers.
import type { Topic, WatchOptions } from "../graph.ts";
import { highestIds, lastSeq, type HighestIds } from "../store/calls.ts";
import type { Store } from "../store/store.ts";
import { concerns } from "./concerns.ts";
import { findTouched } from "./touched.ts";

interface Watcher {
  readonly topic: Topic;
  readonly onChange: () => void;
  /** Gets notifications, but does not make the feed poll the store. */
  readonly isPassive: boolean;
}

const POLL_MS = 300;
/** Changes of this process are collected for this long, so that a call has its response before its notifications. */
const COLLECT_MS = 20;

/** The state of the store about which watchers have been notified. */
interface Notified {
  readonly dataVersion: number;
  readonly seq: number;
  readonly ids: HighestIds;
}

export class ChangeFeed {
  readonly #store: Store;
  readonly #watchers = new Set<Watcher>();
  #stopListening: (() => void) | undefined;
  #poll: ReturnType<typeof setInterval> | undefined;
  #collecting: ReturnType<typeof setTimeout> | undefined;
  #notified: Notified = { dataVersion: 0, seq: 0, ids: { entity: 0, observation: 0, relation: 0, record: 0, turn: 0 } };

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls `onChange` after each change that touches the topic. Returns the function that stops watching. */
  watch(topic: Topic, onChange: () => void, { isPassive = false }: WatchOptions = {}): () => void {
    // Earlier changes must not be notified to a new watcher.
    if (this.#collecting !== undefined) this.#notify();
    const watcher: Watcher = { topic, onChange, isPassive };
    this.#watchers.add(watcher);
    this.#startOrStop();
    return () => {
      this.#watchers.delete(watcher);
      this.#startOrStop();
    };
  }

  close(): void {
    this.#watchers.clear();
    this.#startOrStop();
  }

  #startOrStop(): void {
    const isWatched = this.#watchers.size > 0;
    if (isWatched && this.#stopListening === undefined) {
      this.#notified = this.#currentState();
      this.#stopListening = this.#store.onChange(() => this.#notifySoon());
    } else if (!isWatched) {
      this.#stopListening?.();
      this.#stopListening = undefined;
      clearTimeout(this.#collecting);
      this.#collecting = undefined;
    }
    const needsPolling = [...this.#watchers].some(({ isPassive }) => !isPassive);
    if (needsPolling && this.#poll === undefined) {
      this.#poll = setInterval(() => this.#notify(), POLL_MS).unref();
    } else if (!needsPolling) {
      clearInterval(this.#poll);
      this.#poll = undefined;
    }
  }

  #currentState(): Notified {
    return this.#store.read(() => ({ dataVersion: this.#dataVersion(), seq: lastSeq(this.#store), ids: highestIds(this.#store) }));
  }

  /** SQLite changes it when another connection has changed the database. */
  #dataVersion(): number {
    return this.#store.get<{ data_version: number }>("PRAGMA data_version")?.data_version ?? 0;
  }

  #notifySoon(delayMs = COLLECT_MS): void {
    this.#collecting ??= setTimeout(() => this.#notify(), delayMs).unref();
  }

  /** Retries later where the store cannot be read; the next call reports why. */
  #notify(): void {
    const { largeChange } = this.#store;
    const hasOwnChanges = this.#collecting !== undefined;
    clearTimeout(this.#collecting);
    this.#collecting = undefined;
    if (largeChange !== undefined) {
      void largeChange.then(() => {
        if (this.#stopListening !== undefined) this.#notifySoon();
      });
      return;
    }
    try {
      if (hasOwnChanges || this.#dataVersion() !== this.#notified.dataVersion) this.#notifyWatchers();
    } catch {
      if (hasOwnChanges) this.#notifySoon(POLL_MS);
    }
  }

  #notifyWatchers(): void {
    const since = this.#notified;
    const current = this.#currentState();
    const needsDetails = current.seq !== since.seq && [...this.#watchers].some(({ topic }) => topic.kind !== "any");
    const touched = needsDetails ? this.#store.read(() => findTouched(this.#store, since)) : undefined;
    this.#notified = current;
    if (current.seq === since.seq) return;
    for (const { topic, onChange } of this.#watchers) if (concerns(topic, touched)) onChange();
  }
}
