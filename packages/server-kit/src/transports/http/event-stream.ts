// One stream of events to a client, which outlives its connections: events are kept, and a reader is a cursor over them.
// So a slow reader holds nobody up, and one that comes back goes on where it was.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
import { withoutSeparators } from "../../wire/json-rpc.ts";
import type { EventSink } from "./exchange.ts";

const NONE: string[] = [];

export class EventStream {
  /** Names the stream within its session; 0 is the one that belongs to no request. */
  readonly key: number;
  /** The answer is among the events: nothing more will come. */
  ended = false;
  /** When the reader came, last got something, and began to lag behind; by `performance.now()`. */
  since = 0;
  written = 0;
  blocked = 0;
  /** Ready-made events, oldest first; the first one has the number `#first`. */
  #events: string[] = NONE;
  #first = 1;
  /** The number that is written next. */
  #next = 1;
  #sink: EventSink | undefined;

  readonly #readers: { count: number };

  constructor(key: number, readers = { count: 0 }) {
    this.key = key;
    this.#readers = readers;
  }

  #read(sink: EventSink | undefined): void {
    if ((sink === undefined) !== (this.#sink === undefined)) this.#readers.count += sink === undefined ? -1 : 1;
    this.#sink = sink;
  }

  /** Somebody reads it now. */
  get open(): boolean {
    return this.#sink !== undefined;
  }

  /** Its oldest event has been handed over. */
  get delivered(): boolean {
    return this.#next > this.#first;
  }

  /** All its events have been handed over. */
  get exhausted(): boolean {
    return this.#next === this.#end;
  }

  get empty(): boolean {
    return this.#events.length === 0;
  }

  /** The number after the last event. */
  get #end(): number {
    return this.#first + this.#events.length;
  }

  /** Keeps an event, and sends it when the reader is ready; gives its size. */
  add(text: string): number {
    const event = `id: ${this.key}-${this.#end}\nevent: message\ndata: ${withoutSeparators(text)}\n\n`;
    if (this.#events === NONE) this.#events = [];
    this.#events.push(event);
    return event.length;
  }

  /** Forgets the oldest event; gives its size. A reader that has not got it is cut off: it would miss something. */
  drop(): number {
    const event = this.#events.shift();
    if (event === undefined) return 0;
    this.#first++;
    if (this.#next < this.#first) {
      this.#next = this.#first;
      this.cut();
    }
    return event.length;
  }

  /** Forgets what the reader has got. One that lags behind by more than `most` characters is cut off. */
  forget(most: number): void {
    this.#events.splice(0, this.#next - this.#first);
    this.#first = this.#next;
    if (this.#events.reduce((sum, event) => sum + event.length, 0) > most) this.cut();
  }

  /** Whether a reader that has seen the event with this number can go on from there. */
  knows(number: number): boolean {
    return number >= this.#first - 1 && number < this.#end;
  }

  /** Whether nothing will ever follow the event with this number. */
  isOver(number: number): boolean {
    return this.ended && number === this.#end - 1;
  }

  /**
   * Gives the stream a reader, instead of one that it has. `after`: the number of the event that it has seen; left out: it
   * gets what nobody has got yet. `prime` is the event that tells it where it is.
   */
  attach(sink: EventSink, prime: ((id: string) => string) | undefined, after?: number): void {
    this.#sink?.end();
    this.#read(sink);
    if (after !== undefined) this.#next = after + 1;
    this.since = this.written = performance.now();
    this.blocked = 0;
    sink.onDrain = () => {
      this.blocked = 0;
      this.pump("");
    };
    sink.onGone = () => {
      if (this.#sink === sink) this.#read(undefined);
    };
    this.pump(prime?.(`${this.key}-${this.#next - 1}`) ?? "");
  }

  /** Writes what the reader has not got, all in one, unless it lags behind. */
  pump(before = ""): void {
    const sink = this.#sink;
    // Once the answer is there everything is handed over: it would only be pushed out here by what other streams keep.
    if (sink === undefined || (this.blocked !== 0 && !this.ended)) return;
    const fresh =
      this.#events.length === 1 && this.#next === this.#first ? this.#events[0] : this.#events.slice(this.#next - this.#first).join("");
    const text = before + fresh;
    this.#next = this.#end;
    if (this.ended) {
      this.#read(undefined);
      return sink.end(text);
    }
    if (text !== "") this.#write(sink, text);
  }

  /** All events, for a reader who gets them another way. */
  taken(): string {
    this.#next = this.#end;
    return this.#events.join("");
  }

  /** A comment, so that nobody on the way takes the connection for dead. */
  keepAlive(): void {
    if (this.#sink !== undefined && this.blocked === 0) this.#write(this.#sink, ":\n\n");
  }

  #write(sink: EventSink, text: string): void {
    this.written = performance.now();
    if (!sink.write(text)) this.blocked = this.written;
  }

  /** Ends the connection calmly, not the stream. */
  letGo(): void {
    const sink = this.#sink;
    this.#read(undefined);
    sink?.end();
  }

  cut(): void {
    const sink = this.#sink;
    this.#read(undefined);
    sink?.cut();
  }
}
