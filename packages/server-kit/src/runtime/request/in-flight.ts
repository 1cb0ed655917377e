// The requests of one connection without a response: running, or queued. Every change of their state goes through `add`, `enqueue`
// and `remove`.
import type { RequestContext } from "./context.ts";

const EMPTY: (RequestContext | undefined)[] = [];

export class InFlightRequests {
  readonly #maxRunning: number;
  readonly #maxQueued: number;
  readonly #start: (ctx: RequestContext) => void;
  /** Created with the first request: thousands of idle sessions have none. */
  #all: Map<unknown, RequestContext> | undefined;
  /** In order of arrival; a cancelled request stays until its turn and is skipped. */
  #queue = EMPTY;
  /** Index of the next request. The part before it is cut off now and then, as each cut copies the rest. */
  #head = 0;
  #queued = 0;
  #running = 0;
  /** While the client does not read its responses, no request is started. */
  isPaused = false;
  /** Called when no request is left. */
  onIdle: (() => void) | undefined;

  constructor(maxRunning: number, maxQueued: number, start: (ctx: RequestContext) => void) {
    this.#maxRunning = maxRunning;
    this.#maxQueued = maxQueued;
    this.#start = start;
  }

  get size(): number {
    return this.#all?.size ?? 0;
  }

  get(key: unknown): RequestContext | undefined {
    return this.#all?.get(key);
  }

  [Symbol.iterator](): IterableIterator<RequestContext> {
    return (this.#all ?? new Map<unknown, RequestContext>()).values();
  }

  /** True when a request may start now. */
  get hasCapacity(): boolean {
    return this.#running < this.#maxRunning && !this.isPaused && this.#queued === 0;
  }

  /** Adds a started request. */
  add(ctx: RequestContext): void {
    (this.#all ??= new Map()).set(ctx.key, ctx);
    ctx.isRunning = true;
    this.#running++;
  }

  /** Queues a request; false when the queue is full. */
  enqueue(ctx: RequestContext): boolean {
    if (this.#queued >= this.#maxQueued) return false;
    if (this.#queue.length > 2 * this.#maxQueued) {
      this.#queue = this.#queue.filter((queued) => queued !== undefined && this.#all?.get(queued.key) === queued);
      this.#head = 0;
    }
    if (this.#queue === EMPTY) this.#queue = [];
    (this.#all ??= new Map()).set(ctx.key, ctx);
    this.#queue.push(ctx);
    this.#queued++;
    return true;
  }

  /** Removes a request; false when it was removed before, so that each is answered once. */
  remove(ctx: RequestContext): boolean {
    if (this.#all?.get(ctx.key) !== ctx) return false;
    this.#all.delete(ctx.key);
    if (ctx.isRunning) this.#running--;
    else this.#queued--;
    ctx.isRunning = false;
    return true;
  }

  /** Starts queued requests as far as there is capacity; called after each response. */
  pump(): void {
    while (this.#head < this.#queue.length && this.#running < this.#maxRunning && !this.isPaused) {
      const ctx = this.#queue[this.#head];
      this.#queue[this.#head++] = undefined;
      if (ctx !== undefined && this.remove(ctx)) this.#start(ctx); // otherwise it was cancelled while queued
    }
    if (2 * this.#head >= this.#queue.length && this.#head > 0) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    if (this.size === 0) this.onIdle?.();
  }
}
