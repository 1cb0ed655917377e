// The tools that a request over HTTP asks for.
import { defineServer, tool } from "@oarlock/server-kit";
import { toFetch } from "@oarlock/server-kit/fetch";
import { expect, test } from "vitest";
import { requestedTools } from "../src/start/requested-tools.ts";

const tools = [
  tool({ name: "look", hints: { readOnly: true }, run: () => "seen" }),
  tool({ name: "change", run: () => "changed" }),
  tool({ name: "fetch", toolset: "remote", hints: { readOnly: true }, run: () => "fetched" }),
  tool({ name: "push", toolset: "remote", run: () => "pushed" }),
];

async function send(
  target: string,
  headers: Record<string, string>,
  method: string,
  params: object = {},
): Promise<Record<string, unknown>> {
  const server = defineServer({ name: "s", version: "1", tools });
  server.use(requestedTools(server.tools, { look: {}, push: {} }));
  const handle = toFetch(server);
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
  const response = await handle(
    new Request(`http://localhost${target}`, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...("name" in params && { "mcp-name": String(params.name) }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }),
    }),
  );
  await handle.close(0);
  return (await response.json()) as Record<string, unknown>;
}

test.each<[string, Record<string, string>, string[]]>([
  ["/mcp", {}, ["look", "change", "fetch", "push"]],
  ["/mcp?toolsets=remote", {}, ["fetch", "push"]],
  ["/mcp?toolsets=remote,%20default", {}, ["look", "change", "fetch", "push"]],
  ["/mcp?readonly=1", {}, ["look", "fetch"]],
  ["/mcp?readonly=0&toolsets=", {}, ["look", "change", "fetch", "push"]],
  ["/mcp?toolsets=none", {}, []],
  ["/mcp?toolsets=minimal", {}, ["look", "push"]],
  ["/mcp?toolsets=minimal,default&readonly=1", {}, ["look"]],
  ["/mcp?toolsets=minimal", { "x-mcp-toolsets": "default" }, ["look"]],
  ["/mcp", { "x-mcp-toolsets": "remote", "x-mcp-readonly": "true" }, ["fetch"]],
  ["/mcp?toolsets=default,remote", { "x-mcp-toolsets": "default" }, ["look", "change"]],
  ["/mcp?toolsets=default", { "x-mcp-toolsets": "remote" }, []],
])("a request to %s with %j knows %j", async (target, headers, names) => {
  const { result } = (await send(target, headers, "tools/list")) as { result: { tools: { name: string }[]; cacheScope: string } };
  expect(result.tools.map(({ name }) => name)).toEqual(names);
  expect(result.cacheScope).toBe(names.length === tools.length && !target.includes("remote") ? "public" : result.cacheScope);
  for (const { name } of tools) {
    const called = await send(target, headers, "tools/call", { name, arguments: {} });
    if (names.includes(name)) expect(called).toHaveProperty("result");
    else expect(called).toMatchObject({ error: { message: `Unknown tool: ${name}` } });
  }
});
