// Tests --ops-port and --otel on a real process, with a receiver of OTLP over HTTP.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { run, Sample, type StartOptions } from "./sample-server.ts";

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;
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

async function operated(args: readonly string[], options?: StartOptions): Promise<{ sample: Sample; mcp: string; ops: string }> {
  const sample = new Sample(["--http", "--port=0", "--ops-port=0", ...args], options);
  await sample.until("stderr", /listening on http\S+/);
  const [, ops = ""] = /health and metrics on (http:\S+)/.exec(sample.stderr) ?? [];
  const [, mcp = ""] = /listening on (http:\S+)/.exec(sample.stderr) ?? [];
  return { sample, mcp, ops };
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "0" },
};

const call = (url: string, name: string): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: {}, _meta: { ...ENVELOPE, traceparent: TRACEPARENT } },
    }),
  });

const page = async (url: string): Promise<string> => {
  const response = await fetch(url);
  return `${response.status} ${(await response.text()).trim()}`;
};

test("--ops-port serves health and metrics, and the public port does not", async () => {
  const { sample, mcp, ops } = await operated([]);
  expect(await page(`${ops}/livez`)).toBe("200 ok");
  expect(await page(`${ops}/readyz`)).toBe("200 ok");
  expect((await call(mcp, "change")).status).toBe(200);
  for (const name of ["made_up_1", "made_up_2"]) await call(mcp, name);
  const text = await page(`${ops}/metrics`);
  expect(text).toContain(
    '_count{mcp_method_name="tools/call",gen_ai_tool_name="change",mcp_protocol_version="2026-07-28",network_transport="tcp"} 1',
  );
  expect(text).toContain('gen_ai_tool_name="_OTHER"');
  expect(text).not.toContain("made_up");
  for (const path of ["/livez", "/readyz", "/metrics"]) expect((await fetch(new URL(path, mcp))).status).toBe(404);
  sample.child.kill("SIGINT");
});

test("requests without a valid token are counted, and leave one warning without the token", async () => {
  const { sample, mcp, ops } = await operated([], { env: { OARLOCK_AUTH_TOKEN: "the-right-token" } });
  const statusWith = async (headers: Record<string, string>) => (await fetch(mcp, { method: "POST", headers })).status;
  expect(await statusWith({ authorization: "Bearer a-wrong-token" })).toBe(401);
  expect(await statusWith({})).toBe(401);
  const text = await page(`${ops}/metrics`);
  expect(text).toContain('oarlock_http_requests_refused_total{http_request_method="POST",http_response_status_code="401"} 2');
  await sample.until("stderr", /^Warning: Refused POST \/mcp from 127\.0\.0\.1 with status 401: the access token is invalid\.$/m);
  expect(sample.stderr.match(/Refused/g)).toHaveLength(1);
  expect(sample.stderr).not.toContain("a-wrong-token");
  sample.child.kill("SIGINT");
});

test("readiness turns to 503 before the server refuses calls", async () => {
  const { sample, mcp, ops } = await operated(["--drain-ms=1500"]);
  sample.child.kill("SIGTERM");
  await expect.poll(() => page(`${ops}/readyz`)).toBe("503 draining");
  expect((await call(mcp, "change")).status).toBe(200);
  expect((await sample.ended).code).toBe(0);
});

test("a taken --ops-port exits with 3", async () => {
  const { ops, sample } = await operated(["--drain-ms=0"]);
  const { port } = new URL(ops);
  const { code, stderr } = await run(["--http", "--port=0", "--ops-port", port]);
  expect(code).toBe(3);
  expect(stderr).toContain(`Error: Port ${port} is already in use. Choose another one with --ops-port`);
  sample.child.kill("SIGTERM");
  expect((await sample.ended).code).toBe(0);
});

test("--otel sends the span of a call over stdio in the trace of its client", async () => {
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

test("--otel sends the span of a call over HTTP, and an exporter that is away fails no call", async () => {
  const { env, spans } = await receive();
  const { sample, mcp } = await operated(["--otel", "--drain-ms=0"], { env });
  expect((await call(mcp, "change")).status).toBe(200);
  sample.child.kill("SIGTERM");
  expect((await sample.ended).code).toBe(0);
  expect(spans[0]).toMatchObject({ name: "tools/call change", traceId: TRACE_ID });

  const away = await operated(["--otel", "--drain-ms=0"], { env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" } });
  expect((await call(away.mcp, "change")).status).toBe(200);
  away.sample.child.kill("SIGTERM");
  expect((await away.sample.ended).code).toBe(0);
});

test("--otel without its package exits with 2 and the command that installs it", async () => {
  const hidden = `import { registerHooks } from "node:module";
    registerHooks({ resolve(name, context, next) { return next(name === "@oarlock/opentelemetry" ? name + "-hidden" : name, context); } });`;
  const { code, stderr } = await run(["--otel"], { node: ["--import", `data:text/javascript,${encodeURIComponent(hidden)}`] });
  expect(code).toBe(2);
  expect(stderr).toContain("Install them with: npm install @oarlock/opentelemetry");
});
