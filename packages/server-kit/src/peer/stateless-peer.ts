// StatelessPeer: the client behind one stateless request, as the request's envelope describes it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
import type { ClientRequester } from "./client-request.ts";
import { INITIAL_STATE, type RequestState } from "./request-state.ts";
import { InputRequests, type DeliverInputRequest } from "./input-requests.ts";
import type { Envelope } from "../protocol/meta.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Peer } from "./peer.ts";
import { PeerClient } from "./peer-client.ts";
import type { TokenBucket } from "./token-bucket.ts";

export class StatelessPeer implements Peer {
  readonly revision: Revision;
  readonly client: PeerClient;
  hasToolList = false;
  minSeverity: number;
  logs: TokenBucket | undefined;
  /** Whether the method of the request allows input requests. */
  canRequestInput = false;
  /** The input requests of this round; undefined when there are none. */
  inputRequests: InputRequests | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  /**
   * `minSeverity`: the lowest severity of log entries that the request asks for; Infinity for none. `knownExtensions`: the extensions that
   * the server has in this revision.
   */
  constructor(envelope: Envelope, revision: Revision, minSeverity: number, knownExtensions: ReadonlySet<string> = NONE) {
    this.revision = revision;
    this.minSeverity = minSeverity;
    this.client = new PeerClient(revision, envelope.capabilities, knownExtensions, envelope.clientInfo);
  }

  /** Restores the state of earlier rounds. A request that is not resumed is in its first round. */
  resume(state: RequestState, responses: ReadonlyMap<string, Json>): InputRequests {
    this.inputRequests = new InputRequests({ revision: this.revision, client: this.client, state, responses });
    return this.inputRequests;
  }

  get #round(): InputRequests {
    return this.inputRequests ?? this.resume(INITIAL_STATE, new Map());
  }

  requester(): ClientRequester {
    return this.canRequestInput ? this.#round : NOT_ALLOWED;
  }

  deliverInputRequests(deliver: DeliverInputRequest | undefined): void {
    this.#round.deliver = deliver;
  }

  roots(requester: ClientRequester): Promise<readonly Root[]> {
    return (this.#roots ??= this.client.listRoots(requester, "roots"));
  }
}

const NONE: ReadonlySet<string> = new Set();

const NOT_ALLOWED: ClientRequester = {
  requestFromClient: () =>
    Promise.reject(new Error("Client requests are not allowed here: only tools, prompts and reading a resource may send them.")),
};
