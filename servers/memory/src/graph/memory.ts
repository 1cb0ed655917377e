// The memory: a store that is opened when it is first needed, and what keeps it in step with the world.
import type { Location } from "./location.ts";
import { Changes, type Topic } from "./watch/change-feed.ts";
import type { Deleted } from "./write/deletion.ts";
import { openDatabase } from "./store/sqlite.ts";
import { inWords } from "./errors.ts";
import { Mirror } from "./jsonl/mirror.ts";
import { closeStore, openStore } from "./store/open-store.ts";
import { scrub, type Purged } from "./write/purge.ts";
import { atOnce } from "./store/time-slices.ts";
import { Store, type Change } from "./store/store.ts";

export interface MemoryOptions {
  readonly location: Location;
  /** Nothing is written to files that others read. */
  readonly readOnly?: boolean | undefined;
  /** A line for whoever runs the server. */
  readonly warn?: ((message: string) => void) | undefined;
}

interface Opened {
  readonly store: Store;
  readonly mirror: Mirror | undefined;
  readonly changes: Changes;
}

export interface Steps<T> {
  readonly steps: (store: Store, change: Change) => Generator<unknown, T>;
  /** How many things are to be written or removed. */
  readonly weight: number | ((store: Store) => number);
  readonly signal: AbortSignal;
}

/** More things than this take long enough to be noticed. */
const LARGE = 300;

export class Memory {
  readonly location: Location;
  readonly #options: MemoryOptions;
  #opening: Promise<Opened> | undefined;
  #opened: Opened | undefined;
  #isClosed = false;
  #aside: Store | undefined;
  readonly #onOpen: ((changes: Changes) => void)[] = [];

  constructor(options: MemoryOptions) {
    this.location = options.location;
    this.#options = options;
  }

  /** Opens the store, once, and takes in what the file beside it says. What goes wrong is told again at the next try. */
  async open(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return await this.#opening;
  }

  async #open(): Promise<Opened> {
    const { location, readOnly = false, warn = () => undefined } = this.#options;
    const store = await openStore(location.database);
    let mirror: Mirror | undefined;
    try {
      mirror =
        location.mirror === undefined
          ? undefined
          : new Mirror(store, { path: location.mirror, database: location.database, readOnly, warn });
      await mirror?.start();
      const opened = { store, mirror, changes: new Changes(store) };
      for (const listener of this.#onOpen) listener(opened.changes);
      return (this.#opened = opened);
    } catch (error) {
      await mirror?.close().catch(() => undefined);
      store.close();
      throw inWords(error);
    }
  }

  /** Calls back when the store has been opened. */
  onOpen(listener: (changes: Changes) => void): void {
    this.#onOpen.push(listener);
  }

  /** Opens it soon, when nothing else is to be done. */
  wake(): void {
    const { warn } = this.#options;
    const timer = setTimeout(() => {
      if (!this.#isClosed) this.open().catch((error: unknown) => warn?.(error instanceof Error ? error.message : String(error)));
    }, 40);
    timer.unref();
  }

  /** Another connection to the same file, to look through while the first one is busy for long. */
  #beside(): Store {
    this.#aside ??= new Store(openDatabase(this.location.database, { readonly: true, timeout: 1000 }), this.location.database);
    return this.#aside;
  }

  /**
   * Calls `act` when the store is open and nobody else has it to himself; at once where that is so already. The file is looked at
   * once for each call: what cannot be taken in now holds up no one.
   */
  #ready<T>(act: (store: Store) => T | Promise<T>, hasLooked = false): T | Promise<T> {
    const opened = this.#opened;
    if (opened === undefined) return this.open().then(() => this.#ready(act));
    const { busy } = opened.store;
    if (busy !== undefined) return busy.then(() => this.#ready(act, hasLooked));
    const looking = hasLooked ? undefined : opened.mirror?.glance();
    return looking === undefined ? act(opened.store) : looking.then(() => this.#ready(act, true));
  }

  /** Looks at the store. */
  look<T>(act: (store: Store) => T): T | Promise<T> {
    const isBusy = this.#opened?.store.busy !== undefined && this.location.database !== ":memory:";
    // What is being written is not seen before it is done, so the state before is the one to see.
    return isBusy ? act(this.#beside()) : this.#ready(act);
  }

  /** One change, all or nothing. */
  change<T>(client: string | undefined, act: (store: Store, change: Change) => T, signal?: AbortSignal): T | Promise<T> {
    return this.#ready((store) => store.write(client, (change) => act(store, change), signal));
  }

  /** One change whose size is known: a large one is done in pieces, between which others have their turn. */
  changeInSteps<T>(client: string | undefined, { steps, weight, signal }: Steps<T>): T | Promise<T> {
    return this.#ready((store) =>
      (typeof weight === "number" ? weight : weight(store)) > LARGE
        ? store.writeInSlices(client, (change) => steps(store, change), signal)
        : store.write(client, (change) => atOnce(steps(store, change)), signal),
    );
  }

  /** A change after which nothing of what it removes is found any more, in no file of the memory. */
  async purge(client: string | undefined, how: Steps<Purged>): Promise<Deleted> {
    // What others have written counts first: their lines of it would come back with the next look.
    await this.flush();
    const { counts, texts } = await this.changeInSteps(client, how);
    if (texts.length > 0) {
      const { store } = await this.open();
      while (store.busy !== undefined) await store.busy;
      await scrub(store, this.location.database, texts).catch((error: unknown) => {
        throw inWords(error);
      });
      await this.flush();
    }
    return counts;
  }

  /** Calls back after each change of the topic, by whatever process; gives the function that ends it. */
  async watch(topic: Topic, changed: () => void): Promise<() => void> {
    const { changes, store } = await this.open();
    while (store.busy !== undefined) await store.busy;
    return changes.watch(topic, changed);
  }

  /** Brings the mirror in step, now. */
  async flush(): Promise<void> {
    await (await this.open()).mirror?.flush();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opening?.catch(() => undefined);
    if (opened === undefined) return;
    while (opened.store.busy !== undefined) await opened.store.busy;
    opened.changes.close();
    await opened.mirror?.close();
    this.#aside?.close();
    this.#aside = undefined;
    closeStore(opened.store, this.location.database);
    this.#opened = undefined;
    this.#opening = undefined;
  }
}
