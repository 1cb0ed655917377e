// What a Link and its wire tell each other where each message travels by itself, as over HTTP. A plain wire needs none of it.
import type { Id, Json, Wire } from "@oarlock/server-kit/protocol";

/** What a text is. An answer of ours has no method, a notification no id. */
export interface Outgoing {
  id?: Id;
  method?: string;
  params?: Json | undefined;
  /** Goes beside it where there are headers. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface Carrier extends Wire {
  /** Each request has headers and a stream of its own. Closing the stream is what cancels it. */
  readonly alone?: boolean;
  send(text: string, what?: Outgoing): void;
  /** Nobody waits for the answer to this request any more: it came, or the request was given up (which the server is told). */
  over?(id: Id, givenUp: boolean): void;
  /** The handshake settled on this revision. */
  agreed?(revision: string): void;
  /** Who asks just now, as far as the server can tell callers apart. */
  caller?(): Promise<string | undefined>;
  /** Called when a request can have no answer any more; the connection goes on. */
  onLost?: (id: Id, error: Error) => void;
  /** Called when the server has forgotten the session: shakes hands anew, and resolves when the new one is as the old one was. */
  onExpired?: () => Promise<void>;
}
