// Cluster: what several nodes of one server do together, as the HTTP transport uses it. A node is one process that serves HTTP.
import type { Auth } from "../../protocol/auth.ts";
import type { Awaitable } from "../../features/awaitable.ts";
import type { IncomingMessage } from "../../runtime/classify.ts";
import type { Connection } from "../../runtime/connection.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Services } from "../../runtime/services.ts";
import type { Id } from "../../wire/json-rpc.ts";
import type { Caller } from "./caller.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { HttpLimits } from "./http-limits.ts";
import type { HttpReply, ReplyHost } from "./http-reply.ts";

/** The nodes of one server, so that each can serve any request. */
export interface Cluster {
  /** Makes one more node, of one server that is about to be served. */
  join(): ClusterNode;
}

/** One node of a server. Its services are those of the server that it runs. */
export interface ClusterNode extends Services {
  /** Begins to serve. Called once, before everything else. */
  start(runtime: Runtime, limits: Readonly<HttpLimits>): Endpoints;
  /** Settles when the other nodes know this one, or cannot be reached. */
  joined(): Promise<void>;
  /** Settles when changes that the other nodes notice arrive here, or they cannot be reached. Subscriptions begin after that. */
  readonly ready: Promise<void>;
  /** Leaves the other nodes, which take what still runs here for lost. */
  withdraw(): Promise<void>;
  /** Called last. */
  close(): void;
}

/** What serves the requests of a node, in place of what one process has by itself. */
export interface Endpoints {
  readonly sessions: SessionHost;
  readonly rates: RateLimiter;
}

/** A session, as its endpoint sees it. */
export interface HostedSession {
  readonly connection: Connection;
  /** Name of the caller that opened it here. */
  readonly caller: string | undefined;
  /** Event streams that its client reads here. */
  readonly streamCount: number;
}

/** A reply to one POST of a session. */
export type HostedReply = HttpReply<unknown, ReplyHost<unknown> & Pick<HostedSession, "streamCount">>;

/** Keeps the sessions of the handshake era with their event streams: in this process, or with other nodes. */
export interface SessionHost<T extends HostedSession = HostedSession> extends Iterable<T> {
  readonly isFull: boolean;
  /** Open sessions of a caller, in all processes that keep them. Default: those that were opened here. */
  countOf?(caller: string): Awaitable<number>;
  /** Replies that have not ended. */
  readonly replies: ReadonlySet<HostedReply>;
  /**
   * Opens a session by its `initialize`; returns the response, and the id of the session where it is open. Throws an HttpError where others
   * of the caller that began at the same time were the last that it may have.
   */
  initialize(
    message: IncomingMessage,
    auth: Auth | undefined,
    caller: Caller | undefined,
  ): Promise<{ text: string | undefined; id?: string | undefined }>;
  /** The session with this id; undefined when there is none, also when another principal opened it. */
  find(id: string, principal: string | undefined): Awaitable<T | undefined>;
  end(session: T): Awaitable<void>;
  /** Whether the client request with this id came from a tool that may change something. */
  mayChange(session: T, id: Id): boolean;
  /** Called before the session takes a message that gets no response of its own, and after it. */
  beforeMessage?(session: T, message: IncomingMessage): Promise<void>;
  afterMessage?(session: T, message: IncomingMessage): Promise<void>;
  /** What the reply to a message does. */
  replyTo(session: T, message: IncomingMessage): Awaitable<HostedReply["host"]>;
  /** Connects a client to the standing stream, or to the one after whose event it resumes. Throws an HttpError. */
  read(session: T, exchange: HttpExchange, lastEventId: string | undefined): Awaitable<void>;
  /** Called by the clock. `now`: by `performance.now()`. */
  tick(now: number): void;
  /** Lets requests end within the time, then ends them and all sessions. */
  close(graceMs: number): Promise<void>;
}

/** Holds the rate of tool calls, over all sessions of a caller. */
export interface RateLimiter {
  /** Takes one call of a caller; false when its rate is reached. Callers without a name are one caller: undefined. */
  take(caller: string | undefined): boolean | Promise<boolean>;
}
