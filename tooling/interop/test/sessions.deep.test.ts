// Official clients end their sessions. https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { binary } from "./support/built-server.ts";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import type { Official } from "./support/official-client.ts";
import { connectV1, httpV1 } from "./support/sdk-v1.ts";
import { connectV2, httpV2 } from "./support/sdk-v2.ts";

interface InSession {
  sessionId?: string | undefined;
  terminateSession(): Promise<void>;
}

const CLIENTS: readonly (readonly [string, (url: URL) => Promise<{ transport: InSession; client: Official }>])[] = [
  [
    "SDK v1",
    async (url) => {
      const transport = httpV1(url);
      return { transport, client: await connectV1(transport, "2025-11-25", {}) };
    },
  ],
  [
    "SDK v2",
    async (url) => {
      const transport = httpV2(url);
      return { transport, client: await connectV2(transport, { mode: "legacy" }, {}) };
    },
  ],
];

test.each(CLIENTS)("SESS-01 SESS-03 SESS-07 %s ends its session, which the server then no longer knows", async (_, open) => {
  await using folder = tempFolder();
  await using server = await startOverHttp(binary(folder.path));
  const { transport, client } = await open(server.url);
  const { sessionId } = transport;
  expect(sessionId).toMatch(/^[\x21-\x7e]{16,}$/);
  await client.ping();
  await transport.terminateSession();
  const headers = { "Mcp-Session-Id": sessionId!, Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
  const ping = await fetch(server.url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }) });
  expect(ping.status).toBe(404);
  await client.close();
  expect(await server.terminate()).toMatchObject({ code: 0, signal: null });
});
