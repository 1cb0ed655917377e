// Runner: runs requests and answers each exactly once: with its result, with its failure, or (cancelled) not at all.
import { isPromise } from "../../features/awaitable.ts";
import { truncate } from "../../features/schema/schema.ts";
import { McpError, toFailure, TOO_MANY_REQUESTS, type Failure } from "../../protocol/errors.ts";
import { bindingOf, sealRequestState } from "../../peer/request-state.ts";
import { errorText, INTERNAL_ERROR, responseText, type Json } from "../../wire/json-rpc.ts";
import { RequestAborted, type AbortCause } from "./abort.ts";
import { completeWithError } from "./channel.ts";
import type { RequestContext } from "./context.ts";
import { InFlightRequests } from "./in-flight.ts";
import { endOfFailure } from "./observer.ts";
import { tooLarge } from "./outcome.ts";
import { byteLength, serializeResult } from "./result-text.ts";
import type { Runtime } from "../runtime.ts";

export class Runner {
  readonly #runtime: Runtime;
  readonly #inFlight: InFlightRequests;

  /** At most `concurrency` requests run at the same time; more are queued. */
  constructor(runtime: Runtime, concurrency: number = runtime.limits.concurrency) {
    this.#runtime = runtime;
    this.#inFlight = new InFlightRequests(concurrency, runtime.limits.queue, (ctx) => this.#start(ctx));
  }

  /** Requests without a response. */
  get size(): number {
    return this.#inFlight.size;
  }

  has(key: unknown): boolean {
    return this.#inFlight.get(key) !== undefined;
  }

  /** Runs a request now, or when there is capacity; refuses it when the queue is full. */
  run(ctx: RequestContext): void {
    if (this.#inFlight.hasCapacity) this.#start(ctx);
    else if (!this.#inFlight.enqueue(ctx)) this.refuse(ctx, `Server busy: ${this.#runtime.limits.queue} requests are queued.`);
  }

  /** Refuses a request because of load. */
  refuse(ctx: RequestContext, reason: string): void {
    ctx.observation = this.#runtime.observe(ctx, ctx.params);
    this.#fail(ctx, new McpError(TOO_MANY_REQUESTS, `${reason} Retry shortly.`));
  }

  /** The one synchronous fast path: a handler that returns a plain value is answered in the same turn, see `chain`. */
  #start(ctx: RequestContext): void {
    if (ctx.trace !== undefined) this.#runtime.log("debug", describeRequest(ctx), ctx.trace);
    const observation = this.#runtime.observe(ctx, ctx.params);
    let returned;
    try {
      if (observation === undefined) returned = ctx.handler.run(ctx.params, ctx);
      else {
        ctx.observation = observation;
        returned = observation.run(() => ctx.handler.run(ctx.params, ctx));
      }
    } catch (error) {
      return this.#fail(ctx, error);
    }
    if (isPromise(returned)) void this.#settle(ctx, returned);
    else this.#succeed(ctx, returned as Json); // handlers return objects
  }

  async #settle(ctx: RequestContext, returned: PromiseLike<unknown>): Promise<void> {
    this.#inFlight.add(ctx);
    if (ctx.handler.hasNoTimeLimit !== true) ctx.deadline = performance.now() + this.#runtime.limits.timeoutMs;
    this.#runtime.deadlines.watch(this);
    let complete: () => void;
    try {
      const result = (await returned) as Json; // handlers return objects
      complete = () => this.#succeed(ctx, result);
    } catch (error) {
      complete = () => this.#fail(ctx, error);
    }
    if (this.#inFlight.remove(ctx)) complete();
    this.#inFlight.pump();
  }

  #succeed(ctx: RequestContext, result: Json): void {
    if (ctx.inputRequests?.hasPending === true) return this.#requestInput(ctx);
    ctx.finish();
    let text: string;
    try {
      text = serializeResult(this.#runtime.encodeResult(ctx.revision, ctx.method, result, ctx.client));
      if (text === undefined) throw new TypeError(`The handler of ${ctx.method} returned no result.`);
    } catch (error) {
      return this.#fail(ctx, error);
    }
    const response = responseText(ctx.id, text);
    // The whole response is measured: counting flattens the string, which is then the one that is sent.
    if (this.#fits(response, response.length - text.length)) {
      ctx.endObservation({ outcome: result.isError === true ? "tool-error" : "success" });
      return ctx.channel.complete(response);
    }
    this.#fail(ctx, tooLarge(this.#runtime.limits.resultBytes));
  }

  /** Counts bytes only when they might exceed the limit: a character takes at most three. */
  #fits(text: string, overhead = 0): boolean {
    const max = this.#runtime.limits.resultBytes + overhead;
    return text.length * 3 <= max || (text.length <= max && byteLength(text) <= max);
  }

