// StatelessEndpoint: serves POST of the stateless era. The order and the statuses of its refusals are those of the specification. A client
// that closes the connection cancels its request.
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
import { INVALID_PARAMS, METHOD_NOT_FOUND, type RequestMessage } from "../../../wire/json-rpc.ts";
import { EventStream } from "../event-stream.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpCounts, HttpLimits } from "../http-limits.ts";
import { HttpReply, type ReplyHost } from "../http-reply.ts";
import { HttpError } from "../responses.ts";
import { checkMirroredHeaders, checkVersionHeader } from "./mirrored-headers.ts";

export type StatelessReply = HttpReply<EventStream>;

const STATUS_BY_CODE: Readonly<Record<number, number>> = {
  [METHOD_NOT_FOUND]: 404,
  [-32_020]: 400,
  [-32_021]: 400,
  [-32_022]: 400,
  429: 429,
};

/** Characters that may wait for a client that reads slowly. */
const MAX_PENDING = 8 * 1024 * 1024;

export class StatelessEndpoint implements ReplyHost<EventStream> {
  readonly onLost = "cancel";
  readonly open = new Set<StatelessReply>();
  readonly #runtime: Runtime;
  readonly #limits: Readonly<HttpLimits>;
  readonly #runner: Runner;
  readonly #stateless: Stateless;

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
    const reply: StatelessReply = new HttpReply(exchange, this, auth);
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

  cancel(reply: StatelessReply): void {
    if (!this.#stateless.cancel(reply)) this.#runner.cancel(reply, "the client closed the stream");
  }

  openStream(reply: StatelessReply, exchange: HttpExchange | undefined): EventStream {
    const stream = new EventStream({ maxPending: MAX_PENDING });
    stream.listener = reply;
    if (exchange !== undefined) stream.connect(exchange);
    return stream;
  }

  send(stream: EventStream, text: string): void {
    stream.send(text);
  }

  end(stream: EventStream, text: string | undefined): void {
    if (text !== undefined) stream.append(text);
    stream.complete();
  }

  statusOf(code: number): number {
    return STATUS_BY_CODE[code] ?? 200;
  }

  /** Called by the clock: starts streams for slow responses, keeps idle ones alive. */
  tick(now: number): void {
    for (const reply of this.open) {
      if (reply.stream !== undefined) reply.stream.tick(now, this.#limits);
      else if (reply.isSilent(now, this.#limits.silentMs)) reply.startStream().keepAlive();
    }
  }

  counts(): HttpCounts {
    const streams = [...this.open].filter(({ stream }) => stream !== undefined).length;
    return { sessions: 0, streams, running: this.#runner.size };
  }

  async close(graceMs: number): Promise<void> {
    this.#stateless.end();
    await this.#runner.idle(graceMs);
    this.#runner.stopAll("shutdown", "the server is shutting down");
  }
}
