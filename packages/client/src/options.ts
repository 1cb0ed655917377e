// What `connect` can be told.
import type { ClientCapabilities, Implementation, Json, LogLevel } from "@oarlock/server-kit/protocol";
import type { Handlers } from "./client-requests/client-request-handlers.ts";
import type { Agreed } from "./era.ts";
import type { List } from "./notifications/change-notification.ts";
import type { KeepOptions } from "./stateless/result-cache.ts";
import type { SpawnOptions } from "./transports/stdio/server-process.ts";

export interface LogEntry {
  level: LogLevel;
  logger?: string;
  data: unknown;
}

export interface ConnectOptions extends Handlers, Pick<SpawnOptions, "graceMs" | "termMs" | "onStderr"> {
  /**
   * The revision to speak. One with a handshake is asked for in it, the server may answer with an older one; a newer one is
   * spoken or nothing. Default "auto": the newest that the server speaks, which is found out by asking it.
   */
  revision?: string;
  /** With "auto": how long a process may keep silent before a handshake is tried beside, in milliseconds. Default 3,000. */
  probeMs?: number;
  /** With "auto": what is known of HTTP servers, as address → era, so that they are not probed again. Default: one map for the process. */
  eras?: Map<string, "handshake" | "stateless">;
  /** What an earlier connection without handshake has found out (a `Client` will do), so that the server is not asked again. */
  known?: Agreed;
  /** Who we are; `false` leaves it out where the revision allows. */
  clientInfo?: Implementation | false;
  /** Declared beside what follows from the handlers. */
  capabilities?: ClientCapabilities;
  /** Longest silence on a request, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** Longest time for a request in all, with all its rounds. Default 600,000. */
  maxTotalMs?: number;
  /** How often the server may ask back in one request, where it asks in rounds. Default 20. */
  maxRounds?: number;
  /** Results that servers allow to be kept (in revisions without handshake) are given again; `false` asks each time. */
  cache?: false | KeepOptions;
  /** Without handshake: how often a server that `connect` started and that ended by itself is started again, in all. Default 0. */
  restarts?: number;
  /** Asks the server for a sign of life this often, and closes the connection when there is none. Default: never. */
  pingEveryMs?: number;
  /** Aborting it before the handshake is done closes the connection. */
  signal?: AbortSignal;
  onLog?(entry: LogEntry): void;
  onListChanged?(list: List): void;
  /** Every notification of the server, whether or not another handler takes it. */
  onNotification?(method: string, params: Json): void;
  /** Every raw message, as it goes and comes. */
  onWire?(direction: "sent" | "received", text: string): void;
  /** What the server did against the protocol and is survived, in words. */
  onFault?(what: string): void;
}

/** Who we are where nobody says so. */
export const CLIENT_INFO: Implementation = { name: "oarlock-client", version: "0.0.0" };
