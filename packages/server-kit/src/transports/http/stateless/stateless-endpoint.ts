// StatelessEndpoint: serves POST of the stateless era. The order and the statuses of its refusals are those of the specification.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#streamable-http
import type { Auth } from "../../../protocol/auth.ts";
import { McpError, toFailure } from "../../../protocol/errors.ts";
import { readEnvelope } from "../../../protocol/meta.ts";
import type { StatelessPeer } from "../../../peer/stateless-peer.ts";
import type { IncomingMessage } from "../../../runtime/classify.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import { LISTEN } from "../../../runtime/subscription-stream.ts";
import { Runner } from "../../../runtime/request/runner.ts";
import { Stateless } from "../../../runtime/stateless.ts";
import { INVALID_PARAMS, type RequestMessage } from "../../../wire/json-rpc.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpCounts, HttpLimits } from "../http-limits.ts";
import { HttpReply } from "../http-reply.ts";
import { HttpError } from "../responses.ts";
import { checkMirroredHeaders, checkVersionHeader } from "./mirrored-headers.ts";
import { StatelessReplyHost, type StatelessReply } from "./stateless-reply.ts";

export class StatelessEndpoint {
  readonly #runtime: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #runner: Runner;
  readonly #stateless: Stateless;
  readonly #replies = new StatelessReplyHost((reply) => this.#cancel(reply));

  constructor(runtime: Runtime, limits: Readonly<HttpLimits>) {
    this.#runtime = runtime;
    this.#limits = limits;
    this.#runner = new Runner(runtime, limits.concurrency);
    this.#stateless = new Stateless({ runtime, runner: this.#runner, maxStreams: limits.listens, isPipe: false });
  }

  post(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): void {
    switch (message.kind) {
      case "request":
        return this.#request(exchange, message.value, auth);
      case "notification":
        return exchange.respond(202, []);
      case "bad-params":
        throw new HttpError(400, "Invalid params: expected an object.", { code: INVALID_PARAMS, id: message.value.id });
      default:
        throw new HttpError(400, "Invalid Request: expected one request or notification.");
    }
  }

  #request(exchange: HttpExchange, message: RequestMessage, auth: Auth | undefined): void {
    const peer = this.#openPeer(exchange, message);
    const reply: StatelessReply = new HttpReply(exchange, this.#replies, auth);
    this.#stateless.run(message, peer, reply, reply);
    if (reply.isAnswered) return;
    reply.wait();
    // The headers of a subscription tell the client that it is active; they do not wait for its first notification.
    if (message.method === LISTEN) reply.startStream();
  }

  /** Checks the envelope of a request and the headers that repeat parts of it. */
  #openPeer({ headers }: HttpExchange, message: RequestMessage): StatelessPeer {
    try {
      const envelope = readEnvelope(message.params ?? {});
      checkVersionHeader(headers, envelope.version);
      const peer = this.#stateless.open(envelope);
      checkMirroredHeaders(headers, message, this.#runtime, peer.revision);
      return peer;
    } catch (error) {
      if (!(error instanceof McpError)) throw error;
      const { code, message: why, data } = toFailure(error, this.#runtime.report);
      throw new HttpError(400, why, { code, id: message.id, data });
    }
  }

  /** A lost connection cancels its request. */
  #cancel(reply: StatelessReply): void {
    if (!this.#stateless.cancel(reply)) this.#runner.cancel(reply, "the client closed the stream");
  }

  tick(now: number): void {
    this.#replies.tick(now, this.#limits);
  }

  counts(): HttpCounts {
    const streams = [...this.#replies.open].filter(({ stream }) => stream !== undefined).length;
    return { sessions: 0, streams, running: this.#runner.size };
  }

  async close(graceMs: number): Promise<void> {
    this.#stateless.end();
    await this.#runner.idle(graceMs);
    this.#runner.stopAll("shutdown", "the server is shutting down");
  }
}
