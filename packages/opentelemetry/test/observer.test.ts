// Tests spans with the SDK for Node and keeps them in memory.
import { context, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import type { ObservedRequest, RequestEnd } from "@oarlock/server-kit";
import { openTelemetry } from "../src/index.ts";
import { collectSpans, type Span } from "./support/collect-spans.ts";

const spans = collectSpans();

const REQUEST: ObservedRequest = {
  id: 7,
  method: "tools/call",
  target: "read",
  meta: undefined,
  revision: "2026-07-28",
  transport: "tcp",
};

function observe(request: Partial<ObservedRequest>, end: RequestEnd = { outcome: "success" }): Span | undefined {
  const observation = openTelemetry().requestStarted({ ...REQUEST, ...request });
  const inner = observation?.run(() => trace.getSpanContext(context.active())?.spanId);
  observation?.ended(end);
  const [span] = spans;
  expect(inner).toBe(span?.spanContext().spanId);
  return span;
}

test.each<[RequestEnd, status: number, type: string | undefined]>([
  [{ outcome: "success" }, 0, undefined],
  [{ outcome: "input-required" }, 0, undefined],
  [{ outcome: "tool-error" }, 2, "tool_error"],
  [{ outcome: "cancelled" }, 2, "cancelled"],
  [{ outcome: "error", code: -32602 }, 0, undefined],
  [{ outcome: "error", code: 429 }, 0, undefined],
  [{ outcome: "error", code: -32603 }, 2, "-32603"],
  [{ outcome: "error", code: -32000 }, 2, "-32000"],
  [{ outcome: "error", code: -32021 }, 0, undefined],
  [{ outcome: "error", code: -32022 }, 0, undefined],
])("sets the status of a request's span: %j", (end, status, type) => {
  const span = observe({}, end);
  expect(span?.status.code).toBe(status);
  expect(span?.attributes["error.type"]).toBe(type);
});

test.each([
  ["id", { id: "i".repeat(100_000) }, undefined],
  ["message of an error", {}, { outcome: "error", code: -32603, message: "m".repeat(100_000) }],
] as const)("records no long text of a client in a span: %s", (_what, request, end) => {
  const span = observe(request, end);
  const texts = [...Object.values(span?.attributes ?? {}), span?.name, span?.status.message ?? "none"].map(String);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(500);
});

test.each([
  [null],
  ["text"],
  [{ traceparent: 7 }],
  [{ traceparent: "" }],
  [{ traceparent: "00-00000000000000000000000000000000-b7ad6b7169203331-01" }],
  [{ traceparent: "x".repeat(100_000) }],
  [{ tracestate: "a=b", baggage: "secret=1" }],
])("begins a new trace for a malformed carrier: %#", (meta) => {
  expect(observe({ meta })?.parentSpanContext).toBeUndefined();
});
