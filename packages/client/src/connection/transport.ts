// The interface between the JSON-RPC peer and a transport. A plain `Wire` satisfies it; the optional members are for transports
// on which each message travels by itself, such as HTTP.
import type { Id, Json, Wire } from "@oarlock/server-kit/protocol";

/** Describes a message to send. A response of the client has no method, a notification has no id. */
export interface OutgoingMessage {
  id?: Id;
  method?: string;
  params?: Json | undefined;
  /** HTTP headers to send with the message. Other transports ignore them. */
  headers?: Readonly<Record<string, string>> | undefined;
}

export interface Transport extends Wire {
  /** Each request has headers and a stream of its own; closing the stream cancels the request. */
  readonly isStateless?: boolean;
  /** What carries the messages, for telemetry. Default: a pipe. */
  readonly network?: "tcp";
  send(text: string, message?: OutgoingMessage): void;
  /** Called when a request has its response, or was abandoned (`isAbandoned`), so that the server must be notified. */
  requestSettled?(id: Id, isAbandoned: boolean): void;
  /** Called with the revision that the handshake has negotiated. */
  revisionNegotiated?(revision: string): void;
  /** Identifies the current user to the server, such as the access token: cached private results belong to one user. */
  cacheIdentity?(): Promise<string | undefined>;
  /** Called when a request can have no response any more. The connection stays open. */
  onRequestLost?: (id: Id, error: Error) => void;
  /** Called when the server has forgotten the session. Initializes a new session, and resolves when its state is restored. */
  onSessionExpired?: () => Promise<void>;
}
