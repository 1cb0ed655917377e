// Multi-round-trip requests: answers the input requests of the server, and repeats the request with the answers.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { setTimeout as sleep } from "node:timers/promises";
import { INVALID_PARAMS, isObject, McpError, METHOD_NOT_FOUND, type Json } from "@oarlock/server-kit/protocol";
import type { RequestOptions } from "../connection/pending-request.ts";
import { asError, InvalidResponseError, RequestTimeoutError } from "../errors.ts";
import { MAX_TIMER_MS } from "../timers.ts";
import { isInputRequired } from "./envelope.ts";

export interface RoundTripOptions {
  /** Sends the request with a new id. */
  send(params: Json, options: RequestOptions): Promise<Json>;
  /** Answers an input request. */
  answer(method: string, params: Json, signal: AbortSignal): Promise<Json>;
  maxTotalMs: number;
  maxRoundTrips: number;
  /** Aborted when the connection has closed. */
  closedSignal: AbortSignal;
}

/** Delay before the second of consecutive round trips without an input request; doubled for each further one. */
const POLL_DELAY_MS = 100;
const MAX_POLL_DELAY_MS = 10_000;

/** The final result, and how often the request was repeated. */
export async function requestInRoundTrips(
  method: string,
  params: Json,
  options: RequestOptions,
  roundTrip: RoundTripOptions,
): Promise<{ result: Json; roundTrips: number }> {
  const startedAt = performance.now();
  const maxTotalMs = options.maxTotalMs ?? roundTrip.maxTotalMs;
  let result = await roundTrip.send(params, { ...options, maxTotalMs });
  if (!isInputRequired(method, result)) return { result, roundTrips: 0 };
  const timeout = new AbortController();
  const remainingMs = Math.max(maxTotalMs - (performance.now() - startedAt), 0);
  const timer = setTimeout(() => timeout.abort(new RequestTimeoutError(method, maxTotalMs, true)), Math.min(remainingMs, MAX_TIMER_MS));
  const signal = AbortSignal.any([timeout.signal, roundTrip.closedSignal, ...(options.signal ? [options.signal] : [])]);
  try {
    let polls = 0;
    for (let roundTrips = 1; roundTrips <= roundTrip.maxRoundTrips; roundTrips++) {
      const { inputRequests, requestState } = readInputRequired(method, result);
      if (inputRequests !== undefined) polls = 0;
      else if (polls++ > 0) await sleepBeforePoll(polls, signal);
      const inputResponses = inputRequests && (await answerAll(inputRequests, roundTrip, signal));
      const continuation = { ...(inputResponses && { inputResponses }), ...(requestState !== undefined && { requestState }) };
      result = await roundTrip.send({ ...params, ...continuation }, { ...options, signal, maxTotalMs: Infinity });
      if (!isInputRequired(method, result)) return { result, roundTrips };
    }
    throw new InvalidResponseError(
      `Too many round trips of ${method}: expected a complete result after at most ${roundTrip.maxRoundTrips}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Waits with exponential back-off and jitter: clients of one server must not poll at the same moment. */
async function sleepBeforePoll(polls: number, signal: AbortSignal): Promise<void> {
  const delayMs = Math.min(POLL_DELAY_MS * 2 ** (polls - 2), MAX_POLL_DELAY_MS) * (0.5 + Math.random() / 2);
  await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
}

interface InputRequired {
  /** The input requests by key; undefined if there are none. */
  inputRequests: Record<string, Json> | undefined;
  /** Opaque to the client. */
  requestState: unknown;
}

function readInputRequired(method: string, { inputRequests, requestState }: Json): InputRequired {
  if (inputRequests === undefined && requestState === undefined)
    throw new InvalidResponseError(`Invalid result of ${method}: expected inputRequests or requestState`);
  if (inputRequests === undefined) return { inputRequests: undefined, requestState };
  if (!isObject(inputRequests) || !Object.values(inputRequests).every(isObject))
    throw new InvalidResponseError(`Invalid result of ${method}: expected inputRequests to be an object of requests`);
  const isEmpty = Object.keys(inputRequests).length === 0;
  return { inputRequests: isEmpty ? undefined : (inputRequests as Record<string, Json>), requestState }; // its values are objects
}

/** The answers by the keys of their input requests. The first failure aborts the others. */
async function answerAll(inputRequests: Record<string, Json>, { answer }: RoundTripOptions, outerSignal: AbortSignal): Promise<Json> {
  outerSignal.throwIfAborted();
  const failure = new AbortController();
  const signal = AbortSignal.any([outerSignal, failure.signal]);
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(asError(signal.reason));
  signal.addEventListener("abort", onAbort);
  const answers = Object.entries(inputRequests).map(async ([key, { method, params }]): Promise<[string, Json]> => {
    try {
      if (typeof method !== "string") throw new InvalidResponseError("Invalid input request: expected a method");
      return [key, await answer(method, isObject(params) ? params : {}, signal)];
    } catch (error) {
      const reason = toLocalError(error);
      failure.abort(reason);
      throw reason;
    }
  });
  try {
    // The race ends even if a handler ignores its signal.
    return Object.fromEntries(await Promise.race([Promise.all(answers), aborted.promise]));
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * The error of a failed input request. A stateless client cannot send error responses, so an input request that it rejects fails the
 * whole request. Errors that a handler throws are passed on.
 */
function toLocalError(error: unknown): Error {
  const isRejected = error instanceof McpError && (error.code === METHOD_NOT_FOUND || error.code === INVALID_PARAMS);
  return isRejected ? new InvalidResponseError(`Invalid or undeclared input request: ${error.message}`) : asError(error);
}
