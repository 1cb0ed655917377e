// The memory: opens the store on first use and keeps the JSONL mirror and the watchers up to date. Tools, resources and commands
// use the graph through it.
import { toGraphError } from "./errors.ts";
import { Mirror } from "./jsonl/mirror.ts";
import type { Location } from "./location.ts";
import { openDatabase } from "./sqlite/driver.ts";
import { closeStore, openStore } from "./store/open-store.ts";
import { Store, type CallHandle } from "./store/store.ts";
import { runInSlices, type SliceOptions } from "./store/time-slices.ts";
import { ChangeFeed, type Topic } from "./watch/change-feed.ts";
import type { DeletedCounts } from "./write/deletion.ts";
import type { Purged } from "./write/purge.ts";
import { scrub } from "./write/scrub.ts";

/** Opening waits this long, so that `initialize` is answered first. */
const OPEN_DELAY_MS = 40;
const READ_LOCK_TIMEOUT_MS = 1000;

export interface MemoryOptions {
  readonly location: Location;
  /** Writes no file but the database. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Logs a message for the operator. */
  readonly warn?: ((message: string) => void) | undefined;
}

interface OpenedMemory {
  readonly store: Store;
  readonly mirror: Mirror | undefined;
  readonly changeFeed: ChangeFeed;
}

/** A change of any size, which may pause at each `yield`. */
export type SlicedChange<T> = (store: Store, call: CallHandle) => Generator<unknown, T>;

export class Memory {
  readonly location: Location;
  readonly #options: MemoryOptions;
  readonly #openListeners: ((changeFeed: ChangeFeed) => void)[] = [];
  #opening: Promise<OpenedMemory> | undefined;
  #opened: OpenedMemory | undefined;
  #isClosed = false;
  #readConnection: Store | undefined;

  constructor(options: MemoryOptions) {
    this.location = options.location;
    this.#options = options;
  }

  /** Opens the store and reads the JSONL file. Does nothing where it is open; after a failure it tries again. */
  async open(): Promise<OpenedMemory> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return await this.#opening;
  }

  /** Opens the store in the background, after the server has answered the first request. */
  openSoon(): void {
    const { warn } = this.#options;
    setTimeout(() => {
      if (!this.#isClosed) this.open().catch((error: unknown) => warn?.(error instanceof Error ? error.message : String(error)));
    }, OPEN_DELAY_MS).unref();
  }

  /** Calls `listener` when the store has been opened. */
  onOpen(listener: (changeFeed: ChangeFeed) => void): void {
    this.#openListeners.push(listener);
  }

  /** Reads from the store. During a large change it reads the state before that change. */
  async read<T>(query: (store: Store) => T | PromiseLike<T>): Promise<T> {
    const hasLargeChange = this.#opened?.store.largeChange !== undefined && this.location.database !== ":memory:";
    return hasLargeChange ? await query(this.#openReadConnection()) : await this.#whenReady(query);
  }

  /** Reads from the store in slices, between which other requests run. */
  async readInSlices<Progress, T>(query: (store: Store) => Generator<Progress, T>, options: SliceOptions<Progress>): Promise<T> {
    return await this.read((store) => runInSlices(query(store), options));
  }

  /** One transaction: all of the change, or nothing. `client` is named in history. */
  async write<T>(client: string | undefined, change: (store: Store, call: CallHandle) => T, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.write(client, (call) => change(store, call), signal));
  }

  /** The same for a change of any size: other requests run in between. */
  async writeInSlices<T>(client: string | undefined, change: SlicedChange<T>, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.writeInSlices(client, (call) => change(store, call), signal));
  }

  /** What a change would return, or throw. Nothing is changed. */
  async rehearse<T>(change: SlicedChange<T>, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.rehearse((call) => change(store, call), signal));
  }

  /** A change after which no file of the memory contains the purged texts any more. */
  async purge(client: string | undefined, change: SlicedChange<Purged>, signal?: AbortSignal): Promise<DeletedCounts> {
    // Reads the JSONL file first: lines read later would bring purged texts back.
    await this.flush();
    const { counts, texts } = await this.writeInSlices(client, change, signal);
    if (texts.length === 0) return counts;
    const { store } = await this.open();
    try {
      await store.whenIdle(() => scrub(store, this.location.database, texts));
    } catch (error) {
      throw toGraphError(error);
    }
    await this.flush();
    return counts;
  }

  /** Calls `onChange` after each change that touches the topic, by this process or another. Returns the function that stops watching. */
  async watch(topic: Topic, onChange: () => void): Promise<() => void> {
    const { changeFeed, store } = await this.open();
    return await store.whenIdle(() => changeFeed.watch(topic, onChange));
  }

  /** Brings the JSONL file up to date at once. */
  async flush(): Promise<void> {
    const { mirror } = await this.open();
    await mirror?.flush();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return;
    await opened.store.whenIdle(() => opened.changeFeed.close());
    await opened.mirror?.close();
    this.#readConnection?.close();
    this.#readConnection = undefined;
    closeStore(opened.store, this.location.database);
    this.#opened = undefined;
    this.#opening = undefined;
  }

  async #open(): Promise<OpenedMemory> {
    const { location, readOnly = false, warn = () => undefined } = this.#options;
    const { database, mirror: path } = location;
    const store = await openStore(database, warn);
    const mirror = path === undefined ? undefined : new Mirror(store, { path, database, readOnly, warn });
    try {
      await mirror?.start();
      const opened = { store, mirror, changeFeed: new ChangeFeed(store) };
      for (const listener of this.#openListeners) listener(opened.changeFeed);
      return (this.#opened = opened);
    } catch (error) {
      await mirror?.close().catch(() => undefined);
      store.close();
      throw toGraphError(error);
    }
  }

  /** Calls `action` when the store is open, changes of the JSONL file have been read, and no large change is in progress. */
  async #whenReady<T>(action: (store: Store) => T | PromiseLike<T>): Promise<T> {
    const { store, mirror } = await this.open();
    await store.whenIdle(() => mirror?.refresh());
    // Another request may have started a large change in the meantime.
    return await store.whenIdle(() => action(store));
  }

  #openReadConnection(): Store {
    const { database } = this.location;
    this.#readConnection ??= new Store(openDatabase(database, { readonly: true, timeout: READ_LOCK_TIMEOUT_MS }), database);
    return this.#readConnection;
  }
}
