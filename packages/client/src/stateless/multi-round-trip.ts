// One request over all its rounds: what the server asks back is answered, and the request is sent again with the answers.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr
import { setTimeout as pause } from "node:timers/promises";
import { INVALID_PARAMS, isObject, McpError, METHOD_NOT_FOUND, type Json } from "@oarlock/server-kit/protocol";
import { asError, BadAnswer, TimedOut } from "../errors.ts";
import type { RequestOptions } from "../connection/pending-request.ts";
import { isQuestion } from "./envelope.ts";

export interface RoundsSpec {
  /** Sends the request, under an id of its own each time. */
  send(params: Json, options: RequestOptions): Promise<Json>;
  answer(method: string, params: Json, signal: AbortSignal): Promise<Json>;
  maxTotalMs: number;
  maxRounds: number;
  /** Aborted when the connection ends. */
  gone: AbortSignal;
}

/** Between rounds in which nothing is asked, from the second in a row on; twice as long each time. */
const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Longer than this and a timer of the platform would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The last result, and whether it came in the first round. */
export async function inRounds(method: string, params: Json, options: RequestOptions, spec: RoundsSpec): Promise<[Json, boolean]> {
  const since = performance.now();
  const maxTotalMs = options.maxTotalMs ?? spec.maxTotalMs;
  const first = await spec.send(params, { ...options, maxTotalMs });
  if (!isQuestion(method, first)) return [first, true];
  const late = new AbortController();
  const left = (): number => maxTotalMs - (performance.now() - since);
  const timer = setTimeout(() => late.abort(new TimedOut(method, maxTotalMs, true)), Math.min(Math.max(left(), 0), LONGEST_MS));
  const signal = AbortSignal.any([late.signal, spec.gone, ...(options.signal ? [options.signal] : [])]);
  try {
    let result = first;
    let idle = 0;
    for (let round = 0; round < spec.maxRounds; round++) {
      const { questions, requestState } = readQuestions(method, result);
      // The same pause for all who wait for the same server would bring them back together.
      if (questions === undefined && idle++ > 0) {
        await pause(Math.min(PAUSE_MS * 2 ** (idle - 2), LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2), undefined, { signal }).catch(() =>
          signal.throwIfAborted(),
        );
      } else if (questions !== undefined) idle = 0;
      const inputResponses = questions && (await answerAll(questions, spec, signal));
      const more = { ...(inputResponses && { inputResponses }), ...(requestState !== undefined && { requestState }) };
      result = await spec.send({ ...params, ...more }, { ...options, signal, maxTotalMs: Infinity });
      if (!isQuestion(method, result)) return [result, false];
    }
    throw new BadAnswer(`The server asks for more after ${spec.maxRounds} rounds of ${method}`);
  } finally {
    clearTimeout(timer);
  }
}

interface Asked {
  /** By their keys; undefined when nothing is asked. */
  questions: Record<string, Json> | undefined;
  /** Not ours to look at. */
  requestState: unknown;
}

function readQuestions(method: string, { inputRequests, requestState }: Json): Asked {
  if (inputRequests === undefined && requestState === undefined)
    throw new BadAnswer(`The server wants more for ${method}, and does not say what`);
  if (inputRequests === undefined) return { questions: undefined, requestState };
  if (!isObject(inputRequests) || !Object.values(inputRequests).every(isObject))
    throw new BadAnswer(`The server's questions about ${method} are none`);
  const asked = Object.keys(inputRequests).length > 0;
  return { questions: asked ? (inputRequests as Record<string, Json>) : undefined, requestState }; // its values are objects
}

/** All answers under the keys of their questions. The first that fails ends the others. */
async function answerAll(questions: Record<string, Json>, spec: RoundsSpec, outer: AbortSignal): Promise<Json> {
  outer.throwIfAborted();
  const failed = new AbortController();
  const signal = AbortSignal.any([outer, failed.signal]);
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(asError(signal.reason));
  signal.addEventListener("abort", stop);
  const answers = Object.entries(questions).map(async ([key, { method, params }]): Promise<[string, Json]> => {
    try {
      if (typeof method !== "string") throw new BadAnswer("The server asks something without a method");
      return [key, await spec.answer(method, isObject(params) ? params : {}, signal)];
    } catch (error) {
      const reason = asOurs(error);
      failed.abort(reason);
      throw reason;
    }
  });
  try {
    // A handler need not heed its signal.
    return Object.fromEntries(await Promise.race([Promise.all(answers), aborted.promise]));
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** In rounds nothing can be refused to the server; so what it asked wrongly ends the request. What a handler throws stays as it is. */
function asOurs(error: unknown): Error {
  const refused = error instanceof McpError && (error.code === METHOD_NOT_FOUND || error.code === INVALID_PARAMS);
  return refused ? new BadAnswer(`The server asks what this client did not declare, or asks it wrongly: ${error.message}`) : asError(error);
}
