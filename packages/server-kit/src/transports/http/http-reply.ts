// HttpReply: the response to one POST, in sessions and stateless requests, on one node and on several.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
import type { Auth } from "../../protocol/auth.ts";
import type { HttpRequestInfo } from "../../protocol/http-request.ts";
import type { Channel } from "../../runtime/request/channel.ts";
import { INTERNAL_ERROR, type ErrorObject } from "../../wire/json-rpc.ts";
import type { ConnectionListener, HttpExchange } from "./http-exchange.ts";
import { EVENT_STREAM_HEADERS, HttpError, JSON_HEADERS, respondError } from "./responses.ts";

/** What differs between the endpoints. `S`: the stream that messages go to. */
export interface ReplyHost<S> {
  /** What a lost connection means: the work goes on without a client, or it is cancelled. */
  readonly onLost: "continue" | "cancel";
  /** Replies that have not ended; each is among them from `wait` on. */
  readonly open: Set<HttpReply<S>>;
  /** Opens the stream. Without an exchange the client is gone. */
  openStream(reply: HttpReply<S>, exchange: HttpExchange | undefined): S;
  send(stream: S, text: string): void;
  /** Ends a stream with the response; undefined when the request was cancelled. */
  end(stream: S, text: string | undefined): void;
  /** Answers with a stream of nothing but the response. Default: the stream is opened and ended. */
  endAtOnce?(exchange: HttpExchange, text: string): void;
  /** Called before the response. A promise settles when the response may be sent, with the error to send in its place. */
  beforeResponse?(): Promise<ReplyFailure | undefined> | undefined;
  /** Status of an error response by its code, while nothing was written before it. Default: 200. */
  statusOf?(code: number): number;
  /** Cancels the request of a lost connection. */
  cancel?(reply: HttpReply<S>): void;
}

/** An error in place of a response; `text` for a stream. */
export interface ReplyFailure {
  readonly error: HttpError;
  readonly text: string;
}

/** The response to one POST: one JSON body, or an event stream as soon as a message precedes the response. */
export class HttpReply<S, H extends ReplyHost<S> = ReplyHost<S>> implements Channel, ConnectionListener {
  readonly auth: Auth | undefined;
  readonly host: H;
  readonly startedAt = performance.now();
  isAnswered = false;
  /** Set once the response is a stream. */
  stream: S | undefined;
  readonly #exchange: HttpExchange;
  #isLost = false;
  #isWaiting = false;
  readonly #alwaysStreams: boolean;

  /** `alwaysStreams`: responds with an event stream in any case. */
  constructor(exchange: HttpExchange, host: H, auth: Auth | undefined, alwaysStreams = false) {
    this.#exchange = exchange;
    this.host = host;
    this.auth = auth;
    this.#alwaysStreams = alwaysStreams;
  }

  get caller(): string | undefined {
    return this.#exchange.caller?.name;
  }

  get http(): HttpRequestInfo {
    return this.#exchange.http;
  }

  /** Whether the client has waited for so long without a byte. */
  isSilent(now: number, ms: number): boolean {
    return this.stream === undefined && !this.#isLost && now - this.startedAt >= ms;
  }

  /** Called when the request was not answered in the same turn. */
  wait(): void {
    if (this.isAnswered) return;
    this.#isWaiting = true;
    this.#markOpen();
    if (this.#isLost) this.#cancel();
    else if (this.stream === undefined && this.#alwaysStreams) this.startStream();
    else if (this.stream === undefined) this.#exchange.listener = this;
  }

  /** Starts the event stream, unless it has started. */
  startStream(): S {
    return (this.stream ??= this.host.openStream(this, this.#isLost ? undefined : this.#exchange));
  }

  notify(text: string): void {
    if (!this.#isOver) this.host.send(this.startStream(), text);
  }

  complete(text: string | undefined, code?: number): void {
    if (this.#isOver) return;
    this.isAnswered = true;
    const ready = this.host.beforeResponse?.();
    if (ready === undefined) return this.#respond(text, code);
    this.#markOpen();
    void ready.then((failure) => (failure === undefined ? this.#respond(text, code) : this.#fail(failure)));
  }

  /** Responds without waiting for anything, unless the request was answered. */
  end(text: string): void {
    if (this.isAnswered) return;
    this.isAnswered = true;
    this.#respond(text);
  }

  refuse({ code, message }: ErrorObject): void {
    this.abandon();
    respondError(this.#exchange, new HttpError(code === INTERNAL_ERROR ? 500 : 400, message, { code }));
  }

  /** Sends nothing more. */
  abandon(): void {
    this.isAnswered = true;
    this.#markClosed();
  }

  disconnected(): void {
    if (this.isAnswered || this.#isLost) return;
    this.#isLost = true;
    if (this.#isWaiting) this.#cancel();
  }

  #markOpen(): void {
    if (this.host.open.has(this)) return;
    this.host.open.add(this);
    this.#exchange.caller?.requestStarted();
  }

  #markClosed(): void {
    if (this.host.open.delete(this)) this.#exchange.caller?.requestEnded();
  }

  get #isOver(): boolean {
    return this.isAnswered || (this.#isLost && this.host.onLost === "cancel");
  }

  #cancel(): void {
    if (this.host.onLost === "continue") return;
    this.#markClosed();
    this.host.cancel?.(this);
  }

  #respond(text: string | undefined, code?: number): void {
    const { host } = this;
    this.#markClosed();
    if (this.stream !== undefined) return host.end(this.stream, text);
    if (this.#isLost) return;
    const status = code === undefined ? 200 : (host.statusOf?.(code) ?? 200);
    if (text === undefined) this.#exchange.respond(200, EVENT_STREAM_HEADERS);
    else if (!this.#alwaysStreams) this.#exchange.respond(status, JSON_HEADERS, text);
    else if (host.endAtOnce === undefined) host.end(this.startStream(), text);
    else host.endAtOnce(this.#exchange, text);
  }

  #fail({ error, text }: ReplyFailure): void {
    if (this.stream !== undefined) return this.#respond(text);
    this.#markClosed();
    if (!this.#isLost) respondError(this.#exchange, error);
  }
}
