// How a client asks in one of the two eras of the protocol: in a session, or by requests that speak for themselves.
import type { Implementation, Json, LogLevel, ServerCapabilities } from "@oarlock/server-kit/protocol";
import type { ListenTo, Listening } from "./notifications/change-notification.ts";
import type { RequestOptions } from "./connection/pending-request.ts";
import type { OnUpdate } from "./notifications/watched-resources.ts";

/** What client and server have settled. */
export interface Agreed {
  revision: string;
  serverInfo: Implementation;
  capabilities: ServerCapabilities;
  instructions?: string | undefined;
}

export interface Era {
  /** Sends a request with what every request of the era carries; the result is as it came. */
  request(method: string, params: Json | undefined, options: RequestOptions | undefined): Promise<Json>;
  /** The same to the end: what the server asks back is answered, and what only the era puts on results is taken off. */
  ask(method: string, params: Json, options: RequestOptions | undefined): Promise<Json>;
  /** Lets go of kept pages of a list, as one of their cursors does not hold any more; false when there were none. */
  forget?(method: string): boolean;
  ping(options: RequestOptions | undefined): Promise<void>;
  setLevel(level: LogLevel, options: RequestOptions | undefined): Promise<void>;
  subscribe(uri: string, onUpdate: OnUpdate, options: RequestOptions | undefined): Promise<void>;
  unsubscribe(uri: string, options: RequestOptions | undefined): Promise<void>;
  listen(to: ListenTo, signal: AbortSignal | undefined): Listening;
  rootsChanged(): void;
}
