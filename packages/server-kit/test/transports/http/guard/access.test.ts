// The challenge of a refused token. https://www.rfc-editor.org/rfc/rfc6750#section-3
import { describe, expect, test } from "vitest";
import { defineServer, tool } from "../../../../src/index.ts";
import { Access } from "../../../../src/transports/http/guard/access.ts";
import type { Authenticator } from "../../../../src/transports/http/guard/authenticator.ts";
import type { HttpExchange } from "../../../../src/transports/http/http-exchange.ts";
import { parseHeaders } from "../../../../src/transports/http/request-headers.ts";

const server = defineServer({ name: "s", version: "1", tools: [] });
const access = (check: Authenticator["check"]): Access =>
  new Access({ server, path: "/mcp", auth: { check }, scope: "files", log: () => undefined });
const request = (...headers: string[]): HttpExchange => ({ headers: parseHeaders(["Host", "localhost", ...headers]) }) as HttpExchange; // all that is read

describe("a token that is refused", () => {
  test.each([
    ["wrong token", "wrong token"],
    ['a "quoted" reason\r\nX-Injected: 1 \\ ü', "a ?quoted? reason??X-Injected: 1 ? ?"],
  ])("is answered with 401, and the reason %j in its header", async (denied, expected) => {
    const refused = access(() => ({ denied })).authenticate(request("Authorization", "Bearer x"));
    await expect(refused).rejects.toMatchObject({
      status: 401,
      options: { headers: ["WWW-Authenticate", `Bearer realm="files", error="invalid_token", error_description="${expected}"`] },
    });
  });

  test("is answered with 503 and the time to wait when it cannot be verified", async () => {
    const refused = access(() => Promise.reject(new Error("no keys"))).authenticate(request("Authorization", "Bearer x"));
    const message = "Access cannot be verified now. Retry shortly.";
    await expect(refused).rejects.toMatchObject({ status: 503, message, options: { headers: ["Retry-After", "5"] } });
  });

  test.each([[["Authorization", "Basic eA=="]], [["Authorization", "Bearer"]], [[]]])(
    "gets 401 instead of a bearer token: %j",
    async (headers) => {
      const never = access(() => {
        throw new Error("not called");
      });
      await expect(never.authenticate(request(...headers))).rejects.toMatchObject({ status: 401 });
    },
  );
});

describe("a challenge", () => {
  test.each([
    [[], "Missing bearer token.", 'Bearer realm="files"'],
    [
      ["Authorization", "Basic x"],
      "Invalid access token.",
      'Bearer realm="files", error="invalid_token", error_description="the Authorization header has no bearer token"',
    ],
  ])("has for the headers %j the message %j", async (headers, message, challenge) => {
    const refused = access(() => ({ denied: "" })).authenticate(request(...headers));
    await expect(refused).rejects.toMatchObject({ status: 401, message, options: { headers: ["WWW-Authenticate", challenge] } });
  });

  test.each([
    ["https://x.example", "https://x.example/.well-known/oauth-protected-resource"],
    ["https://x.example:8443/a/b", "https://x.example:8443/.well-known/oauth-protected-resource/a/b"],
    ["http://127.0.0.1/other", "http://localhost/.well-known/oauth-protected-resource/mcp"],
    ["urn:x", "http://localhost/.well-known/oauth-protected-resource/mcp"],
    ["no URL", "http://localhost/.well-known/oauth-protected-resource/mcp"],
  ])("names for the resource %s the metadata at %s", async (resource, url) => {
    const auth = { check: () => ({ denied: "" }), metadata: { resource, authorization_servers: [] } };
    const guard = new Access({ server, path: "/mcp", auth, scope: "files", log: () => undefined });
    await expect(guard.authenticate(request())).rejects.toMatchObject({
      options: { headers: ["WWW-Authenticate", `Bearer resource_metadata="${url}", scope="files:read"`] },
    });
  });
});

describe("the scope of a token", () => {
  const tools = [
    tool({ name: "look", hints: { readOnly: true }, run: () => "" }),
    tool({ name: "change", hints: { readOnly: false }, run: () => "" }),
    tool({ name: "plain", run: () => "" }),
  ];
  const metadata = { resource: "https://x.example/mcp", authorization_servers: [] };
  const shop = defineServer({ name: "s", version: "1", tools });
  const auth = { check: () => ({ denied: "" }), metadata };
  const guardWith = (log: (level: "warning", data: unknown) => void): Access =>
    new Access({ server: shop, path: "/mcp", auth, scope: "files", log });
  const guard = guardWith(() => undefined);
  const call = (name: unknown) => ({ method: "tools/call", params: { name } });
  const authorize = (message: unknown, ...scopes: string[]): void =>
    guard.authorize(request(), { principal: "p", scopes, claims: {} }, message);

  test.each<[what: string, message: unknown]>([
    ["a call of a tool that may change something", call("change")],
    ["a call of a tool without hints", call("plain")],
    ["a batch with such a call", [call("look"), call("change")]],
  ])("must include writing for %s", (_what, message) => {
    expect(() => authorize(message, "files:write")).not.toThrow();
    const challenge =
      'Bearer resource_metadata="https://x.example/.well-known/oauth-protected-resource/mcp", scope="files:write", ' +
      'error="insufficient_scope", error_description="this needs the scope files:write"';
    expect(() => authorize(message, "files:read")).toThrow(
      expect.objectContaining({ status: 403, options: { headers: ["WWW-Authenticate", challenge] } }),
    );
  });

  test("is logged with the person whose token lacks it", () => {
    const lines: unknown[] = [];
    const caller = { principal: "ada", scopes: ["files:read"], claims: {} };
    expect(() => guardWith((_level, data) => lines.push(data)).authorize(request(), caller, call("change"))).toThrow("Insufficient scope");
    expect(lines).toEqual([expect.stringContaining("with status 403: the token of ada lacks the scope files:write.")]);
  });

  test.each<[what: string, message: unknown]>([
    ["a call of a tool that only reads", call("look")],
    ["a call of an unknown tool", call("none")],
    ["a call without a name", call(undefined)],
    ["another method", { method: "tools/list", params: { name: "change" } }],
    ["a call without params", { method: "tools/call" }],
    ["an empty batch", []],
    ["a request without a message", undefined],
  ])("may be that of reading for %s", (_what, message) => {
    expect(() => authorize(message, "files:read")).not.toThrow();
    expect(() => authorize(message, "other:read")).toThrow(expect.objectContaining({ status: 403 }));
  });

  test.each([
    ["/.well-known/oauth-protected-resource", true],
    ["/.well-known/oauth-protected-resource/", true],
    ["/.well-known/oauth-protected-resource/mcp", true],
    ["/.well-known/oauth-protected-resource/other", false],
    ["/.well-known/oauth-protected-resourcemcp", false],
    ["/mcp", false],
  ])("is described at %s: %j", (path, isThere) => {
    expect(guard.isMetadataPath(path)).toBe(isThere);
    expect(access(() => ({ denied: "" })).isMetadataPath(path)).toBe(false);
  });
});
