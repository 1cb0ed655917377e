// SessionStreams: the event streams of one session. Their events are kept for resumption within bounds, the oldest dropped first.
import { EventStream, type FirstEvent } from "../event-stream.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { EventBudget, EventHolder } from "./event-budget.ts";

/** Stands for the streams of sessions that hold no event, as most do. */
const NO_STREAMS: EventStream[] = [];

/** Complete streams that a client may still resume. */
const MAX_COMPLETE_STREAMS = 100;

export class SessionStreams implements EventHolder {
  readonly #readers = { count: 0 };
  /** Carries messages that belong to no request. */
  readonly standing = new EventStream({ key: 0, readers: this.#readers });
  readonly #limits: Readonly<HttpLimits>;
  readonly #budget: EventBudget;
  /** Streams of requests by key, made with the first of them. */
  #byKey: Map<number, EventStream> | undefined;
  /** The stream of each kept event, in the order of the events. */
  #owners = NO_STREAMS;
  /** Complete streams, in the order of their completion. */
  #complete = NO_STREAMS;
  #usedChars = 0;
  #nextKey = 1;

  constructor(limits: Readonly<HttpLimits>, budget: EventBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  /** A new stream, for one request. */
  open(): EventStream {
    const key = this.#nextKey++;
    const stream = new EventStream({ key, readers: this.#readers });
    (this.#byKey ??= new Map()).set(key, stream);
    return stream;
  }

  get(key: number): EventStream | undefined {
    return key === 0 ? this.standing : this.#byKey?.get(key);
  }

  /** Whether there was a stream with this key of which no event is left. */
  isForgotten(key: number): boolean {
    return key > 0 && key < this.#nextKey && this.#byKey?.has(key) !== true;
  }

  get connectedCount(): number {
    return this.#readers.count;
  }

  get eventCount(): number {
    return this.#owners.length;
  }

  *[Symbol.iterator](): IterableIterator<EventStream> {
    yield this.standing;
    if (this.#byKey !== undefined) yield* this.#byKey.values();
  }

  send(stream: EventStream, text: string): void {
    const size = stream.append(text);
    if (this.#owners === NO_STREAMS) this.#owners = [];
    this.#owners.push(stream);
    this.#usedChars += size;
    stream.flush();
    while (this.#owners.length > 1 && this.#usedChars > this.#limits.eventBytes) this.dropOldest();
    this.#budget.add(this, size);
  }

  /** Ends the stream of a request with its response; undefined when the request was cancelled. */
  complete(stream: EventStream, response: string | undefined): void {
    stream.isComplete = true;
    if (this.#complete === NO_STREAMS) this.#complete = [];
    this.#complete.push(stream);
    if (response === undefined) stream.flush();
    else this.send(stream, response);
    if (stream.isEmpty) this.#forget(stream);
    else if (this.#complete.length > MAX_COMPLETE_STREAMS) this.#dropComplete();
  }

  /** A stream with nothing but its response, as text; kept like any other. */
  completeAtOnce(response: string, firstEvent: FirstEvent | undefined): string {
    const stream = this.open();
    const first = firstEvent?.(`${stream.key}-0`) ?? "";
    this.complete(stream, response);
    return first + stream.takeAll();
  }

  /** Drops the oldest event; events that no client has received go last. */
  dropOldest(): void {
    const at = this.#owners.findIndex((stream) => stream.isOldestWritten);
    this.#drop(Math.max(0, at));
  }

  /** Makes room by dropping a complete stream, preferably one that its client has received. */
  #dropComplete(): void {
    const stream = this.#complete.find((one) => one.isAllWritten) ?? this.#complete[0];
    if (stream === undefined) return;
    for (let at = this.#owners.indexOf(stream); at !== -1; at = this.#owners.indexOf(stream)) this.#drop(at);
  }

  #drop(at: number): void {
    const [stream] = this.#owners.splice(at, 1);
    if (stream === undefined) return;
    this.#release(stream.dropOldest());
    if (stream.isComplete && stream.isEmpty) this.#forget(stream);
  }

  #forget({ key = 0 }: EventStream): void {
    const stream = this.#byKey?.get(key);
    if (stream === undefined) return;
    this.#byKey?.delete(key);
    // An empty map takes as much memory as the rest of an idle session.
    if (this.#byKey?.size === 0) this.#byKey = undefined;
    this.#complete.splice(this.#complete.indexOf(stream), 1);
  }

  #release(chars: number): void {
    this.#usedChars -= chars;
    this.#budget.release(chars);
  }

  close(): void {
    for (const stream of this) stream.disconnect();
    this.#release(this.#usedChars);
    this.#budget.remove(this);
    this.#owners = this.#complete = NO_STREAMS;
    this.#byKey = undefined;
  }
}
