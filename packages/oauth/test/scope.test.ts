// What a token is good for: the scope of each act by every route, and sessions that belong to who opened them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  AUDIENCE,
  bearer,
  call,
  CHALLENGE,
  initialize,
  METADATA,
  READ,
  READY,
  refusal,
  resultText,
  startProtected,
  WRITE,
  type Protected,
} from "./fixtures/protected-server.ts";

let server: Protected;

beforeAll(async () => {
  server = await startProtected();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  server.kept.writes = 0;
});

const insufficient = (scope: string): RegExp =>
  new RegExp(`^Bearer resource_metadata="${METADATA.replaceAll(".", "\\.")}", scope="${scope}", error="insufficient_scope"`);

describe("scope", () => {
  test("case HTTP-36 TOOL-27 AUTH-03 AUTH-11 AUTH-12 lets a reader read, and names the scope for changes", async () => {
    const headers = { ...bearer(server.alice.reads), ...(await server.open(server.alice.reads)) };
    expect(await resultText(await server.post(headers, call("look")))).toBe(`${server.authorization.issuer} sub:alice`);
    expect(await refusal(await server.post(headers, call("change")), 403)).toMatch(insufficient(WRITE));
    expect(server.kept.writes).toBe(0);
  });

  test("case HTTP-36 TOOL-27 lists a forbidden tool and refuses its call", async () => {
    const headers = { ...bearer(server.alice.reads), ...(await server.open(server.alice.reads)) };
    const response = await server.post(headers, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
    expect(result.tools.map(({ name }) => name)).toEqual(["look", "change"]);
  });

  test.each([
    ["behind a call that may", [call("look", 1), call("change", 2)]],
    ["before a call that may", [call("change", 1), call("look", 2)]],
    ["alone", [call("change", 1)]],
  ])("case HTTP-36 AUTH-11 is enforced in a batch: %s", async (_title, batch) => {
    const headers = { ...bearer(server.alice.reads), ...(await server.open(server.alice.reads, "2025-03-26")) };
    expect(await refusal(await server.post(headers, batch), 403)).toMatch(insufficient(WRITE));
    expect(server.kept.writes).toBe(0);
    expect((await server.post({ ...headers, ...bearer(server.alice.writes) }, batch)).status).toBe(200);
    expect(server.kept.writes).toBe(1);
  });

  test("case HTTP-36 case HTTP-33 AUTH-11 is enforced by the legacy pair", async () => {
    await using legacy = await server.openLegacy(server.alice.reads);
    expect((await server.post(bearer(server.alice.reads), initialize("2024-11-05"), legacy.path)).status).toBe(202);
    expect((await server.post(bearer(server.alice.reads), READY, legacy.path)).status).toBe(202);
    expect(await refusal(await server.post(bearer(server.alice.reads), call("change"), legacy.path), 403)).toMatch(insufficient(WRITE));
    expect(server.kept.writes).toBe(0);
    expect((await server.post(bearer(server.alice.writes), call("change"), legacy.path)).status).toBe(202);
    expect(server.kept.writes).toBe(1);
  });

  test("case HTTP-36 is enforced for a notification, which runs nothing", async () => {
    const headers = { ...bearer(server.alice.reads), ...(await server.open(server.alice.reads)) };
    const { status } = await server.post(headers, { jsonrpc: "2.0", method: "tools/call", params: { name: "change" } });
    expect([202, 403]).toContain(status);
    expect(server.kept.writes).toBe(0);
  });

  test("AUTH-13 of writing includes reading", async () => {
    const headers = { ...bearer(server.alice.writes), ...(await server.open(server.alice.writes)) };
    expect(await resultText(await server.post(headers, call("look")))).toBe(`${server.authorization.issuer} sub:alice`);
    expect(await resultText(await server.post(headers, call("change")))).toBe("changed 1");
  });

  test.each([
    ["POST", "/mcp"],
    ["GET", "/mcp"],
    ["DELETE", "/mcp"],
    ["GET", "/sse"],
  ])("case HTTP-36 AUTH-11 is required of every token: %s %s", async (method, path) => {
    const session = await server.open(server.alice.reads);
    const response = await server.send(
      method,
      path,
      { ...bearer(server.alice.nothing), ...session },
      method === "POST" ? call("look") : undefined,
    );
    const { status } = response;
    const challenge = response.headers.get("www-authenticate");
    await response.body?.cancel();
    expect(status).toBe(403);
    expect(challenge).toMatch(insufficient(READ));
  });
});

describe("sessions", () => {
  const verbs: [method: string, body: object | undefined][] = [
    ["POST", call("change")],
    ["GET", undefined],
    ["DELETE", undefined],
  ];

  test.each(verbs)("case HTTP-17 SESS-13 treat a foreign session as missing: %s", async (method, body) => {
    const session = await server.open(server.alice.writes);
    const unknown = await server.send(method, "/mcp", { ...bearer(server.bob), "mcp-session-id": "x".repeat(32) }, body);
    const others = await server.send(method, "/mcp", { ...bearer(server.bob), ...session }, body);
    expect([others.status, await others.text()]).toEqual([404, await unknown.text()]);
    expect(unknown.status).toBe(404);
    expect(server.kept.writes).toBe(0);
    expect(await resultText(await server.post({ ...bearer(server.alice.writes), ...session }, call("change")))).toBe("changed 1");
  });

  test.each(verbs)("case HTTP-17 SESS-12 refuse a session id as a token: %s", async (method, body) => {
    const session = await server.open(server.alice.writes);
    expect(await refusal(await server.send(method, "/mcp", session, body), 401)).toBe(CHALLENGE);
    expect(server.kept.writes).toBe(0);
    expect(await resultText(await server.post({ ...bearer(server.alice.writes), ...session }, call("change")))).toBe("changed 1");
  });

  test("case HTTP-17 case HTTP-33 SESS-12 SESS-13 refuse foreign sessions by the legacy pair", async () => {
    await using legacy = await server.openLegacy(server.alice.writes);
    expect((await server.post(bearer(server.alice.writes), initialize("2024-11-05"), legacy.path)).status).toBe(202);
    const unknown = await server.post(bearer(server.bob), call("change"), `/messages?sessionId=${"x".repeat(32)}`);
    const others = await server.post(bearer(server.bob), call("change"), legacy.path);
    expect([others.status, await others.text()]).toEqual([404, await unknown.text()]);
    expect(await refusal(await server.post({}, call("change"), legacy.path), 401)).toBe(CHALLENGE);
    expect(server.kept.writes).toBe(0);
    expect((await server.post(bearer(server.alice.writes), READY, legacy.path)).status).toBe(202);
    expect((await server.post(bearer(server.alice.writes), call("change"), legacy.path)).status).toBe(202);
    expect(server.kept.writes).toBe(1);
  });

  test("SESS-13 belong to the principal, and continue with a newer token", async () => {
    const session = await server.open(server.alice.reads);
    const newer = await server.authorization.token("alice", READ, AUDIENCE);
    expect(newer).not.toBe(server.alice.reads);
    expect(await resultText(await server.post({ ...bearer(newer), ...session }, call("look")))).toBe(
      `${server.authorization.issuer} sub:alice`,
    );
  });
});
