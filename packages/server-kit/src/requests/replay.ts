// The asker of requests that speak for themselves: a question that has its answer gets it at once; another one is noted, and
// the handler unwinds. The client brings the answers with the same request, and the handler runs again from its start.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { invalidParams, Suspended } from "../protocol/errors.ts";
import type { ClientCapabilities } from "../protocol/types.ts";
import type { Json } from "../wire/json-rpc.ts";
import { allows, cannotAsk, type Asker, type AskFacts, type Question } from "./ask.ts";
import { canonical } from "./canonical.ts";
import type { Ledger } from "./ledger.ts";

export interface ReplayOptions {
  revision: { readonly facts: AskFacts; encodeParams(method: string, params: Json): Json };
  capabilities: ClientCapabilities;
  ledger: Ledger;
  responses: ReadonlyMap<string, Json>;
}

/** A question as it goes out. */
interface Said {
  method: string;
  params?: Json;
}

export class Replay implements Asker {
  readonly kept: Map<string, unknown>;
  readonly #options: ReplayOptions;
  readonly #pending = new Map<string, Said>();
  readonly #answered = new Map<string, { question: string; answer: Json }>();
  readonly #questions = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Throws -32602 on an answer to a question of the last round that is none, whatever else is still open. */
  constructor(options: ReplayOptions) {
    for (const [key, question] of options.ledger.asked) checkAnswer(key, question, options.responses.get(key));
    this.#options = options;
    this.kept = new Map(options.ledger.kept);
  }

  /** Questions without an answer. */
  get open(): boolean {
    return this.#pending.size > 0;
  }

  get inputRequests(): Json {
    return Object.fromEntries(this.#pending);
  }

  /** For the next round. */
  get ledger(): Ledger {
    const asked = new Map([...this.#pending.keys()].map((key) => [key, this.#questions.get(key) ?? ""]));
    return { asked, answered: this.#answered, kept: this.kept };
  }

  async ask({ method, params, needs, key = this.#nextKey(method) }: Question): Promise<Json> {
    const { revision, capabilities } = this.#options;
    if (!allows(capabilities, revision.facts, needs)) throw cannotAsk(needs);
    const said: Said = method === "roots/list" ? { method } : { method, params: revision.encodeParams(method, params) };
    const question = canonical(said);
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

  /** An answer counts for the very question that was asked: when it has changed since, it is asked again. */
  #answerTo(key: string, question: string): Json | undefined {
    const { ledger, responses } = this.#options;
    const earlier = ledger.answered.get(key);
    if (earlier?.question === question) return earlier.answer;
    // One without a state answers what nobody has asked: what it would agree to is not known yet.
    return ledger.asked.get(key) === question ? responses.get(key) : undefined;
  }

  /** `elicit-1`, `sample-1`, …: the same in every round, as handlers ask in the same order. */
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
  const { method } = JSON.parse(question) as Said; // as `ask` has written it
  if (method === "elicitation/create") throw invalidParams(`inputResponses, ${key}: expected an action, one of accept, decline, cancel`);
}

const KINDS: Record<string, string> = {
  "elicitation/create": "elicit",
  "sampling/createMessage": "sample",
  "roots/list": "roots",
};
