// RequestState: the input requests, responses and `ctx.once` values of a request so far. The client carries it sealed from round to
// round, so that any process can serve the next one.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { invalidParams } from "../protocol/errors.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";
import type { Sealer } from "./sealer.ts";

/** An input request, as canonical JSON, and the client's response. */
export interface AnsweredRequest {
  readonly request: string;
  readonly response: Json;
}

export interface RequestState {
  /** Input requests of the last round by their key, as canonical JSON. */
  readonly requested: ReadonlyMap<string, string>;
  /** Input requests with their responses, by their key. */
  readonly answered: ReadonlyMap<string, AnsweredRequest>;
  /** Values of `ctx.once`. */
  readonly onceValues: ReadonlyMap<string, unknown>;
  /** The same in all rounds of one request; undefined in the first. */
  readonly callId?: string | undefined;
}

export const INITIAL_STATE: RequestState = { requested: new Map(), answered: new Map(), onceValues: new Map() };

/** Longest sealed text, in characters. */
const MAX_SEALED_LENGTH = 32 * 1024;

/** Params that may differ from round to round. */
const ROUND_PARAMS = ["_meta", "inputResponses", "requestState"];

/** The same text for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

/** The binding of a state: it opens only for the same request of the same caller, in the same revision, to the same server. */
export function bindingOf(method: string, params: Json, principal: string | undefined, revision: string, server = ""): string {
  const stable = Object.entries(params).filter(([key]) => !ROUND_PARAMS.includes(key));
  return canonicalJson([method, Object.fromEntries(stable), principal ?? null, revision, server]);
}

export interface Sealing {
  readonly sealer: Sealer;
  /** How long a round may take, in milliseconds. */
  readonly stateMs: number;
}

export async function sealRequestState(state: RequestState, binding: string, { sealer, stateMs }: Sealing): Promise<string> {
  const text = JSON.stringify([Date.now() + stateMs, [...state.requested], [...state.answered], [...state.onceValues], state.callId]);
  const sealed = await sealer.seal(text, binding);
  if (sealed.length <= MAX_SEALED_LENGTH) return sealed;
  throw new RangeError(
    `Request state exceeds ${MAX_SEALED_LENGTH} bytes: send fewer client requests in one call, or keep less with ctx.once.`,
  );
}

const INVALID_STATE = "requestState: expected the unchanged, unexpired state of this request. Send the request again without it.";

/** Opens `requestState`. Throws -32602 when it was not sealed here, belongs to another request, or has expired. */
export async function openRequestState(sealed: unknown, binding: string, { sealer }: Sealing): Promise<RequestState> {
  if (sealed === undefined) return INITIAL_STATE;
  const text = typeof sealed === "string" && sealed.length <= MAX_SEALED_LENGTH ? await sealer.open(sealed, binding) : undefined;
  if (text === undefined) throw invalidParams(INVALID_STATE);
  // Written by sealRequestState.
  const [expiresAt, requested, answered, onceValues, callId] = JSON.parse(text) as [
    number,
    [string, string][],
    [string, AnsweredRequest][],
    [string, unknown][],
    string | null | undefined,
  ];
  if (Date.now() > expiresAt) throw invalidParams(INVALID_STATE);
  return { requested: new Map(requested), answered: new Map(answered), onceValues: new Map(onceValues), callId: callId ?? undefined };
}

/** `inputResponses` by their key. Throws -32602 unless each is an object; InputRequests picks those it has requested. */
export function readInputResponses(value: unknown): ReadonlyMap<string, Json> {
  if (value === undefined) return new Map();
  if (!isObject(value)) throw invalidParams("inputResponses: expected an object");
  return new Map(
    Object.entries(value).map(([key, response]) => {
      if (!isObject(response)) throw invalidParams("inputResponses: expected each response to be an object");
      return [key, response];
    }),
  );
}
