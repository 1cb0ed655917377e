// The trace context of requests, from the client to the handler and the server's log.
import { expect, test } from "vitest";
import { defineServer, fromJsonSchema, linkMemory, tool } from "@oarlock/server-kit";
import { REVISIONS, type Json, type TraceContext } from "@oarlock/server-kit/protocol";
import { connect } from "@oarlock/client";

const TRACE = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "a=1", baggage: "user=ada" };
const OTHER = { traceparent: "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };

test.each(REVISIONS)("TRACE-01 TRACE-02 %s carries the trace context to the handler and the log", async (revision) => {
  const entries: [unknown, TraceContext | undefined][] = [];
  const show = tool({
    name: "show",
    run(_input, ctx) {
      ctx.log.info("seen");
      return JSON.stringify(ctx.trace ?? null);
    },
  });
  const wire = linkMemory(defineServer({ name: "traced", version: "1.0.0", tools: [show] }), {
    log: (_level, data, trace) => entries.push([data, trace]),
  });
  let current: TraceContext | undefined = TRACE;
  await using client = await connect(wire, { revision, trace: () => current });
  const received = async (trace?: TraceContext): Promise<unknown> => {
    const { content } = await client.call("show", {}, trace === undefined ? {} : { trace });
    return JSON.parse((content as { text: string }[])[0]?.text ?? "");
  };
  expect(await received()).toEqual(TRACE);
  expect(entries).toContainEqual([expect.stringMatching(/^tools\/call show, request \d+$/), TRACE]);
  expect(entries).toContainEqual(["seen", TRACE]);
  expect(await received(OTHER)).toEqual(OTHER);
  current = undefined;
  entries.length = 0;
  expect(await received()).toBeNull();
  expect(entries).toEqual([["seen", undefined]]);
  for (const traceparent of [
    "",
    "00-0-0-0",
    `ff${TRACE.traceparent.slice(2)}`,
    TRACE.traceparent.replace("0af7651916cd43dd8448eb211c80319c", "0".repeat(32)),
  ])
    expect(await received({ traceparent })).toBeNull();
  expect(await received({ ...OTHER, tracestate: "line\nbreak" })).toEqual(OTHER);
});

// In 2026-07-28 an input request is part of a result, and has no metadata: the client answers it within its own trace.
test.each(REVISIONS.slice(1))("TRACE-02 %s carries the trace into requests of the server, with spans of their own", async (revision) => {
  const requests: { method: string; params?: Json }[] = [];
  const request = tool({
    name: "request",
    async run(_input, ctx) {
      await ctx.roots();
      await ctx.sample({ messages: [{ role: "user", content: { type: "text", text: "?" } }], maxTokens: 5 });
      if (ctx.client.can("elicit"))
        await ctx.elicit({
          message: "?",
          schema: fromJsonSchema({ type: "object", properties: { sure: { type: "boolean" } } }, () => undefined),
        });
      return "done";
    },
  });
  const message = { role: "assistant" as const, content: { type: "text" as const, text: "!" }, model: "m" };
  await using client = await connect(linkMemory(defineServer({ name: "traced", version: "1.0.0", tools: [request] })), {
    revision,
    roots: [],
    sample: () => message,
    elicit: () => ({ action: "decline" }),
    onWire(direction, text) {
      const { method, params, id } = JSON.parse(text);
      if (direction === "received" && method !== undefined && id !== undefined) requests.push({ method, params });
    },
  });
  await client.call("request", {}, { trace: TRACE });
  expect(requests.map(({ method }) => method).slice(0, 2)).toEqual(["roots/list", "sampling/createMessage"]);
  const [version, trace, span, flags] = TRACE.traceparent.split("-");
  const spans = requests.map(({ params }) => {
    const { traceparent, ...rest } = (params ?? {})._meta as { traceparent: string };
    expect(rest).toEqual({ tracestate: TRACE.tracestate, baggage: TRACE.baggage });
    const parts = traceparent.split("-");
    expect([parts[0], parts[1], parts[3]]).toEqual([version, trace, flags]);
    expect(parts[2]).toMatch(/^[0-9a-f]{16}$/);
    return parts[2];
  });
  expect(new Set([...spans, span]).size).toBe(requests.length + 1);
  requests.length = 0;
  await client.call("request");
  for (const { params } of requests) expect(params?._meta).toBeUndefined();
});
