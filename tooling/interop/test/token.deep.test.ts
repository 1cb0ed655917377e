// A server that requires a token: every official client connects with it, and none without. The long tier adds the older endpoints, and the handshake of
// the second generation.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { binary } from "./support/built-server.ts";
import { startOverHttp, type ListeningServer } from "@oarlock-tooling/test-support/server-process";
import { textOf, type Handlers, type Official } from "./support/official-client.ts";
import { connectV1, httpV1, sseV1 } from "./support/sdk-v1.ts";
import { connectV2, httpV2 } from "./support/sdk-v2.ts";

const TOKEN = "interop-only-not-a-secret-0123456789";

type Connect = (server: ListeningServer, headers: Record<string, string>, handlers?: Handlers) => Promise<Official>;

const CLIENTS: readonly (readonly [string, Connect])[] = [
  ["SDK v1", ({ url }, headers, handlers = {}) => connectV1(httpV1(url, headers), "2025-11-25", handlers)],
  ["SDK v2 with version negotiation", ({ url }, headers, handlers = {}) => connectV2(httpV2(url, headers), { mode: "auto" }, handlers)],
  ["SDK v1 by the older endpoints", (server, headers, handlers = {}) => connectV1(sseV1(server, headers), "2024-11-05", handlers)],
  ["SDK v2 in 2025-11-25", ({ url }, headers, handlers = {}) => connectV2(httpV2(url, headers), { mode: "legacy" }, handlers)],
];

test.each(isLong ? CLIENTS : CLIENTS.slice(0, 2))("HTTP-07 SESS-12 %s", async (_, connect) => {
  await using folder = tempFolder({ "a.txt": "a", "b.txt": "b" });
  const program = binary(folder.path, "--legacy-sse");
  await using server = await startOverHttp({ ...program, env: { ...program.env, OARLOCK_AUTH_TOKEN: TOKEN } });
  for (const wrong of [{}, { Authorization: `Bearer ${TOKEN}x` }]) {
    const error: { code?: unknown; status?: unknown } = await connect(server, wrong).then(
      () => ({}),
      (refusal) => refusal,
    );
    expect([error.code, error.status]).toContain(401);
  }
  const client = await connect(
    server,
    { Authorization: `Bearer ${TOKEN}` },
    { elicit: () => ({ action: "accept", content: { confirm: true } }) },
  );
  expect(await client.tools()).toHaveLength(17);
  expect(textOf((await client.call("read_text_file", { path: "a.txt" })).content.slice(0, 1))).toBe("a");
  if (client.revision !== "2024-11-05") {
    await client.call("move_file", { source: "a.txt", destination: "b.txt", overwrite: true });
    expect(folder.read("b.txt")).toBe("a");
  }
  expect(client.faults).toEqual([]);
  await client.close();
  const { code, stderr } = await server.terminate();
  // A refusal is written once in ten seconds.
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^listening on .+\n(Warning: Refused \w+ \/(mcp|sse) .+\n)+$/)]);
});
