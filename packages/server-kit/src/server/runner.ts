// Runs the requests of one connection, each in its context, and sees to it that every one is answered exactly once:
// with its result, its failure, or (cancelled) not at all.
import { bindingOf, sealRequestState } from "../requests/request-state.ts";
import { isPromise } from "../features/after.ts";
import { truncate } from "../features/schema.ts";
import { McpError, toFailure, TOO_MANY_REQUESTS } from "../protocol/errors.ts";
import { errorText, INTERNAL_ERROR, resultText, type ErrorObject, type Json } from "../wire/json-rpc.ts";
import { RequestAborted, type AbortCause } from "./abort.ts";
import type { RequestContext } from "./context.ts";
import type { Runtime } from "./endpoint.ts";
import { InFlight } from "./in-flight.ts";
import { byteLength, resultText as encoded } from "./result-text.ts";
import { encodeResult } from "./encode-result.ts";

export class Runner {
  readonly #endpoint: Runtime;
  readonly #inFlight: InFlight;

  /** At most `most` requests run at the same time; more wait. */
  constructor(endpoint: Runtime, most: number = endpoint.limits.concurrency) {
    this.#endpoint = endpoint;
    this.#inFlight = new InFlight(most, endpoint.limits.queue, (ctx) => this.#start(ctx));
  }

  get size(): number {
    return this.#inFlight.size;
  }

  has(key: unknown): boolean {
    return this.#inFlight.get(key) !== undefined;
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
      answer = ctx.handler?.run(ctx.params, ctx);
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
    if (ctx.inputRequests?.hasPending === true) return this.#suspend(ctx);
    ctx.finish();
    const { limits, server } = this.#endpoint;
    let text: string;
    try {
      text = encoded(encodeResult(server, ctx.revision, ctx.method, result));
      if (text === undefined) throw new TypeError(`${ctx.method} gave no result`);
    } catch (error) {
      return this.#fail(ctx, error);
    }
    const answer = resultText(ctx.id, text);
    // Measured whole: the string that is flattened for this is the one that is sent.
    const most = limits.resultBytes + answer.length - text.length;
    if (answer.length * 3 > most && (answer.length > most || byteLength(answer) > most)) {
      const message = `The result is larger than ${limits.resultBytes} bytes; ask for less at a time`;
      return this.#fail(ctx, new McpError(INTERNAL_ERROR, message, undefined, "tool"));
    }
    ctx.channel.complete(answer);
  }

  #fail(ctx: RequestContext, error: unknown): void {
    if (ctx.inputRequests?.hasPending === true && !(error instanceof McpError && error.code === TOO_MANY_REQUESTS))
      return this.#suspend(ctx);
    ctx.finish();
    const { server, report } = this.#endpoint;
    const said = ctx.revision.encodeFailure(ctx.method, toFailure(error, report));
    if ("error" in said) return ctx.channel.complete(this.#errorText(ctx, said.error), said.error.code);
    const { stamp } = ctx.revision;
    ctx.channel.complete(resultText(ctx.id, JSON.stringify(stamp === undefined ? said.result : stamp(said.result, server.info))));
  }

  /** An error of any size comes from authors only: its code is kept, and its words as far as they go. */
  #errorText({ id }: RequestContext, error: ErrorObject): string {
    const most = this.#endpoint.limits.resultBytes;
    const text = errorText(id, error);
    if (text.length * 3 <= most || byteLength(text) <= most) return text;
    return errorText(id, { code: error.code, message: truncate(error.message) });
  }

  /** What counts is what was asked, not what the handler made of its unwinding: the client brings the answers. */
  #suspend(ctx: RequestContext): void {
    const { inputRequests: replay, revision, method, params, auth, channel, id } = ctx;
    if (replay === undefined) return;
    ctx.finish();
    // On the list until it is sealed, so that it can be cancelled, and nobody else takes its id.
    ctx.deadline = 0;
    this.#inFlight.enter(ctx);
    const { server, sealing, report } = this.#endpoint;
    const answer = (text: string, code?: number): void => {
      if (this.#inFlight.leave(ctx)) channel.complete(text, code);
      this.#inFlight.pump();
    };
    const bound = bindingOf(method, params, auth?.principal, revision.id, server.info.name);
    // What goes out is what is sealed: a handler may go on asking meanwhile.
    const { nextState: ledger, pending: inputRequests } = replay;
    void sealRequestState(ledger, bound, sealing).then(
      (requestState) => {
        const result = { resultType: "input_required", inputRequests, requestState };
        answer(resultText(id, JSON.stringify(revision.stamp?.(result, server.info) ?? result)));
      },
      (error: unknown) => {
        const { code, message } = toFailure(error, report);
        answer(errorText(id, { code, message }), code);
      },
    );
  }

  /** The request ends without an answer. An unknown one is ignored. */
  cancel(key: unknown, why: string): void {
    const ctx = this.#inFlight.get(key);
    if (ctx === undefined) return;
    this.#endpoint.log("debug", `request cancelled: ${why}`);
    this.#stop(ctx, "client", why);
    this.#inFlight.pump();
  }

  #stop(ctx: RequestContext, cause: AbortCause, why: string): void {
    if (!this.#inFlight.leave(ctx)) return;
    ctx.done = true;
    ctx.stop(new RequestAborted(cause, why));
    ctx.channel.complete(undefined);
  }

  /** Answers what has run longer than it may; its late result is dropped. */
  expire(now: number): void {
    const late = [...this.#inFlight].filter((ctx) => ctx.deadline !== 0 && ctx.pendingClientRequests === 0 && ctx.deadline < now);
    for (const ctx of late) {
      if (!this.#inFlight.leave(ctx)) continue;
      const why = `Timed out after ${this.#endpoint.limits.timeoutMs} ms`;
      ctx.stop(new RequestAborted("timeout", why));
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
  stopAll(cause: AbortCause, why: string): void {
    for (const ctx of [...this.#inFlight]) this.#stop(ctx, cause, why);
  }
}
