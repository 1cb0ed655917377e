// SessionReply: the response to one POST of a session. One JSON body, or an event stream as soon as a message precedes the response.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
import type { Auth } from "../../../protocol/auth.ts";
import type { Channel } from "../../../runtime/request/channel.ts";
import { INTERNAL_ERROR, type ErrorObject } from "../../../wire/json-rpc.ts";
import type { EventStream, FirstEvent } from "../event-stream.ts";
import type { HttpExchange } from "../http-exchange.ts";
import { EVENT_STREAM_HEADERS, respondRefusal, respondText } from "../responses.ts";
import type { HttpSession } from "./session-store.ts";

export interface SessionReplyOptions {
  auth: Auth | undefined;
  /** The priming event of streams, in revisions that have one. */
  priming: FirstEvent | undefined;
  /** Replies without a byte on the wire; this one is among them while it waits. */
  waiting: Set<SessionReply>;
  /** Respond with an event stream in any case. */
  alwaysStreams: boolean;
}

export class SessionReply implements Channel {
  readonly auth: Auth | undefined;
  readonly session: HttpSession;
  readonly startedAt = performance.now();
  readonly #exchange: HttpExchange;
  readonly #options: SessionReplyOptions;
  #stream: EventStream | undefined;
  #isDisconnected = false;
  #isDone = false;

  constructor(exchange: HttpExchange, session: HttpSession, options: SessionReplyOptions) {
    this.#exchange = exchange;
    this.session = session;
    this.auth = options.auth;
    this.#options = options;
  }

  /** Called when the request was not answered in the same turn. */
  wait(): void {
    if (this.#isDone || this.#stream !== undefined) return;
    if (this.#options.alwaysStreams) return void this.startStream();
    this.#options.waiting.add(this);
    // A lost connection is not a cancellation: the work goes on, without a client to respond to.
    this.#exchange.onClose = () => {
      this.#isDisconnected = true;
      this.#options.waiting.delete(this);
    };
  }

  /** Starts the event stream, unless it has started. */
  startStream(): EventStream {
    if (this.#stream !== undefined) return this.#stream;
    this.#options.waiting.delete(this);
    const stream = this.session.streams.open();
    this.#stream = stream;
    if (!this.#isDisconnected) stream.connect(this.#exchange, this.#options.priming);
    return stream;
  }

  notify(text: string): void {
    if (!this.#isDone) this.session.streams.send(this.startStream(), text);
  }

  complete(text: string | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.session.lastUsedAt = performance.now();
    this.#options.waiting.delete(this);
    if (this.#stream !== undefined) this.session.streams.complete(this.#stream, text);
    else if (!this.#isDisconnected) this.#respond(text);
  }

  #respond(text: string | undefined): void {
    if (text === undefined || !this.#options.alwaysStreams) return respondText(this.#exchange, text);
    this.#exchange.respond(200, EVENT_STREAM_HEADERS, this.session.streams.completeAtOnce(text, this.#options.priming));
  }

  refuse(error: ErrorObject): void {
    this.#isDone = true;
    respondRefusal(this.#exchange, error, error.code === INTERNAL_ERROR ? 500 : 400);
  }
}
