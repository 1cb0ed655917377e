// SessionReplyHost: what a reply to one POST of a session does with its messages.
import type { EventStream, FirstEvent } from "../event-stream.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpReply, ReplyHost } from "../http-reply.ts";
import { EVENT_STREAM_HEADERS } from "../responses.ts";
import type { HttpSession } from "./http-session.ts";

export type SessionReply = HttpReply<EventStream, SessionReplyHost>;

export interface SessionReplyOptions {
  /** The priming event of streams, in revisions that have one. */
  readonly priming: FirstEvent | undefined;
  readonly open: Set<SessionReply>;
  readonly alwaysStreams: boolean;
}

export class SessionReplyHost implements ReplyHost<EventStream> {
  readonly onLost = "continue";
  readonly session: HttpSession;
  readonly open: Set<SessionReply>;
  readonly alwaysStreams: boolean;
  readonly #priming: FirstEvent | undefined;

  constructor(session: HttpSession, { priming, open, alwaysStreams }: SessionReplyOptions) {
    this.session = session;
    this.open = open;
    this.alwaysStreams = alwaysStreams;
    this.#priming = priming;
  }

  openStream(_reply: HttpReply<EventStream>, exchange: HttpExchange | undefined): EventStream {
    const stream = this.session.streams.open();
    if (exchange !== undefined) stream.connect(exchange, this.#priming);
    return stream;
  }

  send(stream: EventStream, text: string): void {
    this.session.streams.send(stream, text);
  }

  end(stream: EventStream, text: string | undefined): void {
    this.session.streams.complete(stream, text);
  }

  endAtOnce(_reply: HttpReply<EventStream>, exchange: HttpExchange, text: string): void {
    exchange.respond(200, EVENT_STREAM_HEADERS, this.session.streams.completeAtOnce(text, this.#priming));
  }

  beforeResponse(): undefined {
    this.session.lastUsedAt = performance.now();
  }
}
