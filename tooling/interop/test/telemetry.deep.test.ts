// One trace from a client through a server to the work below it, as a collector receives it from both processes. The long tier adds both other pairs of
// era and transport.
import { execFileSync } from "node:child_process";
import { connect } from "@oarlock/client";
import { startOpenTelemetry, traceClient } from "@oarlock/opentelemetry";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Program } from "./support/built-server.ts";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from "./support/otlp-receiver.ts";

const SECRET = "planted-secret-4711";

let receiver: OtlpReceiver;
let sdk: Awaited<ReturnType<typeof startOpenTelemetry>>;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  Object.assign(process.env, receiver.env);
  sdk = await startOpenTelemetry("client-under-test");
});

afterAll(async () => {
  await sdk.stop(2000);
  await receiver[Symbol.asyncDispose]();
});

const program = (server: string, ...args: string[]): Program => ({
  command: process.execPath,
  args: builtServer(server, "--otel", ...args),
  env: { ...receiver.env, OTEL_SERVICE_NAME: `oarlock-${server}` },
});

/** Calls a tool by a traced client, ends the server, and returns the spans of the call's trace. */
async function trace(started: Program, transport: "stdio" | "http", revision: string, [name, args]: Call): Promise<ReceivedSpan[]> {
  const seen = receiver.spans.length;
  const listening = transport === "http" ? await startOverHttp(started) : undefined;
  const client = await connect(listening === undefined ? started : { url: listening.url }, { revision, observer: traceClient() });
  await client.call(name, args);
  await client.close();
  await listening?.terminate();
  const called = (): ReceivedSpan | undefined =>
    receiver.spans.slice(seen).find((span) => span.kind === 3 && span.name === `tools/call ${name}`);
  const traced = (): ReceivedSpan[] => receiver.spans.filter(({ traceId }) => traceId === called()?.traceId);
  await expect.poll(() => traced().length).toBeGreaterThanOrEqual(3);
  return traced();
}

type Call = readonly [name: string, args: Record<string, unknown>];

/** Each era and each transport once, then the other pairs. */
const PAIRS = [
  ["2025-11-25", "http"],
  ["2026-07-28", "stdio"],
  ["2025-11-25", "stdio"],
  ["2026-07-28", "http"],
] as const;

test.each(isLong ? PAIRS : PAIRS.slice(0, 2))(
  "continues one trace from the client to the database process in %s over %s",
  async (revision, transport) => {
    await using folder = tempFolder();
    const call = ["read_query", { query: `SELECT '${SECRET}' AS a` }] as const;
    const spans = await trace(program("sqlite", "--db-path", folder.at("m.db")), transport, revision, call);
    const client = spans.find(({ service }) => service === "client-under-test");
    const server = spans.find(({ kind }) => kind === 2);
    const database = spans.find(({ name }) => name.startsWith("sqlite "));
    expect([client?.service, server?.service, database?.service]).toEqual(["client-under-test", "oarlock-sqlite", "oarlock-sqlite"]);
    expect([server?.parentSpanId, database?.parentSpanId]).toEqual([client?.spanId, server?.spanId]);
    const network =
      transport === "stdio" ? { "network.transport": "pipe" } : { "network.transport": "tcp", "network.protocol.name": "http" };
    const common = {
      "mcp.method.name": "tools/call",
      "mcp.protocol.version": revision,
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "read_query",
      "jsonrpc.request.id": client?.attributes["jsonrpc.request.id"],
      ...network,
    };
    expect(client).toMatchObject({ name: "tools/call read_query", status: 0 });
    expect(server).toMatchObject({ name: "tools/call read_query", status: 0 });
    expect(client?.attributes).toEqual(common);
    expect(server?.attributes).toEqual(common);
    expect(database).toMatchObject({ name: "sqlite read", attributes: { "db.system.name": "sqlite", "db.operation.name": "read" } });
    expect(receiver.texts.join("\n")).not.toContain(SECRET);
  },
);

test("records commands of git and searches as spans below their calls", async () => {
  await using folder = tempFolder({ "a.txt": `${SECRET}\n` });
  execFileSync("git", ["init", "--quiet", folder.path]);
  const git = await trace(program("git", folder.path), "stdio", "2026-07-28", ["git_status", { repo_path: folder.path }]);
  const files = await trace(program("filesystem", folder.path), "stdio", "2026-07-28", [
    "search_file_contents",
    { path: folder.path, pattern: SECRET },
  ]);
  for (const [spans, name, kind] of [
    [git, "git status", 3],
    [files, "search directory", 1],
  ] as const) {
    const server = spans.find((span) => span.kind === 2);
    expect(spans.find((span) => span.name === name)).toMatchObject({ kind, parentSpanId: server?.spanId });
  }
  expect(receiver.texts.join("\n")).not.toContain(SECRET);
});

test("records an elicitation as a span below its call, and the duration of a session", async () => {
  await using folder = tempFolder({ "a.txt": "text\n" });
  const seen = receiver.spans.length;
  const client = await connect(program("filesystem", folder.path), { revision: "2025-11-25", elicit: () => ({ action: "decline" }) });
  await client.call("delete_file", { path: folder.at("a.txt") });
  await client.close();
  const named = (name: string): ReceivedSpan | undefined => receiver.spans.slice(seen).find((span) => span.name === name);
  await expect.poll(() => named("elicitation/create")).toBeDefined();
  expect(named("initialize")).toMatchObject({ kind: 2, status: 0 });
  expect(named("elicitation/create")).toMatchObject({
    kind: 3,
    parentSpanId: named("tools/call delete_file")?.spanId,
    attributes: {
      "mcp.method.name": "elicitation/create",
      "mcp.protocol.version": "2025-11-25",
      "network.transport": "pipe",
      "jsonrpc.request.id": "1",
    },
  });
  await expect.poll(() => receiver.texts.join("\n")).toContain("mcp.server.session.duration");
});

test("continues the trace of the HTTP headers where the metadata has no context", async () => {
  await using folder = tempFolder();
  await using listening = await startOverHttp(program("sqlite", "--db-path", folder.at("m.db")));
  const traceId = "1af7651916cd43dd8448eb211c80319c";
  const response = await fetch(listening.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": { name: "t", version: "0" },
        },
      },
    }),
  });
  expect(response.status).toBe(200);
  await response.text();
  await expect
    .poll(() => receiver.spans.find((span) => span.traceId === traceId))
    .toMatchObject({ name: "tools/list", parentSpanId: "b7ad6b7169203331" });
});
