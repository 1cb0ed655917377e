// What is known of a request that takes several rounds: what was asked, what was answered, and what was kept. It travels,
// sealed, with the client, so that any process can go on.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { invalidParams } from "../protocol/errors.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Sealer } from "./sealer.ts";

export interface RequestState {
  /** Questions of the last round by their key, as canonical text. */
  readonly requested: ReadonlyMap<string, string>;
  /** Questions that have their answer. */
  readonly answered: ReadonlyMap<string, { readonly question: string; readonly answer: Json }>;
  /** Values of `ctx.once`. */
  readonly onceValues: ReadonlyMap<string, unknown>;
}

export const INITIAL_STATE: RequestState = { requested: new Map(), answered: new Map(), onceValues: new Map() };

/** Longest sealed text. */
const LONGEST = 32 * 1024;

/** What may differ from round to round. */
const ROUND = ["_meta", "inputResponses", "requestState"];

/** The text that a ledger belongs to: the same request, by the same caller, in the same revision, to the same server. */
export function bindingOf(method: string, params: Json, principal: string | undefined, revision: string, server = ""): string {
  const own = Object.entries(params).filter(([key]) => !ROUND.includes(key));
  return canonicalJson([method, Object.fromEntries(own), principal ?? null, revision, server]);
}

export interface Sealing {
  readonly sealer: Sealer;
  /** How long a round may take, in milliseconds. */
  readonly stateMs: number;
}

export async function sealRequestState(ledger: RequestState, bound: string, { sealer: seals, stateMs }: Sealing): Promise<string> {
  const text = JSON.stringify([Date.now() + stateMs, [...ledger.requested], [...ledger.answered], [...ledger.onceValues]]);
  const sealed = await seals.seal(text, bound);
  if (sealed.length <= LONGEST) return sealed;
  throw new RangeError(`what is kept between rounds is larger than ${LONGEST} bytes: ask for less at once, or keep less with ctx.once`);
}

const REFUSED = "requestState: expected the state of this very request, unchanged and not too old";

/** The ledger behind `requestState`. Throws -32602 on anything that is not ours, not for this request, or too old. */
export async function openRequestState(state: unknown, bound: string, { sealer: seals }: Sealing): Promise<RequestState> {
  if (state === undefined) return INITIAL_STATE;
  const text = typeof state === "string" && state.length <= LONGEST ? await seals.open(state, bound) : undefined;
  if (text === undefined) throw invalidParams(REFUSED);
  // Sealed by us, so of this shape.
  const [until, asked, answered, kept] = JSON.parse(text) as [
    number,
    [string, string][],
    [string, { question: string; answer: Json }][],
    [string, unknown][],
  ];
  if (Date.now() > until) throw invalidParams(REFUSED);
  return { requested: new Map(asked), answered: new Map(answered), onceValues: new Map(kept) };
}

/** `inputResponses` by their key. Throws -32602 when they are no answers at all; which of them are wanted shows later. */
export function readInputResponses(value: unknown): ReadonlyMap<string, Json> {
  if (value === undefined) return new Map();
  if (!isObject(value)) throw invalidParams("inputResponses: expected an object");
  return new Map(
    Object.entries(value).map(([key, answer]) => {
      if (!isObject(answer)) throw invalidParams("inputResponses: expected each answer to be an object");
      return [key, answer];
    }),
  );
}
