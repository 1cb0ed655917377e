// outcomeOf: how a request ended that goes on after its response, as data that can be kept.
import { McpError, toFailure, type Report } from "../../protocol/errors.ts";
import type { TraceContext } from "../../protocol/trace.ts";
import type { Revision } from "../../revisions/index.ts";
import { INTERNAL_ERROR, type ErrorObject, type Json } from "../../wire/json-rpc.ts";
import type { ExtensionContext } from "../extension/extension-context.ts";
import { endOfFailure, type RequestEnd } from "./observer.ts";
import { byteLength, serializeResult } from "./result-text.ts";

/** `hasThrown`: the handler gave no result of its own. */
export type Outcome =
  | { readonly result: string; readonly isError: boolean; readonly hasThrown: boolean }
  | { readonly error: ErrorObject; readonly hasThrown: true };

/** The request that has ended. */
type Request = Pick<ExtensionContext, "method" | "handler" | "revision" | "trace">;

/** What the running server does with a result. */
interface Encoder {
  readonly limits: { readonly resultBytes: number };
  reportFor(trace: TraceContext | undefined): Report;
  encodeResult(revision: Revision, method: string, result: Json): Json;
  stamp(revision: Revision, result: Json): Json;
}

/** The error of a result that exceeds the limit. */
export const tooLarge = (maxBytes: number): McpError =>
  new McpError(INTERNAL_ERROR, `Result exceeds ${maxBytes} bytes: ask for less at a time.`, undefined, "tool");

/** Awaits what a handler returned. Never rejects. */
export async function outcomeOf(server: Encoder, request: Request, returned: PromiseLike<object>): Promise<Outcome> {
  try {
    const result = (await returned) as Json; // handlers return objects
    const text = serializeResult(server.encodeResult(request.revision, request.method, result));
    if (text === undefined) throw new TypeError(`The handler of ${request.method} returned no result.`);
    const max = server.limits.resultBytes;
    if (text.length * 3 > max && byteLength(text) > max) throw tooLarge(max);
    return { result: text, isError: result.isError === true, hasThrown: false };
  } catch (error) {
    return failedOutcome(server, request, error);
  }
}

/** The outcome of a handler that threw this. */
export function failedOutcome(server: Encoder, { handler, revision, method, trace }: Request, error: unknown): Outcome {
  const encoded = revision.encodeFailure(method, (handler.toFailure ?? toFailure)(error, server.reportFor(trace)));
  if ("error" in encoded) return { error: encoded.error, hasThrown: true };
  return { result: JSON.stringify(server.stamp(revision, encoded.result)), isError: true, hasThrown: true };
}

/** How a request with this outcome ended. */
export const endOfOutcome = (outcome: Outcome): RequestEnd =>
  "error" in outcome ? endOfFailure(outcome.error, false) : { outcome: outcome.isError ? "tool-error" : "success" };
