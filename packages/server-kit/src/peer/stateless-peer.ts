// StatelessPeer: the client behind one stateless request, as the request's envelope describes it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
import { supports, missingCapability, type ClientRequester, type RequiredAbility } from "./client-request.ts";
import { INITIAL_STATE, type RequestState } from "./request-state.ts";
import { InputRequests } from "./input-requests.ts";
import type { Client } from "../protocol/client.ts";
import type { Envelope } from "../protocol/meta.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Peer } from "./peer.ts";
import { namesRoots, readRoots } from "./roots.ts";

export class StatelessPeer implements Peer {
  readonly revision: Revision;
  /** A plain object: a getter would cost each request a hidden class, which outlives it. */
  readonly client: Client & { hasNamedRoots: boolean };
  readonly minSeverity: number;
  /** Whether the method of the request allows input requests. */
  canRequestInput = false;
  readonly #envelope: Envelope;
  #inputRequests: InputRequests | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  /** `minSeverity`: the lowest severity of log entries that the request asks for; Infinity for none. */
  constructor(envelope: Envelope, revision: Revision, minSeverity: number) {
    this.#envelope = envelope;
    this.revision = revision;
    this.minSeverity = minSeverity;
    const { clientInfo } = envelope;
    this.client = {
      ...(clientInfo !== undefined && { name: clientInfo.name, version: clientInfo.version }),
      can: (ability) => this.supports(ability),
      hasNamedRoots: false,
    };
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

  roots(requester: ClientRequester, signal: AbortSignal): Promise<readonly Root[]> {
    if (!this.client.can("roots")) return Promise.reject(missingCapability("roots"));
    return (this.#roots ??= this.#listRoots(requester, signal));
  }

  async #listRoots(requester: ClientRequester, signal: AbortSignal): Promise<readonly Root[]> {
    const result = await requester.requestFromClient({ method: "roots/list", params: {}, requires: "roots", key: "roots" }, signal);
    this.client.hasNamedRoots = namesRoots(result);
    return readRoots(result);
  }
}

const NOT_ALLOWED: ClientRequester = {
  requestFromClient: () =>
    Promise.reject(new Error("Client requests are not allowed here: only tools, prompts and reading a resource may send them.")),
};
