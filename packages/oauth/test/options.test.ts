// Several issuers and audiences, scopes of one's own, the skew of clocks, and tokens that only their server can read.
import { defineServer, tool } from "@oarlock/server-kit";
import { toFetch } from "@oarlock/server-kit/fetch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oauth, type OAuthOptions } from "../src/index.ts";
import { startAuthorizationServer, type AuthorizationServer } from "./fixtures/authorization-server.ts";
import { startHttp, type Http } from "./fixtures/http.ts";

const AUDIENCES = ["https://mcp.example.com/mcp", "https://old.example.com/mcp"];

let one: AuthorizationServer;
let other: AuthorizationServer;
let stranger: AuthorizationServer;
beforeAll(async () => {
  [one, other, stranger] = await Promise.all([startAuthorizationServer(), startAuthorizationServer(), startAuthorizationServer()]);
});
afterAll(() => Promise.all([one, other, stranger].map((server) => server[Symbol.asyncDispose]())));

const now = (): number => Math.floor(Date.now() / 1000);
const claimsOf = (server: AuthorizationServer, changes: object = {}): object => ({
  iss: server.issuer,
  aud: AUDIENCES[0],
  sub: "anna",
  scope: "files:read",
  exp: now() + 600,
  ...changes,
});
const both = (options: Partial<OAuthOptions> = {}) => oauth({ issuer: [one.issuer, other.issuer], audience: AUDIENCES, ...options });

describe("several issuers and audiences", () => {
  test("take the tokens of each, and a caller of one is none of the other", async () => {
    const auth = both();
    const callers = [];
    for (const server of [one, other])
      for (const aud of AUDIENCES) callers.push(await auth.check(await server.sign(claimsOf(server, { aud }))));
    expect(callers.map((caller) => "principal" in caller && caller.principal)).toEqual(
      [one, one, other, other].map(({ issuer }) => `${issuer} sub:anna`),
    );
    expect(auth.metadata).toEqual({ resource: AUDIENCES[0], authorization_servers: [one.issuer, other.issuer] });
  });

  test("take no token of a third, and none that one signs in the name of another", async () => {
    const auth = both();
    for (const token of [
      await stranger.sign(claimsOf(stranger)),
      await one.sign(claimsOf(other)),
      await other.sign(claimsOf(one)),
      await one.sign(claimsOf(stranger)),
    ])
      expect(await auth.check(token)).toHaveProperty("denied");
    expect(await auth.check(await other.sign(claimsOf(other, { aud: "https://third.example.com" })))).toEqual({
      denied: "the token is for another audience",
    });
  });

  test.each([
    [{ issuer: [] }, "OAuth issuer"],
    [{ issuer: ["https://a.example", "ftp://b.example"] }, "OAuth issuer"],
    [{ audience: [] }, "OAuth audience"],
    [{ audience: ["https://a.example", "b"] }, "OAuth audience"],
    [{ clockToleranceS: -1 }, "clockToleranceS: expected 0 to 300"],
    [{ clockToleranceS: 301 }, "clockToleranceS"],
    [{ clockToleranceS: Number.NaN }, "clockToleranceS"],
    [{ introspection: { endpoint: "http://a.example", clientId: "a", clientSecret: "b" } }, "introspection endpoint"],
  ])("are refused as %j", (options, words) => expect(() => both(options)).toThrow(words));
});

test.each([
  [0, -2, false],
  [60, -50, true],
  [60, -70, false],
])("a skew of %i s takes a token that expired %i s ago: %s", async (clockToleranceS, seconds, isTaken) => {
  const checked = await both({ clockToleranceS }).check(await one.sign(claimsOf(one, { exp: now() + seconds })));
  expect("principal" in checked).toBe(isTaken);
});

describe("scopes of one's own", () => {
  const tools = [tool({ name: "look", hints: { readOnly: true }, run: () => "seen" }), tool({ name: "change", run: () => "changed" })];

  async function statusOf(scope: string, name: string): Promise<[number, string | null]> {
    const auth = both({ scopes: { read: "notes.view", write: "notes.edit" } });
    const handle = toFetch(defineServer({ name: "notes", version: "1", tools }), { auth });
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const response = await handle(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          authorization: `Bearer ${await one.sign(claimsOf(one, { scope }))}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": name,
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {}, _meta: meta } }),
      }),
    );
    await handle.close(0);
    return [response.status, response.headers.get("www-authenticate")];
  }

  test("are demanded, named in challenges, and that for writing includes that for reading", async () => {
    expect(await statusOf("notes.view", "look")).toEqual([200, null]);
    expect(await statusOf("notes.edit", "look")).toEqual([200, null]);
    expect(await statusOf("notes.edit", "change")).toEqual([200, null]);
    expect(await statusOf("notes.view", "change")).toEqual([403, expect.stringContaining('scope="notes.edit"')]);
    expect((await statusOf("notes:write", "look"))[0]).toBe(403);
  });
});

describe("an opaque token", () => {
  let http: Http;
  const forms: string[] = [];
  let answer: object | number = {};
  beforeAll(async () => {
    http = await startHttp((request, response) => {
      let form = "";
      request.on("data", (text) => (form += String(text)));
      request.on("end", () => {
        forms.push(form);
        if (typeof answer === "number") response.writeHead(answer).end();
        else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
    });
  });
  afterAll(() => http[Symbol.asyncDispose]());

  const check = (given: object | number): unknown => {
    answer = given;
    const introspection = { endpoint: `${http.origin}/introspect`, clientId: "mcp", clientSecret: "s:cret" };
    return both({ introspection }).check("opaque-token");
  };
  const active = { active: true, sub: "anna", scope: "files:read", aud: AUDIENCES[1], exp: 4_000_000_000, client_id: "app" };

  test("is verified by its server", async () => {
    expect(await check({ ...active, iss: one.issuer })).toMatchObject({ principal: `${one.issuer} sub:anna`, scopes: ["files:read"] });
    expect(forms.at(-1)).toBe("token=opaque-token&token_type_hint=access_token");
    expect(http.headers.at(-1)).toContain(`Basic ${btoa("mcp:s%3Acret")}`);
    expect(await check(active)).toMatchObject({ principal: `${http.origin} sub:anna`, expiresAt: (4_000_000_000 + 5) * 1000 });
  });

  test.each([
    [{ active: false }, "the token is not active"],
    [{ ...active, active: "true" }, "the token is not active"],
    [{ ...active, aud: undefined }, "the token is for another audience"],
    [{ ...active, aud: ["https://third.example.com"] }, "the token is for another audience"],
    [{ ...active, exp: undefined }, "the token has no expiry"],
    [{ ...active, cnf: { jkt: "x" } }, "the token is bound to a key, which this server cannot check"],
    [{ ...active, sub: undefined, client_id: undefined }, "the token has no subject"],
  ])("is denied after %j", async (given, denied) => expect(await check(given)).toEqual({ denied }));

  test.each([401, 500, 302])("is not verified after status %i", async (status) => {
    await expect(check(status)).rejects.toThrow("the token cannot be verified at");
  });

  test("is denied without introspection, and a signed one is verified by its keys", async () => {
    expect(await both().check("opaque-token")).toEqual({ denied: "the token cannot be read" });
    const before = forms.length;
    answer = active;
    const introspection = { endpoint: http.origin, clientId: "mcp", clientSecret: "s" };
    expect(await both({ introspection }).check(await one.sign(claimsOf(one)))).toHaveProperty("principal");
    expect(forms).toHaveLength(before);
  });
});
