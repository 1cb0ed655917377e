// EventConnection: the response that carries an event stream to one client. It ends with the client's token, and when the client reads nothing.
import type { ConnectionListener, EventSink, HttpExchange } from "./http-exchange.ts";
import type { HttpLimits } from "./http-limits.ts";
import { EVENT_STREAM_HEADERS } from "./responses.ts";

/** What is sent over a connection. */
export interface EventSource {
  /** A slow client has caught up. */
  drained(): void;
  /** The connection has ended, whoever ended it. */
  ended(connection: EventConnection): void;
}

/** How long the network has to report after a comment that its client is gone. */
const REACTION_MS = 500;

/** One response with an event stream. */
export class EventConnection implements ConnectionListener {
  hasEnded = false;
  /** Characters that were written since the client stopped reading. */
  pendingChars = 0;
  readonly #exchange: HttpExchange;
  readonly #source: EventSource;
  readonly #connectedAt = performance.now();
  /** Undefined until the response begins. */
  #sink: EventSink | undefined;
  #lastWriteAt = this.#connectedAt;
  /** When the client stopped reading; 0 while it reads. */
  #blockedAt = 0;
  /** When the first comment was written. */
  #commentedAt = Infinity;

  constructor(exchange: HttpExchange, source: EventSource) {
    this.#exchange = exchange;
    this.#source = source;
    exchange.listener = this;
  }

  get isBlocked(): boolean {
    return this.#blockedAt !== 0;
  }

  /** Begins the response, which the first text does otherwise. */
  open(): EventSink {
    return (this.#sink ??= this.#exchange.openStream(EVENT_STREAM_HEADERS));
  }

  drained(): void {
    this.#blockedAt = this.pendingChars = 0;
    this.#source.drained();
  }

  disconnected(): void {
    this.#close();
  }

  write(text: string): void {
    this.#lastWriteAt = performance.now();
    if (this.hasEnded || this.open().write(text)) return;
    if (this.#blockedAt === 0) this.#blockedAt = this.#lastWriteAt;
    this.pendingChars += text.length;
  }

  /** Writes a comment, which ends the connection of a client that is known to be gone, and lets no proxy take it for dead. */
  comment(): void {
    this.#commentedAt = Math.min(this.#commentedAt, performance.now());
    if (!this.isBlocked) this.write(":\n\n");
  }

  /** Whether a comment has not ended the connection, so that its client may be gone without anybody having noticed. */
  mayBeLost(now: number): boolean {
    return now - this.#commentedAt >= REACTION_MS;
  }

  end(last?: string): void {
    if (this.#close()) this.open().end(last);
  }

  /** Breaks the connection of a client that reads too slowly. */
  abort(): void {
    if (this.#close()) this.open().abort();
  }

  /** False when it had ended before. */
  #close(): boolean {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    this.#source.ended(this);
    return true;
  }

  /**
   * Called by the clock: ends the connection with the client's token, aborts a client that stopped reading, keeps an idle one alive by a
   * comment, so that no proxy takes it for dead. `isResumable`: the client can come back after `streamMs`.
   */
  tick(now: number, { keepAliveMs, stalledMs, streamMs }: Readonly<HttpLimits>, isResumable = false): void {
    const isBlocked = this.isBlocked;
    if (Date.now() >= (this.#exchange.expiresAt ?? Infinity)) {
      if (isBlocked) this.abort();
      else this.end(); // the client may come back with a new token
    } else if (isBlocked) {
      if (now - this.#blockedAt >= stalledMs) this.abort();
    } else if (isResumable && streamMs > 0 && now - this.#connectedAt >= streamMs) this.end();
    else if (now - this.#lastWriteAt >= keepAliveMs) this.comment();
  }
}
