// StatelessPeer: the client behind one stateless request, as the request's envelope describes it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#statelessness
import { supports, missingCapability, type ClientRequester } from "../requests/client-request.ts";
import { INITIAL_STATE, type RequestState } from "../requests/request-state.ts";
import { InputRequests } from "../requests/input-requests.ts";
import type { Client } from "../protocol/client.ts";
import type { Envelope } from "../protocol/meta.ts";
import type { Root } from "../protocol/types.ts";
import type { Revision } from "../revisions/index.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Peer } from "./peer.ts";
import { readRoots } from "./roots.ts";

export class StatelessPeer implements Peer {
  readonly revision: Revision;
  readonly client: Client;
  readonly minSeverity: number;
  /** Only some methods may request input. */
  canRequestInput = false;
  readonly #envelope: Envelope;
  #replay: InputRequests | undefined;
  #roots: Promise<readonly Root[]> | undefined;

  /** `logFrom`: the severity from which on the request wants log entries; Infinity for none. */
  constructor(envelope: Envelope, revision: Revision, logFrom: number) {
    this.#envelope = envelope;
    this.revision = revision;
    this.minSeverity = logFrom;
    const { capabilities, clientInfo } = envelope;
    this.client = {
      ...(clientInfo !== undefined && { name: clientInfo.name, version: clientInfo.version }),
      can: (what) => supports(capabilities, revision.facts, what),
    };
  }

  supports(need: "sample.tools" | "sample.context"): boolean {
    return supports(this.#envelope.capabilities, this.revision.facts, need);
  }

  /** Restores the state of earlier rounds. Without it the request is in its first round. */
  resume(ledger: RequestState, responses: ReadonlyMap<string, Json>): void {
    this.#replay = new InputRequests({ revision: this.revision, capabilities: this.#envelope.capabilities, ledger, responses });
  }

  /** The input requests of this round; undefined when there are none. */
  get inputRequests(): InputRequests | undefined {
    return this.#replay;
  }

  requester(): ClientRequester {
    if (!this.canRequestInput) return NOT_HERE;
    if (this.#replay === undefined) this.resume(INITIAL_STATE, new Map());
    return this.#replay as InputRequests; // resume has made it
  }

  roots(asker: ClientRequester, signal: AbortSignal): Promise<readonly Root[]> {
    if (!this.client.can("roots")) return Promise.reject(missingCapability("roots"));
    return (this.#roots ??= asker
      .requestFromClient({ method: "roots/list", params: {}, requires: "roots", key: "roots" }, signal)
      .then(readRoots));
  }
}

const NOT_HERE: ClientRequester = {
  requestFromClient: () => Promise.reject(new Error("only tools, prompts and the reading of resources may ask")),
};
