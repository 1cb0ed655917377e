// Runs the requests of one connection, each in its context, and sees to it that every one is answered exactly once:
// with its result, its failure, or (cancelled) not at all.
import { isPromise } from "../features/after.ts";
import { McpError, toFailure, TOO_MANY_REQUESTS } from "../protocol/errors.ts";
import { errorText, INTERNAL_ERROR, resultText, type Id, type Json } from "../wire/json-rpc.ts";
import { Stopped, type Cause } from "./cancel.ts";
import type { RequestContext } from "./context.ts";
import type { Endpoint } from "./endpoint.ts";
import { InFlight } from "./in-flight.ts";

export class Runner {
  readonly #endpoint: Endpoint;
  readonly #inFlight: InFlight;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#inFlight = new InFlight(endpoint.limits.concurrency, endpoint.limits.queue, (ctx) => this.#start(ctx));
  }

  get size(): number {
    return this.#inFlight.size;
  }

  has(id: Id): boolean {
    return this.#inFlight.get(id) !== undefined;
  }

  /** Runs a request now, or when there is room; refuses it when too many wait. */
  run(ctx: RequestContext): void {
    if (this.#inFlight.free) this.#start(ctx);
    else if (!this.#inFlight.wait(ctx)) this.refuse(ctx, "Too many requests are waiting");
  }

  /** Turns a request away because of load. */
  refuse(ctx: RequestContext, message: string): void {
    this.#fail(ctx, new McpError(TOO_MANY_REQUESTS, `${message}; try again in a moment`));
  }

  #start(ctx: RequestContext): void {
    let answer;
    try {
      answer = ctx.row?.run(ctx.params, ctx);
    } catch (error) {
      return this.#fail(ctx, error);
    }
    if (!isPromise(answer)) return this.#settle(ctx, answer as Json); // rows give objects
    this.#inFlight.enter(ctx);
    this.#endpoint.startClock(ctx);
    Promise.resolve(answer).then(
      (result) => {
        if (this.#inFlight.leave(ctx)) this.#settle(ctx, result as Json);
        this.#inFlight.pump();
      },
      (error: unknown) => {
        if (this.#inFlight.leave(ctx)) this.#fail(ctx, error);
        this.#inFlight.pump();
      },
    );
  }

  #settle(ctx: RequestContext, result: Json): void {
    ctx.finish();
    const { limits } = this.#endpoint;
    let text: string;
    try {
      text = JSON.stringify(ctx.revision.result(ctx.method, result));
      if (text === undefined) throw new TypeError(`${ctx.method} gave no result`);
    } catch (error) {
      return this.#fail(ctx, error);
    }
    if (text.length * 3 > limits.resultBytes && (text.length > limits.resultBytes || byteLength(text) > limits.resultBytes)) {
      const message = `The result is larger than ${limits.resultBytes} bytes; ask for less at a time`;
      return this.#fail(ctx, new McpError(INTERNAL_ERROR, message, undefined, "tool"));
    }
    ctx.channel.end(resultText(ctx.id, text));
  }

  #fail(ctx: RequestContext, error: unknown): void {
    ctx.finish();
    const said = ctx.revision.failure(ctx.method, toFailure(error, this.#endpoint.report));
    ctx.channel.end("result" in said ? resultText(ctx.id, JSON.stringify(said.result)) : errorText(ctx.id, said.error));
  }

  /** `notifications/cancelled`: the request ends without an answer. An unknown id is ignored. */
  cancel(id: Id, why: string): void {
    const ctx = this.#inFlight.get(id);
    if (ctx === undefined) return;
    this.#endpoint.log("debug", `request cancelled: ${why}`);
    this.#stop(ctx, "client", why);
    this.#inFlight.pump();
  }

  #stop(ctx: RequestContext, cause: Cause, why: string): void {
    if (!this.#inFlight.leave(ctx)) return;
    ctx.done = true;
    ctx.stop(new Stopped(cause, why));
    ctx.channel.end(undefined);
  }

  /** Answers what has run longer than it may; its late result is dropped. */
  expire(now: number): void {
    const late = [...this.#inFlight].filter((ctx) => ctx.deadline !== 0 && ctx.asking === 0 && ctx.deadline < now);
    for (const ctx of late) {
      if (!this.#inFlight.leave(ctx)) continue;
      const why = `Timed out after ${this.#endpoint.limits.timeoutMs} ms`;
      ctx.stop(new Stopped("timeout", why));
      this.#fail(ctx, new McpError(INTERNAL_ERROR, why, undefined, "tool"));
    }
    if (late.length > 0) this.#inFlight.pump();
  }

  /** The other side does not read: nothing new is started until `resume`. */
  pause(): void {
    this.#inFlight.paused = true;
  }

  resume(): void {
    this.#inFlight.paused = false;
    this.#inFlight.pump();
  }

  /** Resolves when nothing is left, or after the time. */
  async idle(graceMs: number): Promise<void> {
    if (this.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#inFlight.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Stops everything without an answer. */
  stopAll(cause: Cause, why: string): void {
    for (const ctx of [...this.#inFlight]) this.#stop(ctx, cause, why);
  }
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length;
