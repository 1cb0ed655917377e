// The event streams of one session, and what is kept of them within bounds: the oldest events go first, whoever's they are.
import { EventStream } from "../event-stream.ts";
import type { HttpLimits } from "../http-limits.ts";

/** Most sessions keep nothing, and share it. */
const NONE: EventStream[] = [];

/** What all sessions keep together: beyond its bound those lose their oldest events first that have used it least lately. */
export class Budget {
  readonly #most: number;
  readonly #users = new Set<Streams>();
  #used = 0;

  /** In characters. */
  constructor(most: number) {
    this.#most = most;
  }

  take(user: Streams, size: number): void {
    this.#used += size;
    this.#users.delete(user);
    this.#users.add(user);
    for (const other of this.#users) {
      while (this.#used > this.#most && other.kept > (other === user ? 1 : 0)) other.dropOldest();
      if (this.#used <= this.#most) return;
      this.#users.delete(other);
    }
    this.#users.add(user);
  }

  give(size: number): void {
    this.#used -= size;
  }

  forget(user: Streams): void {
    this.#users.delete(user);
  }
}

/** Most streams that have ended and can still be taken up. */
const MOST_ENDED = 100;

export class Streams {
  /** What belongs to no request. */
  readonly #readers = { count: 0 };
  readonly standing = new EventStream(0, this.#readers);
  readonly #limits: Readonly<HttpLimits>;
  readonly #budget: Budget;
  #all: Map<number, EventStream> | undefined;
  /** The streams of the kept events, in the order of the events. */
  #order: EventStream[] = NONE;
  /** Those that have ended, in that order. */
  #ended: EventStream[] = NONE;
  #used = 0;
  #next = 1;

  constructor(limits: Readonly<HttpLimits>, budget: Budget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /** A new stream, for one request. */
  open(): EventStream {
    const stream = new EventStream(this.#next++, this.#readers);
    (this.#all ??= new Map()).set(stream.key, stream);
    return stream;
  }

  get(key: number): EventStream | undefined {
    return key === 0 ? this.standing : this.#all?.get(key);
  }

  /** Whether there was a stream with this key, of which nothing is left. */
  wasThere(key: number): boolean {
    return key > 0 && key < this.#next && this.#all?.has(key) !== true;
  }

  /** How many can be read or taken up. */
  get size(): number {
    return (this.#all?.size ?? 0) + 1;
  }

  /** How many connections read them. */
  get reading(): number {
    return this.#readers.count;
  }

  *[Symbol.iterator](): IterableIterator<EventStream> {
    yield this.standing;
    if (this.#all !== undefined) yield* this.#all.values();
  }

  add(stream: EventStream, text: string): void {
    const size = stream.add(text);
    if (this.#order === NONE) this.#order = [];
    this.#order.push(stream);
    this.#used += size;
    stream.pump();
    while (this.#order.length > 1 && this.#used > this.#limits.eventBytes) this.dropOldest();
    this.#budget.take(this, size);
  }

  /** The last event of a request's stream, or none when the request was cancelled. */
  finish(stream: EventStream, text: string | undefined): void {
    stream.ended = true;
    if (this.#ended === NONE) this.#ended = [];
    this.#ended.push(stream);
    if (text === undefined) stream.pump();
    else this.add(stream, text);
    if (stream.empty) this.#forget(stream);
    else if (this.#ended.length > MOST_ENDED) this.#dropEnded();
  }

  /** Makes room for one that has ended: none that goes on gives way, and what nobody has got yet goes last. */
  #dropEnded(): void {
    const stream = this.#ended.find((one) => one.exhausted) ?? this.#ended[0];
    if (stream === undefined) return;
    for (let at = this.#order.indexOf(stream); at !== -1; at = this.#order.indexOf(stream)) this.#drop(at);
  }

  /** A stream of its answer alone, as text: it is kept like any other. */
  whole(text: string, prime: ((id: string) => string) | undefined): string {
    const stream = this.open();
    const first = prime?.(`${stream.key}-0`) ?? "";
    this.finish(stream, text);
    return first + stream.taken();
  }

  /** How many events are kept. */
  get kept(): number {
    return this.#order.length;
  }

  dropOldest(): void {
    // What a reader still waits for goes last.
    this.#drop(
      Math.max(
        0,
        this.#order.findIndex((one) => one.delivered),
      ),
    );
  }

  #drop(at: number): void {
    const [stream] = this.#order.splice(at, 1);
    if (stream === undefined) return;
    this.#free(stream.drop());
    if (stream.ended && stream.empty) this.#forget(stream);
  }

  #forget(stream: EventStream): void {
    if (this.#all?.delete(stream.key)) this.#ended.splice(this.#ended.indexOf(stream), 1);
  }

  #free(size: number): void {
    this.#used -= size;
    this.#budget.give(size);
  }

  /** Ends everything. */
  close(): void {
    for (const stream of this) stream.letGo();
    this.#free(this.#used);
    this.#budget.forget(this);
    this.#order = this.#ended = NONE;
    this.#all = undefined;
  }
}
