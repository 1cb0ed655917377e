// MemoryBackplane: the backplane of nodes that run in one process, as in tests.
import {
  type Addition,
  type AppendResult,
  type Backplane,
  type BackplaneRecord,
  LOG_BYTES,
  type LogEntry,
  type LogPart,
  type PutOptions,
  type ReadOptions,
  RecordMissing,
  StreamRefused,
  type StreamState,
} from "./backplane.ts";

interface Stored {
  text: string;
  version: number;
  expiresAt: number;
  /** Position of the last entry. */
  position: number;
  /** Number of the newest stream. */
  lastStream: number;
  bytes: number;
  readonly entries: LogEntry[];
  readonly streams: Map<number, StreamState>;
}

interface Subscriber {
  readonly onMessage: (text: string) => void;
}

interface TokenCount {
  tokens: number;
  filledAt: number;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** Expired records are removed at the first write after this time. */
const SWEEP_MS = 1000;

/** A backplane in memory, for several handlers in one process. Nothing of it outlives the process. */
export class MemoryBackplane implements Backplane {
  readonly isUp = true;
  readonly #records = new Map<string, Stored>();
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  readonly #buckets = new Map<string, TokenCount>();
  #sweptAt = 0;

  async get(key: string): Promise<BackplaneRecord | undefined> {
    const record = this.#living(key);
    return record && { text: record.text, version: record.version };
  }

  async put(key: string, text: string, { ttlMs, when }: PutOptions): Promise<number | undefined> {
    this.#sweep();
    const found = this.#living(key);
    if (when === "absent" ? found !== undefined : when !== undefined && found?.version !== when) return undefined;
    const record = found ?? { text, version: 0, expiresAt: 0, position: 0, lastStream: 0, bytes: 0, entries: [], streams: new Map() };
    record.text = text;
    record.version++;
    record.expiresAt = performance.now() + ttlMs;
    this.#records.set(key, record);
    return record.version;
  }

  async touch(key: string, ttlMs: number): Promise<number | undefined> {
    const record = this.#living(key);
    if (record === undefined) return undefined;
    record.expiresAt = performance.now() + ttlMs;
    return record.version;
  }

  async drop(key: string): Promise<void> {
    this.#records.delete(key);
    await this.publish(key, "");
  }

  async append(key: string, { stream, writer, replaces, about = "", texts, isLast = false }: Addition): Promise<AppendResult> {
    const record = this.#living(key);
    if (record === undefined) throw new RecordMissing(key);
    const number = stream ?? record.lastStream + 1;
    const state = record.streams.get(number);
    if (state !== undefined && (state.isEnded || (state.owner !== writer && state.owner !== replaces)))
      throw new StreamRefused(state.owner);
    record.lastStream = Math.max(record.lastStream, number);
    let previous = state?.position ?? 0;
    for (const text of texts) {
      record.entries.push({ position: ++record.position, stream: number, previous, text });
      record.bytes += bytesOf(text);
      previous = record.position;
    }
    record.streams.set(number, { owner: writer, position: previous, isEnded: isLast, about: state?.about ?? about });
    // The newest entry stays, however long it is.
    while (record.bytes > LOG_BYTES && record.entries.length > 1) record.bytes -= bytesOf(record.entries.shift()?.text ?? "");
    await this.publish(key, String(record.position));
    return { stream: number, position: previous };
  }

  async read(key: string, after: number, { stream, limit = 1000 }: ReadOptions = {}): Promise<LogPart> {
    const record = this.#living(key);
    if (record === undefined) throw new RecordMissing(key);
    const entries = record.entries.filter(({ position }) => position > after).slice(0, limit);
    const state = stream === undefined ? undefined : record.streams.get(stream);
    return state === undefined ? { entries } : { entries, stream: state };
  }

  async publish(topic: string, text: string): Promise<void> {
    const subscribers = [...(this.#subscribers.get(topic) ?? [])];
    // As from an engine, messages arrive after the call that sent them.
    queueMicrotask(() => {
      for (const { onMessage } of subscribers) onMessage(text);
    });
  }

  async subscribe(topic: string, onMessage: (text: string) => void): Promise<() => void> {
    const subscriber: Subscriber = { onMessage };
    const subscribers = this.#subscribers.get(topic) ?? new Set();
    this.#subscribers.set(topic, subscribers.add(subscriber));
    return () => {
      subscribers.delete(subscriber);
      if (subscribers.size === 0 && this.#subscribers.get(topic) === subscribers) this.#subscribers.delete(topic);
    };
  }

  async take(bucket: string, want: number, perSecond: number, burst: number): Promise<number> {
    const now = performance.now();
    const { tokens, filledAt } = this.#buckets.get(bucket) ?? { tokens: burst, filledAt: now };
    const filled = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    const taken = Math.max(0, Math.min(want, Math.floor(filled)));
    this.#buckets.set(bucket, { tokens: filled - taken, filledAt: now });
    return taken;
  }

  async close(): Promise<void> {
    // Other handlers of the process may still use it.
  }

  #living(key: string): Stored | undefined {
    const record = this.#records.get(key);
    return record !== undefined && record.expiresAt > performance.now() ? record : undefined;
  }

  #sweep(): void {
    const now = performance.now();
    if (now - this.#sweptAt < SWEEP_MS) return;
    this.#sweptAt = now;
    for (const [key, { expiresAt }] of this.#records) if (expiresAt <= now) this.#records.delete(key);
  }
}
