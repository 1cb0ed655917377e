// Requests that take several rounds, as a client of the newest era goes through them.
import { expect } from "vitest";
import type { Json } from "../../src/protocol.ts";
import type { Answer } from "./answer.ts";
import type { Place } from "./stateless-faces.ts";
import type { As } from "./stateless-message.ts";

/** What a round ended with that is not the last one. */
export interface Wanted {
  readonly inputRequests: Record<string, { method: string; params?: Json }>;
  readonly requestState: string;
}

export const CAN_FORMS = { elicitation: { form: {} } };

/** How a form was filled in. */
export const filled = (content: Json): Json => ({ action: "accept", content });

/** One request in flight: each round repeats it, with the results of the rounds before. */
export class Rounds {
  readonly method: string;
  readonly params: Json;
  readonly as: As;
  #ids = 0;

  constructor(method: string, params: Json, as: As = {}) {
    this.method = method;
    this.params = params;
    this.as = { capabilities: CAN_FORMS, ...as };
  }

  /** Sends a round as it is. */
  send(place: Place, more: Json = {}, as: As = {}): Promise<Answer> {
    return place.request(this.method, { ...this.params, ...more }, { ...this.as, id: ++this.#ids, ...as });
  }

  /** A round that must end with questions. */
  async asks(place: Place, more?: Json, as?: As): Promise<Wanted> {
    const answer = await this.send(place, more, as);
    const { result } = await answer.json();
    expect([answer.status, result]).toEqual([
      200,
      { resultType: "input_required", inputRequests: expect.any(Object), requestState: expect.any(String), _meta: expect.any(Object) },
    ]);
    return result as Wanted;
  }

  /** A round that must be the last. */
  async ends(place: Place, more?: Json, as?: As): Promise<Json> {
    const answer = await this.send(place, more, as);
    const { result } = await answer.json();
    expect([answer.status, result]).toMatchObject([200, { resultType: "complete" }]);
    return result as Json;
  }

  /** A round that must be refused. */
  async refused(place: Place, more?: Json, as?: As): Promise<unknown> {
    const answer = await this.send(place, more, as);
    const { error } = await answer.json();
    expect(error, "refused").toBeDefined();
    return (error as Json).code;
  }
}

/** The text of a tool's result. */
export const replyText = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? "";

// ── the cup of the shop, which takes two questions

export const ADA = { "elicit-1": filled({ name: "Ada" }) };
export const RED = { "elicit-2": filled({ colour: "red" }) };

export const retry = ({ requestState }: Pick<Wanted, "requestState">, inputResponses: Json = ADA): Json => ({
  requestState,
  inputResponses,
});
export const cup = (as = {}): Rounds => new Rounds("tools/call", { name: "in-turn", arguments: { what: "cup" } }, as);

export const KEYS = ["the first secret of two", "the second secret of two"];
