// Answers of servers that the client must not take: a resource that is not the server, a token of another type, user info in addresses.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { authorizeUser, memoryStore, type CredentialStore, type OAuthAuthorization } from "@oarlock/client/oauth";
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
beforeEach(async () => {
  issuer = await startAuthorizationServer();
  server = await startResourceServer(issuer);
  store = memoryStore();
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const create = (options: Parameters<typeof authorizeUser>[0] = {}): OAuthAuthorization =>
  authorizeUser({ store, openBrowser: followLogin, loginTimeoutMs: 3000, ...options });

describe("the resource of the metadata (RFC 9728, 3.3)", () => {
  test.each([
    ["the origin", ({ origin }: URL) => origin],
    ["the root path", ({ origin }: URL) => `${origin}/`],
    ["a path below", ({ href }: URL) => `${href}/more`],
    ["a trailing slash", ({ href }: URL) => `${href}/`],
    ["another query", ({ href }: URL) => `${href}?tenant=b`],
    ["a fragment", ({ href }: URL) => `${href}#a`],
    ["user info", ({ href }: URL) => href.replace("//", "//user:pw@")],
    ["dots", ({ origin }: URL) => `${origin}/a/../mcp`],
    ["another case", ({ href }: URL) => href.replace("http", "HTTP")],
  ])("is refused with %s", async (_part, resourceOf) => {
    const url = new URL(`${server.origin}/mcp`);
    server.metadata = { resource: resourceOf(url) };
    await expect(create().login(url)).rejects.toThrow(/Resource metadata of another server/);
    expect(issuer.requests).toEqual([]);
  });

  test("is the origin in the document of the whole origin", async () => {
    await using whole = await startHttp((incoming, response) => {
      if (incoming.url === "/.well-known/oauth-protected-resource")
        return sendJson(response, { resource: whole.origin, authorization_servers: [issuer.origin] });
      response.writeHead(incoming.url === "/mcp" ? 401 : 404, { "www-authenticate": "Bearer" }).end();
    });
    expect(await create().login(`${whole.origin}/mcp`)).toBe(true);
    expect(issuer.logins[0]?.get("resource")).toBe(whole.origin);
  });

  test("has the query of the server, or none", async () => {
    for (const query of ["", "?tenant=a"]) {
      server.metadata = { resource: `${server.origin}/mcp${query}` };
      expect(await create({ store: memoryStore() }).login(`${server.origin}/mcp?tenant=a`)).toBe(true);
    }
  });
});

describe("a token", () => {
  test.each(["DPoP", "mac", "N_A"])("of the type %s that was not requested is refused and not kept", async (type) => {
    issuer.answerToken = (_form, response) => sendJson(response, { access_token: "t", token_type: type });
    const url = new URL(`${server.origin}/mcp`);
    const authorize = create();
    await expect(authorize.login(url)).rejects.toThrow(/token/);
    expect(await authorize.headers({ method: "POST", url, server: url })).toEqual({});
  });

  test.each(["bearer", "BEARER", "bEaReR"])("of the type %s is accepted, and from a store too", async (type) => {
    issuer.answerToken = (_form, response) => sendJson(response, { access_token: "t", token_type: type });
    const url = new URL(`${server.origin}/mcp`);
    await create().login(url);
    const request = { method: "POST", url, server: url };
    expect(await create().headers(request)).toEqual({ authorization: "Bearer t" });
    await store.saveTokens(url.href, { issuer: issuer.origin, resource: url.href, accessToken: "u", tokenType: type, scopes: [] });
    expect(await create().headers(request)).toEqual({ authorization: "Bearer u" });
  });

  test("of another type in a store is not sent", async () => {
    const url = new URL(`${server.origin}/mcp`);
    await store.saveTokens(url.href, { issuer: issuer.origin, resource: url.href, accessToken: "t", tokenType: "dpop", scopes: [] });
    expect(await create().headers({ method: "POST", url, server: url })).toEqual({});
  });
});

describe("the issuer of the metadata", () => {
  test.each([
    ["a slash more", (origin: string) => [origin, `${origin}/`]],
    ["a slash less", (origin: string) => [`${origin}/`, origin]],
  ])("may have %s where its path is empty", async (_title, issuersOf) => {
    const [offered = "", written = ""] = issuersOf(issuer.origin);
    server.metadata = { authorization_servers: [offered] };
    issuer.metadata = { issuer: written };
    issuer.redirect = (parameters) => parameters.set("iss", written);
    expect(await create().login(`${server.origin}/mcp`)).toBe(true);
    const client = { clientId: "known", issuer: offered };
    expect(await create({ store: memoryStore(), client }).login(`${server.origin}/mcp`)).toBe(true);
  });

  test.each([
    ["another path", ({ origin }: AuthorizationServer) => `${origin}/other`],
    ["two slashes", ({ origin }: AuthorizationServer) => `${origin}//`],
    ["another case", ({ origin }: AuthorizationServer) => origin.toUpperCase()],
  ])("is refused with %s, and the error has both", async (_title, written) => {
    issuer.metadata = { issuer: written(issuer) };
    await expect(create().login(`${server.origin}/mcp`)).rejects.toThrow(
      `Metadata of another authorization server: expected the issuer ${issuer.origin}, received ${written(issuer)}`,
    );
    expect(issuer.logins).toEqual([]);
  });
});

describe("members that are not there", () => {
  test("may be null in every document", async () => {
    server.metadata = { scopes_supported: null, resource_name: null };
    issuer.metadata = {
      scopes_supported: null,
      revocation_endpoint: null,
      dpop_signing_alg_values_supported: null,
      userinfo_endpoint: null,
    };
    issuer.answerToken = (_form, response) =>
      sendJson(response, { access_token: "t", token_type: "Bearer", refresh_token: null, expires_in: null, scope: null, id_token: null });
    expect(await create().login(`${server.origin}/mcp`)).toBe(true);
  });

  test.each(["authorization_endpoint", "registration_endpoint"])("are missed as null too: %s", async (name) => {
    issuer.metadata = { [name]: null };
    await expect(create().login(`${server.origin}/mcp`)).rejects.toThrow(/authorization server/);
  });

  test("ignores an identity without a request for it", async () => {
    issuer.answerToken = (_form, response) => sendJson(response, { access_token: "t", token_type: "Bearer", id_token: "not.a.token" });
    expect(await create().login(`${server.origin}/mcp`)).toBe(true);
  });
});

describe("of two authorization servers", () => {
  test("the second is tried when the first is away", async () => {
    await using away = await startHttp((_request, response) => void response.writeHead(503).end());
    await using broken = await startHttp((_request, response) => void response.destroy());
    server.metadata = { authorization_servers: [away.origin, broken.origin, issuer.origin] };
    expect(await create().login(`${server.origin}/mcp`)).toBe(true);
    expect(issuer.logins).toHaveLength(1);
  });

  test("the error of the first is thrown when none can be used", async () => {
    await using away = await startHttp((_request, response) => void response.writeHead(503).end());
    await using other = await startHttp((_request, response) => void response.writeHead(404).end());
    server.metadata = { authorization_servers: [away.origin, other.origin] };
    await expect(create().login(`${server.origin}/mcp`)).rejects.toThrow(/HTTP status 503/);
  });
});

describe("user info", () => {
  const withUser = (url: string): string => url.replace("//", "//user:pw@");
  test("in the address of an issuer is refused", async () => {
    server.metadata = { authorization_servers: [withUser(issuer.origin)] };
    issuer.metadata = { issuer: withUser(issuer.origin) };
    await expect(create().login(`${server.origin}/mcp`)).rejects.toThrow(/expected no user name or password/);
    expect(issuer.requests).toEqual([]);
  });

  test.each(["authorization_endpoint", "token_endpoint", "registration_endpoint"])("in %s is refused", async (name) => {
    issuer.metadata = { [name]: withUser(`${issuer.origin}/authorize`) };
    await expect(create().login(`${server.origin}/mcp`)).rejects.toThrow(/expected no user name or password/);
    expect(issuer.logins).toEqual([]);
  });

  test("in the address of the server is refused", async () => {
    await expect(create().login(withUser(`${server.origin}/mcp`))).rejects.toThrow(/expected no user name or password/);
  });
});
