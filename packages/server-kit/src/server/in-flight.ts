// The requests of one connection that have no answer yet: running, or waiting for a place. Every change of their state
// goes through `enter` and `leave`.
import type { RequestContext } from "./context.ts";

const NONE: (RequestContext | undefined)[] = [];

/** How the table holds a request: emptied when it leaves, see Roster for why. */
interface Place {
  ctx: RequestContext | undefined;
}

export class InFlight {
  readonly #most: number;
  readonly #longest: number;
  readonly #run: (ctx: RequestContext) => void;
  #all: Map<unknown, Place> | undefined;
  /** In order of arrival; those cancelled meanwhile stay until their turn and are passed over. */
  #queue = NONE;
  /** Whose turn it is. What stands before has been taken, and is cut off now and then: each cut copies the rest. */
  #head = 0;
  #waiting = 0;
  #running = 0;
  /** While the other side does not read its answers, nothing new is started. */
  paused = false;
  /** Called when nothing is left. */
  onIdle: (() => void) | undefined;

  /** At most `most` run, at most `longest` wait; `run` starts one. */
  constructor(most: number, longest: number, run: (ctx: RequestContext) => void) {
    this.#most = most;
    this.#longest = longest;
    this.#run = run;
  }

  get size(): number {
    return this.#all?.size ?? 0;
  }

  get(key: unknown): RequestContext | undefined {
    return this.#all?.get(key)?.ctx;
  }

  *[Symbol.iterator](): IterableIterator<RequestContext> {
    for (const { ctx } of this.#all?.values() ?? []) if (ctx !== undefined) yield ctx;
  }

  /** True when a request may start at once. */
  get free(): boolean {
    return this.#running < this.#most && !this.paused && this.#waiting === 0;
  }

  /** Puts a started request on the list. */
  enter(ctx: RequestContext): void {
    (this.#all ??= new Map()).set(ctx.key, { ctx });
    ctx.running = true;
    this.#running++;
  }

  /** Lets a request wait for a place; false when too many wait. */
  wait(ctx: RequestContext): boolean {
    if (this.#waiting >= this.#longest) return false;
    if (this.#queue.length > 2 * this.#longest) {
      this.#queue = this.#queue.filter((waiting) => waiting !== undefined && this.#all?.get(waiting.key)?.ctx === waiting);
      this.#head = 0;
    }
    (this.#all ??= new Map()).set(ctx.key, { ctx });
    if (this.#queue === NONE) this.#queue = [];
    this.#queue.push(ctx);
    this.#waiting++;
    return true;
  }

  /** Takes a request off the list; false when it was off already, so that each is answered once. */
  leave(ctx: RequestContext): boolean {
    const place = this.#all?.get(ctx.key);
    if (place?.ctx !== ctx) return false;
    this.#all?.delete(ctx.key);
    place.ctx = undefined;
    if (ctx.running) this.#running--;
    else this.#waiting--;
    ctx.running = false;
    return true;
  }

  /** Starts what waits, as far as there is room; called after each answer. */
  pump(): void {
    while (this.#head < this.#queue.length && this.#running < this.#most && !this.paused) {
      const ctx = this.#queue[this.#head];
      this.#queue[this.#head++] = undefined;
      if (ctx !== undefined && this.leave(ctx)) this.#run(ctx); // else: cancelled while it waited
    }
    if (2 * this.#head >= this.#queue.length && this.#head > 0) {
      this.#queue = this.#queue.slice(this.#head);
      this.#head = 0;
    }
    if (this.size === 0) this.onIdle?.();
  }
}
