// Cluster: what several nodes of one server do together, as the HTTP transport uses it. A node is one process that serves HTTP.
import type { Auth } from "../../protocol/auth.ts";
import type { IncomingMessage } from "../../runtime/classify.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { Services } from "../../runtime/services.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { HttpLimits } from "./http-limits.ts";

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
  readonly sessions: SessionService;
  readonly rates: RateLimiter;
}

/** Current numbers of the handshake era. */
export interface SessionCounts {
  readonly sessions: number;
  readonly streams: number;
  readonly running: number;
}

/** Serves POST, GET and DELETE of the handshake era. */
export interface SessionService {
  post(exchange: HttpExchange, message: IncomingMessage, auth: Auth | undefined): void | Promise<void>;
  get(exchange: HttpExchange, auth: Auth | undefined): void | Promise<void>;
  delete(exchange: HttpExchange, auth: Auth | undefined): void | Promise<void>;
  /** Called by the clock. `now`: by `performance.now()`. */
  tick(now: number): void;
  counts(): SessionCounts;
  /** Lets requests end within the time, then ends them. */
  close(graceMs: number): Promise<void>;
}

/** Holds the rate of stateless tool calls. */
export interface RateLimiter {
  /** Takes one call of a caller; false when its rate is reached. Callers without a token are one caller: undefined. */
  take(caller: string | undefined): boolean | Promise<boolean>;
}
