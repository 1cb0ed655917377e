// Who is asking, in whichever era; what dispatch and the contexts of handlers may know of it.
import type { ClientRequester } from "../requests/client-request.ts";
import type { InputRequests } from "../requests/input-requests.ts";
import type { Client } from "../protocol/client.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";

export interface Peer {
  readonly revision: Revision;
  readonly client: Client;
  /** Log entries below this severity are not sent; Infinity: none at all. */
  readonly minSeverity: number;
  /** What was declared; for questions beyond `client.can`. */
  supports(need: "sample.tools" | "sample.context"): boolean;
  /** How this peer is asked while it waits for a request of its own; `send` is that request's way back. */
  requester(send: (text: string) => void): ClientRequester;
  /** Questions noted for the next round, in the era that has rounds. */
  readonly inputRequests?: InputRequests | undefined;
  /** The client's folders, asked for when not known yet. */
  roots(asker: ClientRequester, signal: AbortSignal): Promise<readonly Root[]>;
}
