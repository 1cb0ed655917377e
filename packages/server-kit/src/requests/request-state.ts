// Request state: what a request of several rounds has requested, received and kept so far. It travels, sealed, with the client, so
// that any process can serve the next round.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { invalidParams } from "../protocol/errors.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Sealer } from "./sealer.ts";

export interface RequestState {
  /** Input requests of the last round by their key, as canonical JSON. */
  readonly requested: ReadonlyMap<string, string>;
  /** Input requests with their responses. */
  readonly answered: ReadonlyMap<string, { readonly question: string; readonly answer: Json }>;
  /** Values of `ctx.once`. */
  readonly onceValues: ReadonlyMap<string, unknown>;
}

export const INITIAL_STATE: RequestState = { requested: new Map(), answered: new Map(), onceValues: new Map() };

/** Longest sealed text, in characters. */
const MAX_SEALED_LENGTH = 32 * 1024;

/** Params that may differ from round to round. */
const ROUND = ["_meta", "inputResponses", "requestState"];

/** What state is bound to: the same request, by the same caller, in the same revision, to the same server. */
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
  if (sealed.length <= MAX_SEALED_LENGTH) return sealed;
  throw new RangeError(
    `what is kept between rounds is larger than ${MAX_SEALED_LENGTH} bytes: ask for less at once, or keep less with ctx.once`,
  );
}

const REFUSED = "requestState: expected the state of this very request, unchanged and not too old";

/** Opens `requestState`. Throws -32602 when it was not sealed here, belongs to another request, or has expired. */
export async function openRequestState(state: unknown, bound: string, { sealer: seals }: Sealing): Promise<RequestState> {
  if (state === undefined) return INITIAL_STATE;
  const text = typeof state === "string" && state.length <= MAX_SEALED_LENGTH ? await seals.open(state, bound) : undefined;
  if (text === undefined) throw invalidParams(REFUSED);
  // Sealed by sealRequestState, so of this shape.
  const [until, asked, answered, kept] = JSON.parse(text) as [
    number,
    [string, string][],
    [string, { question: string; answer: Json }][],
    [string, unknown][],
  ];
  if (Date.now() > until) throw invalidParams(REFUSED);
  return { requested: new Map(asked), answered: new Map(answered), onceValues: new Map(kept) };
}

/** `inputResponses` by their key. Throws -32602 unless each is an object; InputRequests picks those it has requested. */
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
