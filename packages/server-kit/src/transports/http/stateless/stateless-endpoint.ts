// What a POST means for requests that speak for themselves (newest era). Order and statuses of the refusals are fixed.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
import type { Runtime } from "../../../server/endpoint.ts";
import { DEFAULT_LIMITS, TokenBucket } from "../../../server/limits.ts";
import { LISTEN } from "../../../server/subscription-stream.ts";
import { Runner } from "../../../server/runner.ts";
import { Stateless } from "../../../server/stateless.ts";
import type { Auth } from "../../../protocol/auth.ts";
import { McpError, toFailure } from "../../../protocol/errors.ts";
import { hasEnvelope, readEnvelope } from "../../../protocol/meta.ts";
import { find } from "../../../revisions/index.ts";
import { INVALID_PARAMS, isId, isObject, kindOf, type Json, type RequestMessage } from "../../../wire/json-rpc.ts";
import { AloneReply } from "./stateless-reply.ts";
import { answerError } from "../responses.ts";
import type { HttpExchange } from "../exchange.ts";
import type { Fields } from "../request-headers.ts";
import type { HttpLimits } from "../http-limits.ts";
import { wrongMirror, wrongVersion } from "./mirrored-headers.ts";

const HEADER_MISMATCH = -32_020;

/** Callers whose calls are counted one by one; beyond that many the counts begin anew. */
const MOST_COUNTED = 10_000;

/** Whether a message belongs to the era without sessions: by its own envelope, or by the header. */
export function isAlone(message: unknown, { version }: Fields): boolean {
  if (isObject(message) && hasEnvelope(message.params)) return true;
  return version !== undefined && find(version)?.facts.era === "stateless";
}

export class StatelessRules {
  readonly #endpoint: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #runner: Runner;
  readonly #stateless: Stateless;
  readonly #open = new Set<AloneReply>();
  readonly #ended = new AbortController();
  readonly #calls = new Map<string | undefined, TokenBucket>();

  constructor(endpoint: Runtime, limits: Readonly<HttpLimits>) {
    this.#endpoint = endpoint;
    this.#limits = limits;
    this.#runner = new Runner(endpoint, limits.concurrency);
    this.#stateless = new Stateless({
      endpoint,
      runner: this.#runner,
      signal: () => this.#ended.signal,
      mayCall: (principal) => this.#mayCall(principal),
      listens: limits.listens,
      announcesEnd: false,
    });
    endpoint.clocked.add(this.#runner);
  }

  /** Nothing tells callers without a token apart, so they are counted together, and only when somebody has set the rate. */
  #mayCall(principal: string | undefined): boolean {
    const rate = this.#endpoint.limits.callsPerSecond;
    if (principal === undefined && rate === DEFAULT_LIMITS.callsPerSecond) return true;
    let bucket = this.#calls.get(principal);
    if (bucket === undefined) {
      if (this.#calls.size >= MOST_COUNTED) this.#calls.clear();
      bucket = new TokenBucket(rate);
      this.#calls.set(principal, bucket);
    }
    return bucket.take();
  }

  post(exchange: HttpExchange, message: unknown, auth: Auth | undefined): void {
    switch (kindOf(message)) {
      case "request":
        return this.#request(exchange, message as RequestMessage, auth);
      case "notification":
        return exchange.answer(202, []);
      case "bad-params": {
        const { id } = message as Json; // kindOf has found one
        return answerError(exchange, 400, "params: expected an object", { code: INVALID_PARAMS, id: isId(id) ? id : undefined });
      }
      default:
        return answerError(exchange, 400, "Invalid Request: expected one request or notification");
    }
  }

  #request(exchange: HttpExchange, message: RequestMessage, auth: Auth | undefined): void {
    const { fields } = exchange;
    const { id, params = {} } = message;
    const mismatch = (why: string): undefined => answerError(exchange, 400, why, { code: HEADER_MISMATCH, id });
    let peer;
    try {
      const envelope = readEnvelope(params);
      const wrong = wrongVersion(fields, envelope);
      if (wrong !== undefined) return mismatch(wrong);
      peer = this.#stateless.open(envelope);
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      const { code, message: why, data } = toFailure(error, this.#endpoint.report);
      return answerError(exchange, 400, why, { code, id, data });
    }
    const wrong = wrongMirror(fields, message, this.#endpoint.server);
    if (wrong !== undefined) return mismatch(wrong);
    const reply = new AloneReply(exchange, auth, () => this.#open.delete(reply));
    this.#stateless.run(message, peer, reply, reply);
    if (reply.done) return;
    this.#open.add(reply);
    reply.wait(() => this.#gone(reply));
    // Its headers tell the client that it is listened to; they should not wait for the first news.
    if (message.method === LISTEN) reply.begin();
  }

  /** A closed stream is the cancellation of its request. */
  #gone(reply: AloneReply): void {
    if (!this.#stateless.cancel(reply)) this.#runner.cancel(reply, "the client closed the stream");
  }

  tick(now: number): void {
    const { keepAliveMs, silentMs, stalledMs } = this.#limits;
    for (const reply of this.#open) {
      if (reply.blocked !== 0 && now - reply.blocked >= stalledMs) reply.cut();
      else if (now - reply.written >= (reply.streaming ? keepAliveMs : silentMs)) reply.keepAlive();
    }
  }

  get running(): number {
    return this.#runner.size;
  }

  get streams(): number {
    let count = 0;
    for (const reply of this.#open) if (reply.streaming) count++;
    return count;
  }

  async close(graceMs: number): Promise<void> {
    this.#stateless.end();
    await this.#runner.idle(graceMs);
    this.#runner.stopAll("shutdown", "the server is shutting down");
    this.#ended.abort();
    this.#endpoint.clocked.delete(this.#runner);
  }
}
