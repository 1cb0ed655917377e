// StatelessPeer: the client behind one stateless request, as the request's envelope describes it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
import { extensionSettings, supports, missingCapability, type ClientRequester, type RequiredAbility } from "./client-request.ts";
import { INITIAL_STATE, type RequestState } from "./request-state.ts";
import { InputRequests, type DeliverInputRequest } from "./input-requests.ts";
import type { Ability, Client } from "../protocol/client.ts";
import type { Envelope } from "../protocol/meta.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Peer } from "./peer.ts";
import { namesRoots, readRoots } from "./roots.ts";
import type { TokenBucket } from "./token-bucket.ts";

export class StatelessPeer implements Peer {
  readonly revision: Revision;
  readonly client: StatelessClient;
  minSeverity: number;
  logs: TokenBucket | undefined;
  /** Whether the method of the request allows input requests. */
  canRequestInput = false;
  readonly #envelope: Envelope;
  #inputRequests: InputRequests | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  /**
   * `minSeverity`: the lowest severity of log entries that the request asks for; Infinity for none. `knownExtensions`: the extensions that
   * the server has in this revision.
   */
  constructor(envelope: Envelope, revision: Revision, minSeverity: number, knownExtensions: ReadonlySet<string> = NONE) {
    this.#envelope = envelope;
    this.revision = revision;
    this.minSeverity = minSeverity;
    this.client = new StatelessClient(this, envelope, knownExtensions);
  }

  supports(need: RequiredAbility): boolean {
    return supports(this.#envelope.capabilities, this.revision.facts, need);
  }

  /** Restores the state of earlier rounds. A request that is not resumed is in its first round. */
  resume(state: RequestState, responses: ReadonlyMap<string, Json>): void {
    this.#inputRequests = new InputRequests({ revision: this.revision, capabilities: this.#envelope.capabilities, state, responses });
  }

  /** The input requests of this round; undefined when there are none. */
  get inputRequests(): InputRequests | undefined {
    return this.#inputRequests;
  }

  requester(): ClientRequester {
    if (!this.canRequestInput) return NOT_ALLOWED;
    if (this.#inputRequests === undefined) this.resume(INITIAL_STATE, new Map());
    return this.#inputRequests as InputRequests; // set by `resume`
  }

  deliverInputRequests(deliver: DeliverInputRequest | undefined): void {
    if (this.#inputRequests === undefined) this.resume(INITIAL_STATE, new Map());
    if (this.#inputRequests !== undefined) this.#inputRequests.deliver = deliver;
  }

  roots(requester: ClientRequester): Promise<readonly Root[]> {
    if (!this.client.can("roots")) return Promise.reject(missingCapability("roots"));
    return (this.#roots ??= this.#listRoots(requester));
  }

  async #listRoots(requester: ClientRequester): Promise<readonly Root[]> {
    const result = await requester.requestFromClient({ method: "roots/list", params: {}, requires: "roots", key: "roots" });
    this.client.hasNamedRoots = namesRoots(result);
    return readRoots(result);
  }
}

class StatelessClient implements Client {
  declare readonly name?: string;
  declare readonly version?: string;
  hasNamedRoots = false;
  readonly #peer: StatelessPeer;
  readonly #envelope: Envelope;
  readonly #knownExtensions: ReadonlySet<string>;

  constructor(peer: StatelessPeer, envelope: Envelope, knownExtensions: ReadonlySet<string>) {
    this.#peer = peer;
    this.#envelope = envelope;
    this.#knownExtensions = knownExtensions;
    if (envelope.clientInfo !== undefined) Object.assign(this, envelope.clientInfo);
  }

  can(ability: Ability): boolean {
    return this.#peer.supports(ability);
  }

  extension(id: string): Json | undefined {
    return this.#knownExtensions.has(id) ? extensionSettings(this.#envelope.capabilities, id) : undefined;
  }
}

const NONE: ReadonlySet<string> = new Set();

const NOT_ALLOWED: ClientRequester = {
  requestFromClient: () =>
    Promise.reject(new Error("Client requests are not allowed here: only tools, prompts and reading a resource may send them.")),
};
