// Refresh tokens, step-ups and nonces: what follows when a server refuses a token.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { authorizeUser, memoryStore, type CredentialStore, type OAuthAuthorization } from "@oarlock/client/oauth";
import { HttpEndpoint } from "../../src/transports/http/http-endpoint.ts";
import {
  followLogin,
  sendJson,
  startAuthorizationServer,
  startHttp,
  startResourceServer,
  type AuthorizationServer,
  type ResourceServer,
} from "../support/authorization-servers.ts";

let issuer: AuthorizationServer;
let server: ResourceServer;
let store: CredentialStore;
let url: URL;
beforeEach(async () => {
  issuer = await startAuthorizationServer();
  server = await startResourceServer(issuer);
  store = memoryStore();
  url = new URL(`${server.origin}/mcp`);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const create = (options: Parameters<typeof authorizeUser>[0] = {}): OAuthAuthorization =>
  authorizeUser({ store, openBrowser: followLogin, loginTimeoutMs: 3000, ...options });

async function request(authorize = create()): Promise<number> {
  const endpoint = new HttpEndpoint({ url, authorize });
  return (await endpoint.request({ method: "POST", headers: {}, body: "{}", signal: AbortSignal.timeout(10_000) })).status;
}

/** Answers refreshes in place of the server; logins stay as they are. */
function answerRefresh(answer: NonNullable<AuthorizationServer["answerToken"]>): void {
  let count = 0;
  issuer.answerToken = (form, response) => {
    if (form.get("grant_type") === "refresh_token") return answer(form, response);
    issuer.tokens.set(`login-${++count}`, issuer.logins.at(-1)?.get("scope") ?? "");
    sendJson(response, { access_token: `login-${count}`, token_type: "Bearer" });
  };
}

const grants = (): (string | null)[] => issuer.tokenRequests.map((form) => form.get("grant_type"));

describe("a refused refresh", () => {
  beforeEach(async () => {
    await request();
    issuer.tokens.clear();
  });

  test.each(["slow_down", "temporarily_unavailable"])("with %s keeps the refresh token", async (error) => {
    answerRefresh((_form, response) => sendJson(response, { error }, 400));
    await expect(request()).rejects.toMatchObject({ code: error });
    expect(await store.tokens(url.href)).toMatchObject({ refreshToken: expect.stringMatching(/^refresh-/) });
    expect(issuer.logins).toHaveLength(1);
  });

  test("leads to a login when the body names the error beside a challenge", async () => {
    answerRefresh((_form, response) => sendJson(response, { error: "invalid_client" }, 401, { "www-authenticate": "Basic" }));
    expect(await request()).toBe(200);
    expect(issuer.logins).toHaveLength(2);
  });

  test("is not the response to a request that needs a login", async () => {
    const tokens = (await store.tokens(url.href))!;
    await store.saveTokens(url.href, { ...tokens, expiresAt: Date.now() + 1000 });
    const authorize = create();
    const isAsked = Promise.withResolvers<() => void>();
    answerRefresh((_form, response) => isAsked.resolve(() => sendJson(response, { error: "invalid_grant" }, 400)));
    const exchange = { method: "POST", url, server: url };
    const expiring = authorize.headers(exchange);
    const refuse = await isAsked.promise;
    const refused = { ...exchange, status: 401, headers: new Headers(), authorization: `Bearer ${tokens.accessToken}`, retries: 0 };
    const isAnswered = authorize.answer(refused);
    refuse();
    expect(await isAnswered).toBe(true);
    expect(await expiring).toEqual({});
    expect(issuer.logins).toHaveLength(2);
  });
});

test("leads to a login when the server refuses the refreshed token", async () => {
  await request();
  issuer.tokens.clear();
  answerRefresh((_form, response) => sendJson(response, { access_token: "unknown", token_type: "Bearer", refresh_token: "next" }));
  expect(await request()).toBe(200);
  expect(grants()).toEqual(["authorization_code", "refresh_token", "authorization_code"]);
});

test("leads to a login for a step-up of a token without scopes", async () => {
  const authorize = create();
  await request(authorize);
  server.scope = "write";
  expect(await request(authorize)).toBe(200);
  expect(grants()).toEqual(["authorization_code", "authorization_code"]);
});

test("repeats the request with a nonce that another request stored", async () => {
  const authorize = create({ draftDpop: true });
  const headers = new Headers({ "www-authenticate": 'DPoP error="use_dpop_nonce"', "dpop-nonce": "one" });
  const refused = { method: "POST", url, server: url, status: 401, headers, authorization: "DPoP x", retries: 0 };
  expect(await Promise.all([authorize.answer(refused), authorize.answer(refused)])).toEqual([true, true]);
});

describe("metadata", () => {
  test("of an issuer whose path begins with two slashes is requested from the host of the issuer", async () => {
    await using other = await startHttp((_request, response) => void response.writeHead(404).end());
    server.metadata = { authorization_servers: [`${issuer.origin}//${other.origin.slice("http://".length)}/x`] };
    await expect(request()).rejects.toThrow(/has no metadata/);
    expect(other.requests).toEqual([]);
  });

  test("without a token endpoint is refused by its name", async () => {
    issuer.metadata = { token_endpoint: undefined };
    await expect(request()).rejects.toThrow("Invalid metadata of the authorization server: expected token_endpoint");
  });

  test("with members of the wrong type is used without them", async () => {
    issuer.metadata = { scopes_supported: 7, token_endpoint_auth_methods_supported: 7 };
    server.scope = "read";
    expect(await request()).toBe(200);
  });
});

test("breaks off and is reported without a network error", async () => {
  issuer.answerToken = (_form, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "100" }).write("{");
    setImmediate(() => response.destroy());
  };
  await expect(request()).rejects.toMatchObject({ name: "AuthorizationError", message: expect.stringContaining("No response from") });
});
