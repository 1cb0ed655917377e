// Tests --otel on a real process, with a receiver of OTLP over HTTP.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { addressesOf, callOver, OPERATED, TRACEPARENT, TRACE_ID } from "./support/operations.ts";
import { run, Sample, type StartOptions } from "./support/sample-process.ts";

const receivers: Server[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

interface Attribute {
  key: string;
  value: { stringValue?: string };
}
interface Span {
  name: string;
  kind: number;
  traceId: string;
  parentSpanId?: string;
  attributes: Attribute[];
  status: { code?: number };
}

/** Receives traces and metrics as JSON. */
async function receive(): Promise<{ env: Record<string, string>; spans: Span[]; texts: string[] }> {
  const spans: Span[] = [];
  const texts: string[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      texts.push(text);
      const { resourceSpans = [] } = JSON.parse(text) as { resourceSpans?: { scopeSpans: { spans: Span[] }[] }[] };
      for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
      response.setHeader("content-type", "application/json").end("{}");
    });
  });
  receivers.push(receiver);
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo; // it listens
  return { spans, texts, env: { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` } };
}

const attributesOf = ({ attributes }: Span): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));

async function operated(args: readonly string[], options?: StartOptions): Promise<{ sample: Sample; mcp: string }> {
  const sample = new Sample([...OPERATED, ...args], options);
  return { sample, mcp: (await addressesOf(sample)).mcp };
}

test("sends with --otel the span of a call over stdio in the trace of its client", async () => {
  const { env, spans, texts } = await receive();
  const sample = await new Sample(["--otel"], { env }).handshake();
  await sample.request("tools/call", { name: "change", arguments: { secret: "planted" }, _meta: { traceparent: TRACEPARENT } });
  await sample.request("tools/call", { name: "made_up", arguments: {} });
  expect((await sample.end()).code).toBe(0);
  const span = spans.find(({ name }) => name === "tools/call change");
  expect(span).toMatchObject({ kind: 2, traceId: TRACE_ID, parentSpanId: "b7ad6b7169203331" });
  expect(span && attributesOf(span)).toMatchObject({
    "mcp.method.name": "tools/call",
    "mcp.protocol.version": "2025-11-25",
    "gen_ai.tool.name": "change",
    "gen_ai.operation.name": "execute_tool",
    "network.transport": "pipe",
  });
  expect(spans.find(({ name }) => name === "tools/call")?.status.code ?? 0).toBe(0); // the client's mistake
  expect(texts.join()).toContain("mcp.server.operation.duration");
  expect(texts.join()).not.toContain("planted");
});

test("sends with --otel the span of a call over HTTP, and fails no call when the exporter is unreachable", async () => {
  const { env, spans } = await receive();
  const { sample, mcp } = await operated(["--otel", "--drain-ms=0"], { env });
  expect((await callOver(mcp, "change")).status).toBe(200);
  sample.child.kill("SIGTERM");
  expect((await sample.ended).code).toBe(0);
  expect(spans[0]).toMatchObject({ name: "tools/call change", traceId: TRACE_ID });

  const away = await operated(["--otel", "--drain-ms=0"], { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } });
  expect((await callOver(away.mcp, "change")).status).toBe(200);
  away.sample.child.kill("SIGTERM");
  expect((await away.sample.ended).code).toBe(0);
});

test("exits with 2 and the install command for --otel without its package", async () => {
  const hidden = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) { return next(name === "@oarlock/opentelemetry" ? name + "-hidden" : name, context); } });`;
  const { code, stderr } = await run(["--otel"], { node: ["--import", `data:text/javascript,${encodeURIComponent(hidden)}`] });
  expect(code).toBe(2);
  expect(stderr).toContain("Install them with: npm install @oarlock/opentelemetry");
});
