// A memory in SQLite: opens the store on first use and keeps the JSONL mirror and the watchers up to date.
import { reportingFaults, toGraphError, type FileFault } from "./errors.ts";
import type { Graph, Purge, SliceOptions, Topic, Watch } from "./graph.ts";
import { Mirror } from "./jsonl/mirror.ts";
import { vectorsPathOf, type Location } from "./location.ts";
import { statMemoryFile } from "./memory-files.ts";
import type { IndexedMemory, SemanticIndex, SemanticIndexSource, SemanticMatches } from "./semantic-index.ts";
import { openDatabase } from "./sqlite/driver.ts";
import { closeStore, openStore } from "./store/open-store.ts";
import { recordOwner, type Owner } from "./owner.ts";
import { Store, type CallHandle } from "./store/store.ts";
import { runInSlices } from "./store/time-slices.ts";
import { ChangeFeed } from "./watch/change-feed.ts";
import { pruneBatch, lastPrunable } from "./history/pruning.ts";
import { sumBatches, type DeletedCounts } from "./write/deletion.ts";
import { purgeEntities, purgeObservations, purgeRelations, type Purged } from "./write/purge.ts";
import { scrub } from "./write/scrub.ts";

/** Opening waits this long, so that `initialize` is answered first. */
const OPEN_DELAY_MS = 40;
const READ_LOCK_TIMEOUT_MS = 1000;

export interface MemoryOptions {
  readonly location: Location;
  /** Recorded in the memory where it has none. */
  readonly owner?: Owner | undefined;
  /** Writes no file but the database, and that only if it exists. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Finds by meaning. Default: none. */
  readonly semanticIndex?: SemanticIndexSource | undefined;
  /** Logs a message for the operator, such as a damaged line in the JSONL file. */
  readonly warn?: ((message: string) => void) | undefined;
  /** Called with the path of the database after each call: with what is wrong with its file, or undefined after a call that could use it. */
  readonly onFault?: ((database: string, fault: FileFault | undefined) => void) | undefined;
  /** Databases that were opened. One of them that is missing now is not created again. */
  readonly openedDatabases?: Set<string> | undefined;
}

interface OpenedMemory {
  readonly store: Store;
  readonly mirror: Mirror | undefined;
  readonly changeFeed: ChangeFeed;
  readonly semanticIndex: SemanticIndex | undefined;
}

/** A change of any size, which may pause at each `yield`. */
export type StoreChange<T> = (store: Store, call: CallHandle) => Generator<unknown, T>;

function purgeOf(what: Purge): StoreChange<Purged> {
  switch (what.kind) {
    case "entities":
      return (store, call) => purgeEntities(store, call, what.names);
    case "observations":
      return (store, call) => purgeObservations(store, call, what.deletions);
    case "relations":
      return (store, call) => purgeRelations(store, call, what.relations);
  }
}

export class Memory implements Graph, AsyncDisposable {
  readonly location: Location;
  readonly #options: MemoryOptions;
  readonly #openListeners: ((watch: Watch) => void)[] = [];
  #opening: Promise<OpenedMemory> | undefined;
  #isClosed = false;
  #readConnection: Store | undefined;

  constructor(options: MemoryOptions) {
    this.location = options.location;
    this.#options = options;
  }

  /** Opens the store and reads the JSONL file. Does nothing where it is open; after a failure it tries again. */
  async open(): Promise<OpenedMemory> {
    this.#opening ??= this.#reportingFaults(this.#open()).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return await this.#opening;
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

  /** During a large change it reads the state before that change, also where the change begins while the read waits. */
  async read<T>(query: (store: Store) => T | PromiseLike<T>, _signal?: AbortSignal): Promise<T> {
    const { store, mirror } = await this.open();
    const hasLargeChange = (): boolean => store.largeChange !== undefined && this.location.database !== ":memory:";
    if (mirror !== undefined && !hasLargeChange()) await store.whenIdle(() => mirror.refresh());
    return await this.#reportingFaults(
      hasLargeChange() ? (async () => query(this.#openReadConnection()))() : store.whenIdle(() => query(store)),
    );
  }

  async readInSlices<Progress, T>(query: (store: Store) => Generator<Progress, T>, options: SliceOptions<Progress>): Promise<T> {
    return await this.read((store) => runInSlices(query(store), options));
  }

  async findByMeaning(query: string, most: number): Promise<SemanticMatches> {
    const { semanticIndex } = await this.open();
    return (await semanticIndex?.near(query, most)) ?? { matches: [] };
  }

  async write<T>(client: string | undefined, change: (store: Store, call: CallHandle) => T, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.write(client, (call) => change(store, call), signal));
  }

  async writeInSlices<T>(client: string | undefined, change: StoreChange<T>, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.writeInSlices(client, (call) => change(store, call), signal));
  }

