// The trace context of HTTP headers.
import { expect, test } from "vitest";
import { classify } from "../../../src/runtime/classify.ts";
import { parseHeaders } from "../../../src/transports/http/request-headers.ts";
import { adoptTrace } from "../../../src/transports/http/trace-headers.ts";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OWN = "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** The metadata of a request with these headers. */
function metaAfter(raw: readonly string[], params?: object): unknown {
  const value = { jsonrpc: "2.0", id: 1, method: "ping", ...(params !== undefined && { params }) };
  adoptTrace(classify(value), parseHeaders(raw));
  return (value as { params?: { _meta?: unknown } }).params?._meta;
}

test("takes the trace context from the headers if the request has none", () => {
  expect(metaAfter(["TraceParent", TRACEPARENT])).toEqual({ traceparent: TRACEPARENT });
  const raw = ["traceparent", TRACEPARENT, "tracestate", "a=1", "tracestate", "b=2"];
  expect(metaAfter(raw, { _meta: { progressToken: 1 } })).toEqual({ progressToken: 1, traceparent: TRACEPARENT, tracestate: "a=1, b=2" });
});

test("takes the baggage along", () => {
  expect(metaAfter(["traceparent", TRACEPARENT, "Baggage", "a=1", "baggage", "b=2"])).toEqual({
    traceparent: TRACEPARENT,
    baggage: "a=1, b=2",
  });
});

test("prefers the trace context of the message", () => {
  expect(metaAfter(["traceparent", TRACEPARENT], { _meta: { traceparent: OWN } })).toEqual({ traceparent: OWN });
});

test.each([
  [["traceparent", ""]],
  [["traceparent", "00-0-0-0"]],
  [["traceparent", TRACEPARENT, "traceparent", OWN]],
  [["tracestate", "a=1"]],
])("ignores headers that hold no trace context: %j", (raw) => {
  expect(metaAfter(raw)).toBeUndefined();
});

test("leaves other messages unchanged", () => {
  for (const value of [{ jsonrpc: "2.0", method: "notifications/initialized" }, { jsonrpc: "2.0", id: 1, result: {} }, []]) {
    const before = JSON.stringify(value);
    adoptTrace(classify(value), parseHeaders(["traceparent", TRACEPARENT]));
    expect(JSON.stringify(value)).toBe(before);
  }
});
