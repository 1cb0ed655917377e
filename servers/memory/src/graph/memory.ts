// The memory: opens the store on first use and keeps the JSONL mirror and the watchers up to date. Tools, resources and commands
// use the graph through it.
import { toGraphError } from "./errors.ts";
import { Mirror } from "./jsonl/mirror.ts";
import type { Location } from "./location.ts";
import { openDatabase } from "./sqlite/driver.ts";
import { closeStore, openStore } from "./store/open-store.ts";
import { Store, type Change } from "./store/store.ts";
import { runInSlices, type SliceOptions } from "./store/time-slices.ts";
import { ChangeFeed, type Topic } from "./watch/change-feed.ts";
import type { DeletedCounts } from "./write/deletion.ts";
import type { Purged } from "./write/purge.ts";
import { scrub } from "./write/scrub.ts";

/** An `initialize` request arrives within this time; the store is opened after it. */
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
export type SlicedChange<T> = (store: Store, change: Change) => Generator<unknown, T>;

export class Memory {
  readonly location: Location;
  readonly #options: MemoryOptions;
  readonly #openListeners: ((changeFeed: ChangeFeed) => void)[] = [];
  #opening: Promise<OpenedMemory> | undefined;
  #opened: OpenedMemory | undefined;
  #isClosed = false;
  #secondConnection: Store | undefined;

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
  async read<T>(look: (store: Store) => T | PromiseLike<T>): Promise<T> {
    const isBusy = this.#opened?.store.busy !== undefined && this.location.database !== ":memory:";
    return isBusy ? await look(this.#openSecondConnection()) : await this.#whenReady(look);
  }

  /** Reads from the store in slices, between which other requests run. */
  async readInSlices<Progress, T>(look: (store: Store) => Generator<Progress, T>, options: SliceOptions<Progress>): Promise<T> {
    return await this.read((store) => runInSlices(look(store), options));
  }

  /** One transaction: all of the change, or nothing. `client` is named in history. */
  async write<T>(client: string | undefined, work: (store: Store, change: Change) => T, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.write(client, (change) => work(store, change), signal));
  }

  /** The same for a change of any size: other requests run in between. */
  async writeInSlices<T>(client: string | undefined, work: SlicedChange<T>, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.writeInSlices(client, (change) => work(store, change), signal));
  }

  /** A change after which no file of the memory contains the purged texts any more. */
  async purge(client: string | undefined, work: SlicedChange<Purged>, signal?: AbortSignal): Promise<DeletedCounts> {
    // Without it, changes of other programs that have not been read yet would bring purged lines back.
    await this.flush();
    const { counts, texts } = await this.writeInSlices(client, work, signal);
    if (texts.length === 0) return counts;
    const { store } = await this.open();
    while (store.busy !== undefined) await store.busy;
    try {
      await scrub(store, this.location.database, texts);
    } catch (error) {
      throw toGraphError(error);
    }
    await this.flush();
    return counts;
  }

  /** Calls `onChange` after each change that touches the topic, by this process or another. Returns the function that ends it. */
  async watch(topic: Topic, onChange: () => void): Promise<() => void> {
    const { changeFeed, store } = await this.open();
    while (store.busy !== undefined) await store.busy;
    return changeFeed.watch(topic, onChange);
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
    while (opened.store.busy !== undefined) await opened.store.busy;
    opened.changeFeed.close();
    await opened.mirror?.close();
    this.#secondConnection?.close();
    this.#secondConnection = undefined;
    closeStore(opened.store, this.location.database);
    this.#opened = undefined;
    this.#opening = undefined;
  }

  async #open(): Promise<OpenedMemory> {
    const { location, readOnly = false, warn = () => undefined } = this.#options;
    const { database, mirror: path } = location;
    const store = await openStore(database);
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

  /** Calls `act` when the store is open, changes of the JSONL file have been read, and no large change is in progress. */
  async #whenReady<T>(act: (store: Store) => T | PromiseLike<T>): Promise<T> {
    const { store, mirror } = await this.open();
    await store.busy;
    await mirror?.refresh();
    // Another request may have started a large change in the meantime; from here to `act` nothing else runs.
    while (store.busy !== undefined) await store.busy;
    return await act(store);
  }

  #openSecondConnection(): Store {
    const { database } = this.location;
    this.#secondConnection ??= new Store(openDatabase(database, { readonly: true, timeout: READ_LOCK_TIMEOUT_MS }), database);
    return this.#secondConnection;
  }
}