  async dryRun<T>(change: StoreChange<T>, signal?: AbortSignal): Promise<T> {
    return await this.#whenReady((store) => store.dryRun((call) => change(store, call), signal));
  }

  async dryRunPurge(what: Purge, signal?: AbortSignal): Promise<DeletedCounts> {
    const { counts } = await this.dryRun(purgeOf(what), signal);
    return counts;
  }

  /** Afterwards no file of the memory contains the purged texts any more. */
  async purge(client: string | undefined, what: Purge, signal?: AbortSignal): Promise<DeletedCounts> {
    // Reads the JSONL file first: lines read later would bring purged texts back.
    await this.flush();
    await toGraphErrors(async () => (await this.#indexToDrop())?.checkDrop());
    const { counts, texts } = await this.writeInSlices(client, purgeOf(what), signal);
    if (texts.length === 0) return counts;
    const { store } = await this.open();
    await toGraphErrors(async () => {
      await store.whenIdle(() => scrub(store, this.location.database, texts));
      await (await this.#indexToDrop())?.drop();
    });
    await this.flush();
    return counts;
  }

  async pruneHistory(endedBefore: number, isStopped = () => false): Promise<DeletedCounts> {
    const removed = await sumBatches(isStopped, async () => {
      // What the JSONL file still refers to is known only when it has been read.
      return await this.#whenReady((store) => store.write(undefined, () => pruneBatch(store, lastPrunable(store, endedBefore))));
    });
    if (removed.observations + removed.entities > 0) await (await this.#indexToDrop())?.drop();
    return removed;
  }

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
    await opened.semanticIndex?.close();
    await opened.store.whenIdle(() => opened.changeFeed.close());
    await opened.mirror?.close();
    this.#readConnection?.close();
    this.#readConnection = undefined;
    closeStore(opened.store, this.location.database);
    this.#opening = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #startIndex(changeFeed: ChangeFeed): Promise<SemanticIndex | undefined> {
    const { semanticIndex } = this.#options;
    if (semanticIndex?.isSearched !== true) return undefined;
    const index = await semanticIndex.open(this.#indexed());
    changeFeed.watch({ kind: "any" }, () => index.add(), { isPassive: true });
    return index;
  }

  /** Undefined where the memory has no index. One that this process does not search is opened, too. */
  async #indexToDrop(): Promise<SemanticIndex | undefined> {
    const { database } = this.location;
    if (database === ":memory:" || statMemoryFile(vectorsPathOf(database)) === undefined) return undefined;
    const { semanticIndex } = await this.open();
    return semanticIndex ?? (await this.#options.semanticIndex?.open(this.#indexed()));
  }

  #indexed(): IndexedMemory {
    const { location, readOnly = false, warn = () => undefined } = this.#options;
    return { database: location.database, readOnly, warn };
  }

  async #open(): Promise<OpenedMemory> {
    const { location, owner, readOnly = false, warn = () => undefined, openedDatabases } = this.#options;
    const { database, mirror: path } = location;
    const store = await openStore(database, warn, openedDatabases);
    if (owner !== undefined && !readOnly) recordOwner(store, owner);
    const mirror = path === undefined ? undefined : new Mirror(store, { path, database, readOnly, warn });
    try {
      await mirror?.start();
      const changeFeed = new ChangeFeed(store);
      const opened = { store, mirror, changeFeed, semanticIndex: await this.#startIndex(changeFeed) };
      for (const listener of this.#openListeners) listener((...watch) => opened.changeFeed.watch(...watch));
      return opened;
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
    return await this.#reportingFaults(store.whenIdle(() => action(store)));
  }

  #reportingFaults<T>(work: PromiseLike<T>): Promise<T> {
    return reportingFaults(work, (fault) => this.#options.onFault?.(this.location.database, fault));
  }

  #openReadConnection(): Store {
    const { database } = this.location;
    this.#readConnection ??= new Store(openDatabase(database, { readonly: true, timeout: READ_LOCK_TIMEOUT_MS }), database);
    return this.#readConnection;
  }
}

/** Throws errors of the system and of SQLite as GraphErrors. */
async function toGraphErrors(action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw toGraphError(error);
  }
}
