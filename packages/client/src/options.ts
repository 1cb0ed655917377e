// The options of `connect`.
import type { ClientCapabilities, Implementation, Json, LogLevel, TraceContext } from "@oarlock/server-kit/protocol";
import type { Handlers } from "./client-requests/client-request-handlers.ts";
import type { ClientObserver } from "./connection/observer.ts";
import type { NegotiatedServer } from "./era.ts";
import type { ListKind } from "./notifications/change-notification.ts";
import type { CacheOptions } from "./stateless/result-cache.ts";
import type { SpawnOptions } from "./transports/stdio/server-process.ts";
import { version } from "./version.ts";

export interface LogEntry {
  level: LogLevel;
  logger?: string;
  data: unknown;
}

export interface ConnectOptions extends Handlers, Pick<SpawnOptions, "graceMs" | "termMs" | "onStderr"> {
  /**
   * The protocol revision. A revision with a handshake is requested in `initialize`, and the server may answer with an older one;
   * a stateless revision is used exactly. Default "auto": the newest revision of the server, found by negotiation.
   */
  revision?: string;
  /** With "auto": time without a response to `server/discover` after which a handshake is tried as well, in milliseconds. Default 3,000. */
  probeMs?: number;
  /** With "auto": the known eras of HTTP servers by URL, to skip negotiation. Default: one map for the process. */
  eras?: Map<string, "handshake" | "stateless">;
  /** The result of an earlier stateless negotiation (such as a `Client`), to skip negotiation. */
  known?: NegotiatedServer;
  /** Name and version of this client; `false` omits them where the revision allows it. */
  clientInfo?: Implementation | false;
  /** Capabilities to declare in addition to those that follow from the handlers. */
  capabilities?: ClientCapabilities;
  /** Timeout of a request without progress, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** Timeout of a request in total, including all round trips, in milliseconds. Default 600,000. */
  maxTotalMs?: number;
  /** Maximum number of round trips of a multi-round-trip request. Default 20. */
  maxRounds?: number;
  /**
   * Whether calls may become tasks on the server (stateless revisions); `call` gives the final result all the same. Not declared for calls
   * with `onProgress`, as tasks have no progress. Default true.
   */
  tasks?: boolean;
  /** Limits of the result cache. Results of stateless revisions are cached as the server allows; `false` disables the cache. */
  cache?: false | CacheOptions;
  /** Stateless revisions: how often a server process that exits by itself is restarted, in total. Default 0. */
  restarts?: number;
  /** Interval of keep-alive pings in milliseconds; the connection is closed when a ping fails. Default: no pings. */
  pingEveryMs?: number;
  /** The trace context to send with a request, such as that of the active span. Default: none. */
  trace?(): TraceContext | undefined;
  /** Observes the requests of this client, such as `traceClient()` of `@oarlock/opentelemetry`. Default: none. */
  observer?: ClientObserver;
  /** Cancels connecting. */
  signal?: AbortSignal;
  onLog?(entry: LogEntry): void;
  onListChanged?(list: ListKind): void;
  /** Receives every notification of the server, including those with a handler of their own. */
  onNotification?(method: string, params: Json): void;
  /** Receives every message as text. */
  onWire?(direction: "sent" | "received", text: string): void;
  /** Receives descriptions of protocol violations and other problems that the client tolerates. */
  onFault?(message: string): void;
}

/** The default of `clientInfo`. */
export const CLIENT_INFO: Implementation = { name: "oarlock-client", version };
