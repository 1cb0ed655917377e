// InputRequests: client requests of the stateless era. A request with a response returns it at once; otherwise it is collected and the
// handler unwinds. The client sends the responses with the same request, and the handler runs again from its start.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { invalidParams, Suspended } from "../protocol/errors.ts";
import type { ClientCapabilities } from "../protocol/types.ts";
import type { Json } from "../wire/json-rpc.ts";
import { supports, missingCapability, type ClientRequester, type RequestFacts, type ClientRequest } from "./client-request.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { RequestState } from "./request-state.ts";

export interface InputRequestsOptions {
  revision: { readonly facts: RequestFacts; encodeParams(method: string, params: Json): Json };
  capabilities: ClientCapabilities;
  ledger: RequestState;
  responses: ReadonlyMap<string, Json>;
}

/** An input request as it is sent. */
interface EncodedRequest {
  method: string;
  params?: Json;
}

export class InputRequests implements ClientRequester {
  readonly onceValues: Map<string, unknown>;
  readonly #options: InputRequestsOptions;
  readonly #pending = new Map<string, EncodedRequest>();
  readonly #answered = new Map<string, { question: string; answer: Json }>();
  readonly #questions = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Throws -32602 on an invalid response to a request of the last round, whatever else is pending. */
  constructor(options: InputRequestsOptions) {
    for (const [key, question] of options.ledger.requested) checkAnswer(key, question, options.responses.get(key));
    this.#options = options;
    this.onceValues = new Map(options.ledger.onceValues);
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
    const asked = new Map([...this.#pending.keys()].map((key) => [key, this.#questions.get(key) ?? ""]));
    return { requested: asked, answered: this.#answered, onceValues: this.onceValues };
  }

  async requestFromClient({ method, params, requires: needs, key = this.#nextKey(method) }: ClientRequest): Promise<Json> {
    const { revision, capabilities } = this.#options;
    if (!supports(capabilities, revision.facts, needs)) throw missingCapability(needs);
    const said: EncodedRequest = method === "roots/list" ? { method } : { method, params: revision.encodeParams(method, params) };
    const question = canonicalJson(said);
    const twin = this.#questions.get(key);
    if (twin !== undefined && twin !== question) throw new TypeError(`two different questions have the key "${key}"`);
    this.#questions.set(key, question);
    const answer = this.#answerTo(key, question);
    if (answer === undefined) {
      this.#pending.set(key, said);
      throw new Suspended();
    }
    this.#answered.set(key, { question, answer });
    return answer;
  }

  /** A response counts only for exactly the request that was sent: a changed request is sent again. */
  #answerTo(key: string, question: string): Json | undefined {
    const { ledger, responses } = this.#options;
    const earlier = ledger.answered.get(key);
    if (earlier?.question === question) return earlier.answer;
    // Without state no request was sent, so a response agrees to something unknown.
    return ledger.requested.get(key) === question ? responses.get(key) : undefined;
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

function checkAnswer(key: string, question: string, answer: Json | undefined): void {
  if (answer === undefined || ACTIONS.includes(answer.action)) return;
  const { method } = JSON.parse(question) as EncodedRequest; // as `ask` has written it
  if (method === "elicitation/create") throw invalidParams(`inputResponses, ${key}: expected an action, one of accept, decline, cancel`);
}

const KINDS: Record<string, string> = {
  "elicitation/create": "elicit",
  "sampling/createMessage": "sample",
  "roots/list": "roots",
};
