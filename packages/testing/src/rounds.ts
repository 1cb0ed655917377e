// One request of the era without sessions over a wire, sent again with its answers until it has its result.
import { isObject, requestText, type Json, type Wire } from "@oarlock/server-kit/protocol";
import { Arrivals } from "./arrivals.ts";

export interface Envelope {
  revision: string;
  capabilities: Json;
}

/** More rounds than any handler should need. */
const MOST_ROUNDS = 20;
/** How long an answer may take: only used up by a test that fails. */
const DEADLINE_MS = 20_000;

export class Rounds {
  /** How often a request was sent again with answers. */
  count = 0;
  readonly #wire: Wire;
  readonly #envelope: Json;
  readonly #came = new Arrivals<Json>();
  #id = 0;

  constructor(wire: Wire, { revision, capabilities }: Envelope) {
    this.#wire = wire;
    this.#envelope = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    wire.onText = (text) => this.#came.push(JSON.parse(text));
    wire.onClose = (error) => this.#came.end(error?.message ?? "the connection ended");
  }

  /** The last message: a result that asks for nothing more, or an error. */
  async run(method: string, params: Json, answer: (question: Json) => Json): Promise<Json> {
    let more: Json = {};
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const message = await this.#ask(method, { ...params, ...more });
      const { result } = message;
      if (!isObject(result) || result.resultType !== "input_required") return message;
      const { inputRequests, requestState } = result;
      const questions = Object.entries(isObject(inputRequests) ? inputRequests : {});
      const inputResponses = Object.fromEntries(questions.map(([key, question]) => [key, answer(isObject(question) ? question : {})]));
      more = { inputResponses, ...(requestState !== undefined && { requestState }) };
      this.count++;
    }
    throw new Error(`${method} asks for more after ${MOST_ROUNDS} rounds`);
  }

  async #ask(method: string, params: Json): Promise<Json> {
    const id = ++this.#id;
    this.#wire.send(requestText(id, method, { ...params, _meta: this.#envelope }));
    for (;;) {
      const message = await this.#came.next(DEADLINE_MS);
      if (message.id === id) return message;
    }
  }

  close(): Promise<void> {
    return this.#wire.close();
  }
}