  #fail(ctx: RequestContext, error: unknown): void {
    const isOverload = error instanceof McpError && error.code === TOO_MANY_REQUESTS;
    if (ctx.inputRequests?.hasPending === true && !isOverload) return this.#requestInput(ctx);
    ctx.finish();
    const failure = (ctx.handler.toFailure ?? toFailure)(error, this.#runtime.reportFor(ctx.trace));
    const response = this.#failureText(ctx, failure);
    const { kind, code, message } = failure;
    ctx.endObservation(endOfFailure(failure, !("error" in ctx.revision.encodeFailure(ctx.method, failure))));
    ctx.channel.complete(this.#fits(response) ? response : this.#failureText(ctx, { kind, code, message: truncate(message) }), code);
  }

  #failureText({ id, method, revision }: RequestContext, failure: Failure): string {
    const encoded = revision.encodeFailure(method, failure);
    if ("error" in encoded) return errorText(id, encoded.error);
    return responseText(id, JSON.stringify(this.#runtime.stamp(revision, encoded.result)));
  }

  /**
   * Answers with the input requests of this round (newest revision). Only what was requested counts, not what the handler made of its
   * unwinding: the client sends the request again, with its responses.
   */
  #requestInput(ctx: RequestContext): void {
    const { inputRequests, revision, method, params, auth, channel, id } = ctx;
    if (inputRequests === undefined) return;
    ctx.finish();
    // In flight until its state is sealed: so it can be cancelled, and its id stays taken.
    ctx.deadline = 0;
    this.#inFlight.add(ctx);
    const { server, sealing, report } = this.#runtime;
    const binding = bindingOf(method, params, auth?.principal, revision.id, server.info.name);
    // Taken now, as the handler may go on and request more.
    const { nextState, pending } = inputRequests;
    ctx.endObservation({ outcome: "input-required" });
    void Promise.all([sealRequestState(nextState, binding, sealing), ctx.releaseConfirmation()]).then(
      ([requestState]) => {
        const result = { resultType: "input_required", inputRequests: pending, requestState };
        if (this.#inFlight.remove(ctx)) channel.complete(responseText(id, JSON.stringify(this.#runtime.stamp(revision, result))));
        this.#inFlight.pump();
      },
      (error: unknown) => {
        if (this.#inFlight.remove(ctx)) completeWithError(channel, id, error, report);
        this.#inFlight.pump();
      },
    );
  }

  /** Ends a request without a response; ignores an unknown one. */
  cancel(key: unknown, reason: string): void {
    const ctx = this.#inFlight.get(key);
    if (ctx === undefined) return;
    this.#runtime.log("debug", `request cancelled: ${reason}`);
    this.#abort(ctx, "client", reason);
    this.#inFlight.pump();
  }

  #abort(ctx: RequestContext, cause: AbortCause, reason: string): void {
    if (!this.#inFlight.remove(ctx)) return;
    ctx.isDone = true;
    ctx.abort(new RequestAborted(cause, reason));
    ctx.endObservation({ outcome: "cancelled" });
    ctx.channel.complete(undefined);
  }

  /** Answers requests that have run longer than they may; their late results are dropped. */
  expire(now: number): void {
    const expired = [...this.#inFlight].filter((ctx) => ctx.deadline !== 0 && ctx.pendingClientRequests === 0 && ctx.deadline < now);
    for (const ctx of expired) {
      if (!this.#inFlight.remove(ctx)) continue;
      const reason = `Timed out after ${this.#runtime.limits.timeoutMs} ms`;
      ctx.abort(new RequestAborted("timeout", reason));
      this.#fail(ctx, new McpError(INTERNAL_ERROR, reason, undefined, "tool"));
    }
    if (expired.length > 0) this.#inFlight.pump();
  }

  /** Backpressure: the client does not read, so no request is started until `resume`. */
  pause(): void {
    this.#inFlight.isPaused = true;
  }

  resume(): void {
    this.#inFlight.isPaused = false;
    this.#inFlight.pump();
  }

  /** Resolves when no request is left, or after the time. */
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

  /** Ends all requests: with an error if the server is stopping, otherwise without a response, as the client has gone. */
  stopAll(cause: AbortCause, reason: string): void {
    for (const ctx of [...this.#inFlight]) {
      if (cause !== "shutdown") this.#abort(ctx, cause, reason);
      else if (this.#inFlight.remove(ctx)) {
        ctx.abort(new RequestAborted(cause, reason));
        this.#fail(ctx, new McpError(INTERNAL_ERROR, STOPPED, undefined, "tool"));
      }
    }
    this.#inFlight.pump();
  }
}

const STOPPED = "The server stopped before this ended. Whether it took effect is not known: check that, then retry it.";

/** `tools/call read_file`: a name that the server has given, never an argument. */
function describeRequest({ id, method, params: { name } }: RequestContext): string {
  const named = typeof name === "string" ? `${method} ${truncate(name, 128)}` : method;
  return `${named}, request ${truncate(String(id), 64)}`;
}
