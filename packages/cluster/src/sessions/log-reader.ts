// LogReader: the connection of a client that reads one stream of a session's log. It holds a position, no events: a slow client continues
// from the log.
import { EventConnection, type HttpExchange, type HttpLimits, messageEvent, primingEvent } from "@oarlock/server-kit/transport";
import type { Backplane, LogEntry } from "../backplane/backplane.ts";
import { retry } from "../node/retry.ts";

export interface LogReaderOptions {
  readonly backplane: Backplane;
  readonly key: string;
  /** The wait before a reconnection, which priming events name; undefined in revisions without them. */
  readonly retryMs: number | undefined;
  /** Characters that may wait in the socket of a slow client; the rest waits in the log. */
  readonly maxPending: number;
  /** Called when the connection has ended, whoever ended it. */
  onEnd(): void;
}

export class LogReader {
  /** The stream is written on this node. */
  isOwn = false;
  /** Number of the stream; undefined until its first event is in the log. */
  stream: number | undefined;
  /** Position of the last event of the stream that was written. */
  position = 0;
  /** Position up to which the log is known: what follows has to be read. */
  #cursor = 0;
  readonly #connection: EventConnection;
  #acceptsHole = false;
  #isReading = false;
  #isAgain = false;
  readonly #options: LogReaderOptions;

  constructor(exchange: HttpExchange, options: LogReaderOptions) {
    this.#options = options;
    this.#connection = new EventConnection(exchange, { drained: () => void this.read(), ended: () => options.onEnd() });
  }

  /**
   * Begins the response, which the first event does otherwise. A client that loses its connection before the first event has no id to resume
   * from: without a response it knows that its request may be lost.
   */
  open(): void {
    this.#connection.open();
  }

  /** Whether the client has got an id to resume from. */
  get isResumable(): boolean {
    return this.stream !== undefined && this.#options.retryMs !== undefined;
  }

  /** The client reads too slowly: what follows stays in the log. */
  get #isFull(): boolean {
    return this.#connection.pendingChars > this.#options.maxPending;
  }

  get isConnected(): boolean {
    return !this.#connection.hasEnded;
  }

  /** Begins behind an event of a stream. `acceptsHole`: the client has read nothing, so that older events may have been removed. */
  begin(stream: number, position: number, { cursor = position, acceptsHole = false } = {}): void {
    this.stream = stream;
    this.position = position;
    this.#cursor = cursor;
    this.#acceptsHole = acceptsHole;
  }

  /** Tells the client the id to resume from, in revisions that have priming events. */
  prime(retryMs = this.#options.retryMs): void {
    if (retryMs !== undefined && this.stream !== undefined) this.#connection.write(this.#priming(retryMs));
  }

  #priming(retryMs: number): string {
    return primingEvent(`${this.stream}-${this.position}`, retryMs);
  }

  // ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Writes entries that this node has added behind the position `before`; leaves them to `read` where others came between. */
  offer(before: number, entries: readonly LogEntry[], isEnded: boolean): void {
    if (this.#isReading || this.#isFull || this.#cursor !== before) return;
    this.#take(entries, isEnded);
  }

  /** Whether the log has entries that the reader does not know. */
  isBehind(position: number): boolean {
    return this.#cursor < position;
  }

  /** Reads the log from where the client is, and writes what is new. */
  async read(): Promise<void> {
    this.#isAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isAgain && this.isConnected && !this.#isFull && this.stream !== undefined) {
        this.#isAgain = false;
        await this.#readPart(this.stream);
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #readPart(stream: number): Promise<void> {
    const { backplane, key } = this.#options;
    const isStopped = (): boolean => !this.isConnected;
    const part = await retry(() => backplane.read(key, this.#cursor, { stream }), isStopped, { ms: Infinity });
    // Without a record the session ends.
    if (part === undefined || isStopped()) return;
    const { entries, stream: state } = part;
    const own = entries.filter((entry) => entry.stream === stream);
    const isAll = entries.length === 0;
    const previous = own[0]?.previous ?? (isAll ? state?.position : undefined) ?? this.position;
    // Entries were removed before the client has read them: it must not take the rest for the whole.
    if (previous !== this.position && !this.#acceptsHole) return this.#connection.abort();
    this.position = previous;
    if (own.length > 0 || isAll) this.#acceptsHole = false;
    this.#take(entries, state?.isEnded === true && (own.at(-1)?.position ?? this.position) === state.position);
    this.#isAgain ||= !isAll;
  }

  #take(entries: readonly LogEntry[], isEnded: boolean): void {
    this.#cursor = entries.at(-1)?.position ?? this.#cursor;
    const own = entries.filter(({ stream }) => stream === this.stream);
    let text = "";
    for (const entry of own) {
      this.position = entry.position;
      text += this.#event(entry, isEnded && entry === own.at(-1));
    }
    if (isEnded) this.disconnect(text);
    else if (text !== "") this.#connection.write(text);
  }

  /** A stream begins and, where it has no response, ends with an empty text. */
  #event({ position, text }: LogEntry, isLast: boolean): string {
    if (text !== "") return `id: ${this.stream}-${position}\n${messageEvent(text)}`;
    return isLast || this.#options.retryMs === undefined ? "" : this.#priming(this.#options.retryMs);
  }

  /** Writes messages that are not in the log, and ends the connection. */
  endWith(texts: readonly string[]): void {
    this.disconnect(texts.map(messageEvent).join(""));
  }

  /** Ends the connection; the client may resume the stream. */
  disconnect(last?: string): void {
    this.#connection.end(last);
  }

  tick(now: number, limits: Readonly<HttpLimits>): void {
    this.#connection.tick(now, limits, this.isResumable && this.stream !== 0);
  }
}
