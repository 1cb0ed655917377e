// The requests of one connection that have no answer yet: running, or waiting for a place. Every change of their state
// goes through `enter` and `leave`.
import type { Id } from "../wire/json-rpc.ts";
import type { RequestContext } from "./context.ts";

export class InFlight {
  readonly #most: number;
  readonly #longest: number;
  readonly #run: (ctx: RequestContext) => void;
  readonly #all = new Map<Id, RequestContext>();
  /** In order of arrival; those cancelled meanwhile stay until their turn and are passed over. */
  #queue: RequestContext[] = [];
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
    return this.#all.size;
  }

  get(id: Id): RequestContext | undefined {
    return this.#all.get(id);
  }

  [Symbol.iterator](): IterableIterator<RequestContext> {
    return this.#all.values();
  }

  /** True when a request may start at once. */
  get free(): boolean {
    return this.#running < this.#most && !this.paused && this.#waiting === 0;
  }

  /** Puts a started request on the list. */
  enter(ctx: RequestContext): void {
    this.#all.set(ctx.id, ctx);
    ctx.running = true;
    this.#running++;
  }

  /** Lets a request wait for a place; false when too many wait. */
  wait(ctx: RequestContext): boolean {
    if (this.#waiting >= this.#longest) return false;
    if (this.#queue.length > 2 * this.#longest) this.#queue = this.#queue.filter((waiting) => this.#all.get(waiting.id) === waiting);
    this.#all.set(ctx.id, ctx);
    this.#queue.push(ctx);
    this.#waiting++;
    return true;
  }

  /** Takes a request off the list; false when it was off already, so that each is answered once. */
  leave(ctx: RequestContext): boolean {
    if (this.#all.get(ctx.id) !== ctx) return false;
    this.#all.delete(ctx.id);
    if (ctx.running) this.#running--;
    else this.#waiting--;
    ctx.running = false;
    return true;
  }

  /** Starts what waits, as far as there is room; called after each answer. */
  pump(): void {
    let at = 0;
    while (at < this.#queue.length && this.#running < this.#most && !this.paused) {
      const ctx = this.#queue[at++];
      if (ctx !== undefined && this.leave(ctx)) this.#run(ctx); // else: cancelled while it waited
    }
    if (at > 0) this.#queue = this.#queue.slice(at);
    if (this.#all.size === 0) this.onIdle?.();
  }
}
