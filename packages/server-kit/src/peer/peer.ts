// Peer: the client behind a request, in either era.
import type { ClientRequester } from "../requests/client-request.ts";
import type { InputRequests } from "../requests/input-requests.ts";
import type { Client } from "../protocol/client.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";

export interface Peer {
  readonly revision: Revision;
  readonly client: Client;
  /** Log entries below this severity are not sent; Infinity sends none. */
  readonly minSeverity: number;
  /** Whether the client declared a capability that handlers do not see in `client.can`. */
  supports(need: "sample.tools" | "sample.context"): boolean;
  /** Sends requests to this client while it waits for its own request; `send` writes to that request's channel. */
  requester(send: (text: string) => void): ClientRequester;
  /** Input requests for the next round (stateless era). */
  readonly inputRequests?: InputRequests | undefined;
  /** The client's roots, requested when they are not known yet. */
  roots(asker: ClientRequester, signal: AbortSignal): Promise<readonly Root[]>;
}
