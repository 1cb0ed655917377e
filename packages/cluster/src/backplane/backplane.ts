// Backplane: what several nodes of one server share. A node is one process that serves HTTP.

/**
 * What several nodes of one server share: records with a time to live, a log of events beside each record, messages, and rates. A record
 * and its log have the same key and end together.
 *
 * Every implementation keeps these rules; the contract tests of `@oarlock/testing` check them:
 * - Each call settles within its timeout (1 second by default), also while the engine does not answer. After an outage it works again.
 * - A call that rejects may have taken effect: a caller of `append` reads the log before it tries again.
 * - Positions of one log rise by one and are never used again while the record lives. A reader that sees a position sees all before it.
 * - Messages may be lost. After each possible loss `onMissed` is called, and the subscriber looks at the records and logs again.
 */
export interface Backplane {
  /** The record with this key; undefined when there is none, or when its time has passed. */
  get(key: string): Promise<BackplaneRecord | undefined>;
  /**
   * Stores a record and sets how long it and its log live. `when`: only if there is no record (`"absent"`), or only if it has this version.
   * Returns the new version; undefined when the condition does not hold. Of concurrent calls with the same condition exactly one succeeds.
   */
  put(key: string, text: string, options: PutOptions): Promise<number | undefined>;
  /** Sets how long a record and its log live from now on. Returns the version of the record; undefined when there is none. */
  touch(key: string, ttlMs: number): Promise<number | undefined>;
  /** Removes a record and its log. Subscribers of the key get an empty message. */
  drop(key: string): Promise<void>;
  /**
   * Adds texts to one stream of a log, all of them or none, and publishes the last position to the subscribers of the key. Throws
   * {@link RecordMissing} when there is no record, {@link StreamRefused} when the stream belongs to another writer or has ended.
   */
  append(key: string, addition: Addition): Promise<AppendResult>;
  /** The entries of a log after a position, oldest first. Throws {@link RecordMissing} when there is no record. */
  read(key: string, after: number, options?: ReadOptions): Promise<LogPart>;
  /** Sends a message of at most 4,000 bytes to all current subscribers of a topic, those of the own node included. */
  publish(topic: string, text: string): Promise<void>;
  /**
   * Calls `onMessage` with each message of a topic, until the returned function is called. `onMissed`: messages may have been lost. A key is
   * a topic too: its messages are positions of its log, or an empty text once the record was dropped. Resolves while the engine does not
   * answer, too: once the subscription works, `onMissed` is called.
   */
  subscribe(topic: string, onMessage: (text: string) => void, onMissed: () => void): Promise<() => void>;
  /**
   * Takes up to `want` tokens from a bucket that holds at most `burst` and gains `perSecond`. Returns how many it got. A new bucket is full.
   */
  take(bucket: string, want: number, perSecond: number, burst: number): Promise<number>;
  /** Ends the connections to the engine. What is stored stays. */
  close(): Promise<void>;
  /** Whether the engine answers, as far as known. */
  readonly isUp: boolean;
}

/** A stored text with its version. */
export interface BackplaneRecord {
  readonly text: string;
  /** Starts with 1 and rises with each `put`. */
  readonly version: number;
}

/** How `put` stores a record. */
export interface PutOptions {
  /** How long the record lives, in milliseconds. */
  readonly ttlMs: number;
  /** Default: whatever is there is replaced. */
  readonly when?: "absent" | number;
}

/** What to add to a log. */
export interface Addition {
  /** Number of the stream, from 0. Default: a new one, numbered from 1. */
  readonly stream?: number;
  /** Who writes. The first writer of a stream owns it. */
  readonly writer: string;
  /** Takes the stream over from this owner. */
  readonly replaces?: string;
  /** What the stream is for; kept with its first addition. */
  readonly about?: string;
  readonly texts: readonly string[];
  /** Ends the stream: nothing more can be added. */
  readonly isLast?: boolean;
}

/** Where `append` has put the texts. */
export interface AppendResult {
  readonly stream: number;
  /** Position of the last text that was added. */
  readonly position: number;
}

/** Which entries `read` returns. */
export interface ReadOptions {
  /** Also return the state of this stream. */
  readonly stream?: number;
  /** At most this many entries. Default 1,000. */
  readonly limit?: number;
}

/** A part of a log. */
export interface LogPart {
  readonly entries: readonly LogEntry[];
  /** The requested stream; undefined when it does not exist. */
  readonly stream?: StreamState;
}

/** One text of a log. */
export interface LogEntry {
  readonly position: number;
  readonly stream: number;
  /** Position of the entry before this one in its stream; 0 for the first. A reader that expects another one has missed a removed entry. */
  readonly previous: number;
  readonly text: string;
}

/** How a stream stands. */
export interface StreamState {
  readonly owner: string;
  /** Position of its last entry. */
  readonly position: number;
  readonly isEnded: boolean;
  readonly about: string;
}

/** There is no record with this key, or no longer. */
export class RecordMissing extends Error {
  /** By name: a backplane may come with another copy of this package than the server that uses it. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "RecordMissing";
  }

  constructor(key: string) {
    super(`No record ${key}.`);
    this.name = "RecordMissing";
  }
}

/** A stream belongs to another writer, or has ended. */
export class StreamRefused extends Error {
  /** By name, as for {@link RecordMissing}. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "StreamRefused";
  }

  /** The writer that owns the stream. */
  readonly owner: string;

  constructor(owner: string) {
    super(`The stream belongs to ${owner} or has ended.`);
    this.name = "StreamRefused";
    this.owner = owner;
  }
}

/** Bytes of texts that one log keeps; older entries are removed first. */
export const LOG_BYTES = 4 * 1024 * 1024;
