// Peer: the client behind a request, in either era.
import type { ClientRequester } from "./client-request.ts";
import type { DeliverInputRequest, InputRequests } from "./input-requests.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import type { PeerClient } from "./peer-client.ts";
import type { TokenBucket } from "./token-bucket.ts";

export interface Peer {
  readonly revision: Revision;
  readonly client: PeerClient;
  /** False where the list of tools may have been made for another client (stateless era). Default: the client has its own. */
  readonly hasToolList?: boolean;
  /** Log entries below this severity are not sent; Infinity sends none. */
  readonly minSeverity: number;
  /** The requester for the handler of one request; `send` writes to the channel of that request. */
  requester(send: (text: string) => void): ClientRequester;
  /** The input requests of this round (stateless era). */
  readonly inputRequests?: InputRequests | undefined;
  /** Delivers further input requests in another way (stateless era): the request is answered while its handler goes on. */
  deliverInputRequests?(deliver: DeliverInputRequest | undefined): void;
  /** The client's roots, requested when they are not known yet. */
  roots(requester: ClientRequester): Promise<readonly Root[]>;
  /** The rate of log entries, made with the first one unless requests share it. */
  logs: TokenBucket | undefined;
  /** Names the session beyond this process; undefined where only this one serves it. */
  readonly key?: string | undefined;
  /** Sends a message that belongs to no request (handshake era). */
  readonly notify?: ((text: string) => void) | undefined;
}
