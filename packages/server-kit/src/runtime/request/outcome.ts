// outcomeOf: how a request ended that goes on after its response, as data that can be kept.
import { McpError, toFailure } from "../../protocol/errors.ts";
import { INTERNAL_ERROR, type ErrorObject, type Json } from "../../wire/json-rpc.ts";
import type { ExtensionHost } from "../extension/extension.ts";
import type { RequestContext } from "./context.ts";
import { endOfFailure, type RequestEnd } from "./observer.ts";
import { byteLength, serializeResult } from "./result-text.ts";

/** `hasThrown`: the handler gave no result of its own. */
export type Outcome =
  | { readonly result: string; readonly isError: boolean; readonly hasThrown: boolean }
  | { readonly error: ErrorObject; readonly hasThrown: true };

/** The error of a result that exceeds the limit. */
export const tooLarge = (maxBytes: number): McpError =>
  new McpError(INTERNAL_ERROR, `Result exceeds ${maxBytes} bytes: ask for less at a time.`, undefined, "tool");

/** Awaits what a handler returned. Never rejects. */
export async function outcomeOf(host: ExtensionHost, ctx: RequestContext, returned: PromiseLike<object>): Promise<Outcome> {
  try {
    const result = (await returned) as Json; // handlers return objects
    const text = serializeResult(host.encodeResult(ctx.revision, ctx.method, result));
    if (text === undefined) throw new TypeError(`The handler of ${ctx.method} returned no result.`);
    const max = host.limits.resultBytes;
    if (text.length * 3 > max && byteLength(text) > max) throw tooLarge(max);
    return { result: text, isError: result.isError === true, hasThrown: false };
  } catch (error) {
    return failedOutcome(host, ctx, error);
  }
}

/** The outcome of a handler that threw this. */
export function failedOutcome(host: ExtensionHost, { handler, revision, method, trace }: RequestContext, error: unknown): Outcome {
  const encoded = revision.encodeFailure(method, (handler.toFailure ?? toFailure)(error, host.reportFor(trace)));
  if ("error" in encoded) return { error: encoded.error, hasThrown: true };
  return { result: JSON.stringify(host.stamp(revision, encoded.result)), isError: true, hasThrown: true };
}

/** How a request with this outcome ended. */
export const endOfOutcome = (outcome: Outcome): RequestEnd =>
  "error" in outcome ? endOfFailure(outcome.error, false) : { outcome: outcome.isError ? "tool-error" : "success" };
