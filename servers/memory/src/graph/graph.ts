// A memory as tools, resources, prompts and views use it. An operation is a function over rows; SQLite and Postgres each run it in one
// transaction.
import type { SemanticMatches } from "./semantic-index.ts";
import type { Relation } from "./model.ts";
import type { CallHandle, Rows } from "./rows/rows.ts";
import type { DeletedCounts, ObservationDeletion } from "./write/deletion.ts";

export type Topic =
  | { readonly kind: "any" }
  /** Entities come, go or are renamed. */
  | { readonly kind: "names" }
  | { readonly kind: "entity" | "type" | "relation"; readonly of: string };

export interface WatchOptions {
  /** Gets notifications, but does not make a store that has no news of its own look for changes of others. */
  readonly isPassive?: boolean;
}

/** Returns the function that stops watching. */
export type Watch = (topic: Topic, onChange: () => void, options?: WatchOptions) => () => void;

export interface SliceOptions<Progress> {
  /** Ends the work between two slices; the promise then rejects with the abort reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called between two slices. */
  readonly onProgress?: (progress: Progress) => void;
}

/** A change of any size, which may pause at each `yield`. */
export type SlicedChange<T> = (rows: Rows, call: CallHandle) => Generator<unknown, T>;

/** What a purge removes, with its history. */
export type Purge =
  | { readonly kind: "entities"; readonly names: readonly string[] }
  | { readonly kind: "observations"; readonly deletions: readonly ObservationDeletion[] }
  | { readonly kind: "relations"; readonly relations: readonly Relation[] };

export interface Graph {
  /** Reads one state of the memory. */
  read<T>(query: (rows: Rows) => T, signal?: AbortSignal): Promise<T>;
  /** Reads in slices, between which other requests run. */
  readInSlices<Progress, T>(query: (rows: Rows) => Generator<Progress, T>, options: SliceOptions<Progress>): Promise<T>;
  /** Entities whose texts are near to a query in meaning, with the embeddings that are configured. Does not throw where these are away. */
  findByMeaning(query: string, most: number): Promise<SemanticMatches>;
  /** One transaction: all of the change, or nothing. `client` is named in history. */
  write<T>(client: string | undefined, change: (rows: Rows, call: CallHandle) => T, signal?: AbortSignal): Promise<T>;
  /** The same for a change of any size: other requests run in between. */
  writeInSlices<T>(client: string | undefined, change: SlicedChange<T>, signal?: AbortSignal): Promise<T>;
  /** What a change would return, or throw. Nothing is changed. */
  dryRun<T>(change: SlicedChange<T>, signal?: AbortSignal): Promise<T>;
  purge(client: string | undefined, what: Purge, signal?: AbortSignal): Promise<DeletedCounts>;
  /** What a purge would remove. Nothing is changed. */
  dryRunPurge(what: Purge, signal?: AbortSignal): Promise<DeletedCounts>;
  /** Removes what ended before the time (milliseconds since 1970), in small transactions, until all of it is gone or `isStopped`. */
  pruneHistory(endedBefore: number, isStopped?: () => boolean): Promise<DeletedCounts>;
  /** Calls `onChange` after each change that touches the topic, by this process or another. Returns the function that stops watching. */
  watch(topic: Topic, onChange: () => void): Promise<() => void>;
  /** Calls `listener` when the memory has been opened. */
  onOpen(listener: (watch: Watch) => void): void;
  /** Opens the memory in the background, after the server has answered the first request. */
  openSoon(): void;
  close(): Promise<void>;
}
