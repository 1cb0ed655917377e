// InputRequests: the client requests of a stateless request. When the client has already sent the response, it is returned. Otherwise the
// input request is collected and the handler unwinds; the client repeats its request with the responses, and the handler runs again.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { invalidParams, Suspended } from "../protocol/errors.ts";
import type { Json } from "../wire/json-rpc.ts";
import type { Revision } from "../revisions/index.ts";
import { missingCapability, type ClientRequester, type ClientRequest } from "./client-request.ts";
import type { PeerClient } from "./peer-client.ts";
import { canonicalJson, type AnsweredRequest, type RequestState } from "./request-state.ts";

export interface InputRequestsOptions {
  revision: Revision;
  client: PeerClient;
  state: RequestState;
  responses: ReadonlyMap<string, Json>;
}

/** An input request as it is sent. */
export interface EncodedRequest {
  method: string;
  params?: Json;
}

/** Delivers an input request in another way than by a round; undefined when that is not possible. */
export type DeliverInputRequest = (key: string, request: EncodedRequest) => Promise<Json | undefined>;

export class InputRequests implements ClientRequester {
  readonly onceValues: Map<string, unknown>;
  /** The same in all rounds of one request; undefined until the first round ends with input requests. */
  callId: string | undefined;
  readonly #options: InputRequestsOptions;
  readonly #pending = new Map<string, EncodedRequest>();
  readonly #answered = new Map<string, AnsweredRequest>();
  /** The requests of this round by their key, as canonical JSON. */
  readonly #requested = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #delivered = new Map<string, Promise<Json | undefined>>();
  /** Set once the request has been answered while its handler goes on: input requests are then not collected but delivered. */
  deliver: DeliverInputRequest | undefined;

  /** Throws -32602 on an invalid response to a request of the last round, whatever else is pending. */
  constructor(options: InputRequestsOptions) {
    for (const [key, request] of options.state.requested) checkResponse(key, request, options.responses.get(key));
    this.#options = options;
    this.onceValues = new Map(options.state.onceValues);
    this.callId = options.state.callId;
  }

  /** Whether a request has no response yet. */
  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  get pending(): Json {
    return Object.fromEntries(this.#pending);
  }

  /** For the next round. */
  get nextState(): RequestState {
    const requested = new Map([...this.#pending.keys()].map((key) => [key, this.#requested.get(key) ?? ""]));
    this.callId ??= globalThis.crypto.randomUUID();
    return { requested, answered: this.#answered, onceValues: this.onceValues, callId: this.callId };
  }

  async requestFromClient({ method, params, requires, key = this.#nextKey(method) }: ClientRequest): Promise<Json> {
    const { revision, client } = this.#options;
    if (!client.can(requires)) throw missingCapability(requires);
    const encoded: EncodedRequest = method === "roots/list" ? { method } : { method, params: revision.encodeParams(method, params) };
    const request = canonicalJson(encoded);
    const sameKey = this.#requested.get(key);
    if (sameKey !== undefined && sameKey !== request)
      throw new TypeError(`Duplicate client request key "${key}": two different requests use it. Give each request its own key.`);
    this.#requested.set(key, request);
    const response = this.#responseTo(key, request) ?? (this.deliver && (await this.#deliverOnce(this.deliver, key, encoded)));
    if (response === undefined) {
      this.#pending.set(key, encoded);
      throw new Suspended();
    }
    this.#answered.set(key, { request, response });
    return response;
  }

  /** The same key is never delivered twice. */
  async #deliverOnce(deliver: DeliverInputRequest, key: string, request: EncodedRequest): Promise<Json | undefined> {
    const earlier = this.#delivered.get(key);
    if (earlier !== undefined) return earlier;
    const delivering = deliver(key, request);
    this.#delivered.set(key, delivering);
    return delivering;
  }

  /** A response counts only for exactly the request that was sent: a changed request is sent again. */
  #responseTo(key: string, request: string): Json | undefined {
    const { state, responses } = this.#options;
    const earlier = state.answered.get(key);
    if (earlier?.request === request) return earlier.response;
    // Without state no request was sent: the user would have agreed to something unknown.
    return state.requested.get(key) === request ? responses.get(key) : undefined;
  }

  /** `elicit-1`, `sample-1`, …: the same in every round, as handlers send requests in the same order. */
  #nextKey(method: string): string {
    const kind = KINDS[method] ?? method;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    return `${kind}-${count}`;
  }
}

const ACTIONS: readonly unknown[] = ["accept", "decline", "cancel"];

function checkResponse(key: string, request: string, response: Json | undefined): void {
  if (response === undefined || ACTIONS.includes(response.action)) return;
  checkInputResponse(key, JSON.parse(request) as EncodedRequest, response); // canonical JSON, written by `requestFromClient`
}

/** Throws -32602 when the response to an input request does not have its shape. */
export function checkInputResponse(key: string, { method }: { method?: unknown }, response: Json): void {
  if (ACTIONS.includes(response.action)) return;
  if (method === "elicitation/create") throw invalidParams(`inputResponses, ${key}: expected an action, one of accept, decline, cancel`);
}

const KINDS: Record<string, string> = {
  "elicitation/create": "elicit",
  "sampling/createMessage": "sample",
  "roots/list": "roots",
};
