// HttpSession: a session of one process, and what the replies to its POSTs do with their messages.
import { Connection } from "../../../runtime/connection.ts";
import { pipeChannel } from "../../../runtime/request/channel.ts";
import type { Runtime } from "../../../runtime/runtime.ts";
import type { HostedSession } from "../endpoints.ts";
import { primingEvent, type EventStream, type FirstEvent } from "../event-stream.ts";
import type { HttpExchange } from "../http-exchange.ts";
import type { HttpLimits } from "../http-limits.ts";
import type { HttpReply, ReplyHost } from "../http-reply.ts";
import { randomId } from "../random-id.ts";
import { EVENT_STREAM_HEADERS } from "../responses.ts";
import type { EventBudget } from "./event-budget.ts";
import { SessionStreams } from "./session-streams.ts";

export type SessionReply = HttpReply<EventStream, HttpSession>;

/** What the sessions of one process share. */
export interface SessionParts {
  readonly runtime: Runtime;
  readonly limits: Readonly<HttpLimits>;
  readonly budget: EventBudget;
  readonly replies: Set<SessionReply>;
}

export class HttpSession implements HostedSession, ReplyHost<EventStream> {
  readonly id = randomId();
  readonly onLost = "continue";
  readonly principal: string | undefined;
  readonly caller: string | undefined;
  readonly connection: Connection;
  readonly streams: SessionStreams;
  readonly open: Set<SessionReply>;
  /** By `performance.now()`. */
  lastUsedAt = performance.now();
  readonly #retryMs: number;

  constructor({ principal, caller }: Pick<HttpSession, "principal" | "caller">, { runtime, limits, budget, replies }: SessionParts) {
    const streams = new SessionStreams(limits, budget);
    const notify = (text: string): void => streams.send(streams.standing, text);
    this.principal = principal;
    this.caller = caller;
    this.streams = streams;
    this.connection = new Connection(runtime, pipeChannel(notify, { isOpen: () => streams.standing.isConnected, caller }));
    this.open = replies;
    this.#retryMs = limits.retryMs;
  }

  get streamCount(): number {
    return this.streams.connectedCount;
  }

  /** The priming event, in revisions that have one. */
  get firstEvent(): FirstEvent | undefined {
    if (this.connection.revision?.facts.primingEvent !== true) return undefined;
    return (id) => primingEvent(id, this.#retryMs);
  }

  openStream(_reply: HttpReply<EventStream>, exchange: HttpExchange | undefined): EventStream {
    const stream = this.streams.open();
    if (exchange !== undefined) stream.connect(exchange, this.firstEvent);
    return stream;
  }

  send(stream: EventStream, text: string): void {
    this.streams.send(stream, text);
  }

  end(stream: EventStream, text: string | undefined): void {
    this.streams.complete(stream, text);
  }

  endAtOnce(exchange: HttpExchange, text: string): void {
    exchange.respond(200, EVENT_STREAM_HEADERS, this.streams.completeAtOnce(text, this.firstEvent));
  }

  beforeResponse(): undefined {
    this.lastUsedAt = performance.now();
  }
}
