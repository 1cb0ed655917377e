// How a client works with a server in one of the two eras of the protocol: in a session after a handshake, or statelessly.
import type { Implementation, Json, LogLevel, ServerCapabilities } from "@oarlock/server-kit/protocol";
import type { RequestOptions } from "./connection/pending-request.ts";
import type { Tasks } from "./extensions/tasks/tasks.ts";
import type { NotificationFilter } from "./notifications/change-notification.ts";
import type { NotificationStream } from "./notifications/notification-stream.ts";
import type { OnUpdate } from "./notifications/watched-resources.ts";

/** The result of negotiation. */
export interface NegotiatedServer {
  revision: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string | undefined;
}

export interface Era {
  /** Undefined where calls do not become tasks. */
  readonly tasks?: Tasks | undefined;
  /** Sends a request with the metadata of the era; returns the result unchanged. */
  request(method: string, params: Json | undefined, options: RequestOptions | undefined): Promise<Json>;
  /** Sends a request, answers the server's input requests, and returns the final result without the metadata of the era. */
  requestToCompletion(method: string, params: Json, options: RequestOptions | undefined): Promise<Json>;
  /** Drops cached pages of a list after the server has rejected a cursor; false if there were none. */
  dropCachedPages?(method: string): boolean;
  ping(options: RequestOptions | undefined): Promise<void>;
  setLevel(level: LogLevel, options: RequestOptions | undefined): Promise<void>;
  subscribe(uri: string, onUpdate: OnUpdate, options: RequestOptions | undefined): Promise<void>;
  unsubscribe(uri: string, options: RequestOptions | undefined): Promise<void>;
  listen(filter: NotificationFilter, signal: AbortSignal | undefined): NotificationStream;
  rootsChanged(): void;
}
