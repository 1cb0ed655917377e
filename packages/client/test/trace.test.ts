// The trace context of requests, from the client to the handler and the server's log.
import { expect, test } from "vitest";
import { defineServer, linkMemory, tool } from "@oarlock/server-kit";
import { REVISIONS, type TraceContext } from "@oarlock/server-kit/protocol";
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
  expect(entries).toContainEqual(["tools/call show", TRACE]);
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
