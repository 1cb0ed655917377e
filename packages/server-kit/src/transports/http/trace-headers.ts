// The trace context of HTTP headers: what gateways and HTTP clients send. The context in `_meta` of a message comes first.
// https://www.w3.org/TR/trace-context/
import { readTrace } from "../../protocol/trace.ts";
import type { IncomingMessage } from "../../runtime/classify.ts";
import { isObject } from "../../wire/json-rpc.ts";
import type { RequestHeaders } from "./request-headers.ts";

/** Gives a request without a trace context that of its headers. A malformed one is ignored. */
export function adoptTrace(message: IncomingMessage, { traceparent, tracestate, baggage }: RequestHeaders): void {
  if (traceparent === undefined || message.kind !== "request") return;
  const trace = readTrace({ traceparent, tracestate, baggage });
  const { value } = message;
  const meta = isObject(value.params?._meta) ? value.params._meta : {};
  if (trace === undefined || meta.traceparent !== undefined) return;
  value.params = { ...value.params, _meta: { ...meta, ...trace } };
}
