// traceClient: a span for each request of a client, and the trace context that the server gets.
import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { connect } from "@oarlock/client";
import { defineServer, linkMemory, tool, ToolError } from "@oarlock/server-kit";
import { traceClient } from "../src/index.ts";
import { collectSpans, type Span } from "./support/collect-spans.ts";

const spans = collectSpans();

const server = () =>
  defineServer({
    name: "s",
    version: "1",
    tools: [
      tool({ name: "show", run: (_input, ctx) => ctx.trace?.traceparent ?? "none" }),
      tool({
        name: "fail",
        run() {
          throw new ToolError("no");
        },
      }),
      tool({
        name: "wait",
        run: async (_input, ctx) => {
          await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
          return "aborted";
        },
      }),
    ],
  });

const last = (): Span | undefined => spans.at(-1);

test.each(["2025-11-25", "2026-07-28"])(
  "starts a span of a request below the active one, and sends its context to the server in %s",
  async (revision) => {
    await using client = await connect(linkMemory(server()), { revision, observer: traceClient() });
    const tracer = trace.getTracer("test");
    const outer = tracer.startSpan("outer");
    const { content } = await context.with(trace.setSpan(context.active(), outer), () => client.call("show", {}));
    const span = last();
    expect(span?.name).toBe("tools/call show");
    expect(span?.kind).toBe(2);
    expect(span?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(content).toEqual([{ type: "text", text: `00-${traceId}-${spanId}-01` }]);
    expect(span?.attributes).toMatchObject({ "mcp.protocol.version": revision, "network.transport": "pipe" });
  },
);

test("records the type of failures", async () => {
  await using client = await connect(linkMemory(server()), { revision: "2025-11-25", observer: traceClient() });
  await client.call("fail", {});
  expect(last()?.attributes["error.type"]).toBe("tool_error");
  await expect(client.call("unknown", {})).rejects.toThrow(/Unknown tool/);
  expect(last()?.attributes).toMatchObject({ "error.type": "-32602", "rpc.response.status_code": "-32602" });
  await expect(client.call("wait", {}, { signal: AbortSignal.timeout(20) })).rejects.toThrow(/timeout/i);
  expect(last()?.attributes["error.type"]).toBe("cancelled");
  await expect(client.call("wait", {}, { timeoutMs: 20 })).rejects.toThrow(/20 ms/);
  expect(last()?.attributes["error.type"]).toBe("timeout");
  const lost = client.call("wait", {}).catch((error: unknown) => String(error));
  await client.close();
  expect(await lost).toContain("closed the connection");
  expect(last()?.attributes["error.type"]).toBe("closed");
  expect(spans.every(({ name, status }) => name === "initialize" || status.code === SpanStatusCode.ERROR)).toBe(true);
});

test("records no long text of the peer in a span", () => {
  const request = { id: "i".repeat(100_000), method: "elicitation/create", target: undefined, revision: "2025-11-25" };
  traceClient()
    .requestStarted({ ...request, transport: "pipe" })
    .ended({ outcome: "error", code: -32603, message: "m".repeat(100_000) });
  const texts = [...Object.values(last()?.attributes ?? {}), last()?.status.message ?? "none"].map(String);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(500);
});
