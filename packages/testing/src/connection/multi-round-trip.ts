// Multi-round-trip requests of the stateless era over a wire: a request is repeated with the client's answers until it completes.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { isObject, requestText, type Json, type Wire } from "@oarlock/server-kit/protocol";
import { MessageQueue } from "../process/message-queue.ts";

export interface Envelope {
  revision: string;
  capabilities: Json;
}

/** More round trips than any handler should need. */
const MAX_ROUND_TRIPS = 20;
/** Deadline of a response. Generous, as only a failing test uses it up. */
const DEADLINE_MS = 20_000;

export class MultiRoundTripClient {
  /** How often a request was repeated with answers. */
  roundTrips = 0;
  readonly #wire: Wire;
  readonly #envelope: Json;
  readonly #received = new MessageQueue<Json>();
  #lastId = 0;

  constructor(wire: Wire, { revision, capabilities }: Envelope) {
    this.#wire = wire;
    this.#envelope = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": capabilities,
    };
    wire.onText = (text) => this.#received.push(JSON.parse(text));
    wire.onClose = (error) => this.#received.end(error?.message ?? "the connection ended");
  }

  /** The final response: a complete result, or an error. `answer` replies to the server's input requests. */
  async request(method: string, params: Json, answer: (inputRequest: Json) => Json): Promise<Json> {
    let continuation: Json = {};
    for (let attempt = 0; attempt < MAX_ROUND_TRIPS; attempt++) {
      const response = await this.#send(method, { ...params, ...continuation });
      const { result } = response;
      if (!isObject(result) || result.resultType !== "input_required") return response;
      const { inputRequests, requestState } = result;
      const entries = Object.entries(isObject(inputRequests) ? inputRequests : {});
      const inputResponses = Object.fromEntries(entries.map(([key, request]) => [key, answer(isObject(request) ? request : {})]));
      continuation = { inputResponses, ...(requestState !== undefined && { requestState }) };
      this.roundTrips++;
    }
    throw new Error(`${method} is incomplete after ${MAX_ROUND_TRIPS} round trips`);
  }

  async #send(method: string, params: Json): Promise<Json> {
    const id = ++this.#lastId;
    this.#wire.send(requestText(id, method, { ...params, _meta: this.#envelope }));
    for (;;) {
      const message = await this.#received.next(DEADLINE_MS);
      if (message.id === id) return message;
    }
  }

  close(): Promise<void> {
    return this.#wire.close();
  }
}
