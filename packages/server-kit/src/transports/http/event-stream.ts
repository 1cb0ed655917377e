// EventStream: server-sent events on their way to one client, with backpressure. Events wait here while the client reads slowly.
// A stream without `maxPending` keeps them after delivery too, so that a client that lost its connection can resume.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
import { withoutSeparators } from "../../wire/json-rpc.ts";
import { EventConnection, type EventSource } from "./event-connection.ts";
import type { ConnectionListener, HttpExchange } from "./http-exchange.ts";
import type { HttpLimits } from "./http-limits.ts";

/** Makes the first event of a connection from the id of the event before it. */
export type FirstEvent = (lastEventId: string) => string;

export interface EventStreamOptions {
  /** Number of the stream within its session. Its events carry the id `key-number`; without a key they carry none. */
  key?: number;
  /** Forget events once they are written, and abort a client for which more than this many characters wait. */
  maxPending?: number;
  /** Counts the connected clients of all streams of a session. */
  readers?: { count: number };
}

/** A message as an event without an id. */
export const messageEvent = (text: string): string => `event: message\ndata: ${withoutSeparators(text)}\n\n`;

/** The event without a message that names an id to resume from, and the wait before that. */
export const primingEvent = (id: string, retryMs: number): string => `id: ${id}\nretry: ${retryMs}\ndata: \n\n`;

/** Stands for the events of streams that hold none, as most do. */
const NO_EVENTS: string[] = [];

export class EventStream implements EventSource {
  readonly key: number | undefined;
  /** The response is among the events: no event will follow. */
  isComplete = false;
  /** Notified when the connection is lost: closed by the client, or aborted. */
  listener: ConnectionListener | undefined;
  readonly #maxPending: number | undefined;
  readonly #readers: { count: number };
  /** Serialized events, oldest first; the first one has the number `#first`. */
  #events = NO_EVENTS;
  #first = 1;
  /** Number of the event to write next. */
  #next = 1;
  /** Characters of the events that are not written yet; counted where `maxPending` bounds them. */
  #pending = 0;
  #connection: EventConnection | undefined;

  constructor({ key, maxPending, readers = { count: 0 } }: EventStreamOptions = {}) {
    this.key = key;
    this.#maxPending = maxPending;
    this.#readers = readers;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  get isBlocked(): boolean {
    return this.#connection?.isBlocked === true;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  get isOldestWritten(): boolean {
    return this.#next > this.#first;
  }

  get isAllWritten(): boolean {
    return this.#next === this.#end;
  }

  /** Number after the last event. */
  get #end(): number {
    return this.#first + this.#events.length;
  }

  // ── events ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds a message as an event without writing it. Returns the size of the event. */
  append(text: string): number {
    const id = this.key === undefined ? "" : `id: ${this.key}-${this.#end}\n`;
    const event = id + messageEvent(text);
    if (this.#events === NO_EVENTS) this.#events = [];
    this.#events.push(event);
    this.#pending += event.length;
    return event.length;
  }

  send(text: string): void {
    this.append(text);
    this.flush();
  }

  /** Writes the waiting events in one piece, unless the client reads too slowly. */
  flush(before = ""): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    // A complete stream is written whole: waiting here, it could be dropped for the events of other streams.
    if (this.isBlocked && !this.isComplete) {
      if (this.#maxPending !== undefined && this.#pending > this.#maxPending) this.abort();
      return;
    }
    const text = before + this.#takePending();
    if (this.isComplete) {
      this.#setConnection(undefined);
      connection.end(text);
    } else if (text !== "") {
      connection.write(text);
    }
  }

  /** Writes what is left and ends the connection. */
  complete(): void {
    this.isComplete = true;
    this.flush();
  }

  /** All events as one text, for a response that is sent whole. */
  takeAll(): string {
    this.#next = this.#end;
    return this.#events.join("");
  }

  /** Drops the oldest event and returns its size. A client that has not received it is aborted, as it would miss that event. */
  dropOldest(): number {
    const event = this.#events.shift();
    if (event === undefined) return 0;
    this.#first++;
    if (this.#next < this.#first) {
      this.#next = this.#first;
      this.abort();
    }
    return event.length;
  }

  #takePending(): string {
    const events = this.#next === this.#first ? this.#events : this.#events.slice(this.#next - this.#first);
    const text = events.length === 1 ? (events[0] ?? "") : events.join("");
    this.#next = this.#end;
    this.#pending = 0;
    if (this.#maxPending !== undefined) {
      this.#first = this.#next;
      this.#events = NO_EVENTS;
    }
    return text;
  }

  // ── resumption ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Whether a client that has received the event with this number can continue from there. */
  canResumeAfter(number: number): boolean {
    return number >= this.#first - 1 && number < this.#end;
  }

  /** Whether no event will ever follow the one with this number. */
  endsWith(number: number): boolean {
    return this.isComplete && number === this.#end - 1;
  }

  // ── connection ────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Connects a client, in place of one that is connected, and writes the events from the one after `after`; by default from the
   * first that no client has received.
   */
  connect(exchange: HttpExchange, firstEvent?: FirstEvent, after?: number): void {
    const before = this.#connection;
    const connection = new EventConnection(exchange, this);
    this.#setConnection(connection);
    before?.end();
    connection.open();
    if (after !== undefined) this.#next = after + 1;
    this.flush(firstEvent?.(`${this.key}-${this.#next - 1}`));
  }

  drained(): void {
    this.flush();
  }

  ended(connection: EventConnection): void {
    if (this.#connection !== connection) return;
    this.#setConnection(undefined);
    this.listener?.disconnected();
  }

  /** Ends the connection, not the stream: the client may resume. */
  disconnect(): void {
    const connection = this.#connection;
    this.#setConnection(undefined);
    connection?.end();
  }

  abort(): void {
    this.#connection?.abort();
  }

  /** Called by the clock. `isResumable`: the client can come back after `streamMs`. */
  tick(now: number, limits: Readonly<HttpLimits>, isResumable = false): void {
    this.#connection?.tick(now, limits, isResumable);
  }

  /** Whether the connected client may be gone without a sign. Where nothing hints at it, a comment finds out. */
  mayBeLost(now: number): boolean {
    const mayBeLost = this.#connection?.mayBeLost(now) === true;
    if (!mayBeLost) this.keepAlive();
    return mayBeLost;
  }

  /** Writes a comment. */
  keepAlive(): void {
    this.#connection?.comment();
  }

  #setConnection(connection: EventConnection | undefined): void {
    if ((connection === undefined) !== (this.#connection === undefined)) this.#readers.count += connection === undefined ? -1 : 1;
    this.#connection = connection;
  }
}
