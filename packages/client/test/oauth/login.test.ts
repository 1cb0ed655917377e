// The method `login`, and logins that end early or that the authorization server refuses.
import { connect as connectSocket } from "node:net";
import { once } from "node:events";
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
let url: string;
beforeEach(async () => {
  issuer = await startAuthorizationServer();
  server = await startResourceServer(issuer);
  store = memoryStore();
  url = `${server.origin}/mcp`;
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

const create = (options: Parameters<typeof authorizeUser>[0] = {}): OAuthAuthorization =>
  authorizeUser({ store, openBrowser: followLogin, loginTimeoutMs: 3000, ...options });

async function request(authorize = create(), { method = "POST" as "POST" | "DELETE", signal = AbortSignal.timeout(10_000) } = {}) {
  const { status } = await new HttpEndpoint({ url, authorize }).request({ method, headers: {}, signal });
  return status;
}

const registrations = (): number => issuer.requests.filter((line) => line === "POST /register").length;

describe("login", () => {
  test("replaces stored tokens only with force", async () => {
    expect(await create().login(url)).toBe(true);
    expect(await create().login(url)).toBe(true);
    expect(issuer.logins).toHaveLength(1);
    expect(await create().login(url, { force: true })).toBe(true);
    expect(issuer.logins).toHaveLength(2);
    expect(await request()).toBe(200);
  });

  test("uses the scope and the resource metadata of the challenge", async () => {
    await using special = await startHttp((incoming, response) => {
      const metadata = `${special.origin}/special/metadata`;
      if (incoming.url === "/special/metadata")
        return sendJson(response, { resource: `${special.origin}/mcp`, authorization_servers: [issuer.origin] });
      response.writeHead(incoming.url === "/mcp" ? 401 : 404, {
        "www-authenticate": `Bearer scope="notes:read", resource_metadata="${metadata}"`,
      });
      response.end();
    });
    expect(await create().login(`${special.origin}/mcp`)).toBe(true);
    expect(issuer.logins.map((login) => login.get("scope"))).toEqual(["notes:read"]);
  });

  test.each([200, 400])("is not needed at a server that answers %i and names no authorization server", async (status) => {
    await using open = await startHttp((incoming, response) => void response.writeHead(incoming.url === "/mcp" ? status : 404).end("{}"));
    expect(await create().login(`${open.origin}/mcp`)).toBe(false);
  });

  test.each([
    [404, /HTTP status 404 .* Check its URL/],
    [503, /not available: HTTP status 503/],
  ])("reports a server that answers %i", async (status, reason) => {
    await using other = await startHttp((incoming, response) => void response.writeHead(incoming.url === "/mcp" ? status : 404).end());
    await expect(create().login(`${other.origin}/mcp`)).rejects.toThrow(reason);
  });

  test("ends with its signal, and frees the port", async () => {
    const abort = new AbortController();
    let redirect = "";
    const authorize = create({
      openBrowser(page) {
        redirect = page.searchParams.get("redirect_uri") ?? "";
        abort.abort(new Error("enough"));
      },
    });
    await expect(authorize.login(url, { signal: abort.signal })).rejects.toThrow("enough");
    await expect(fetch(redirect)).rejects.toThrow("fetch failed");
  });

  test("ends with its signal while a server does not answer", async () => {
    const abort = new AbortController();
    await using silent = await startHttp(() => abort.abort(new Error("enough")));
    await expect(create().login(`${silent.origin}/mcp`, { signal: abort.signal })).rejects.toThrow("enough");
  });

  test("closes connections that the browser has opened in advance", async () => {
    let isClosed: Promise<unknown> | undefined;
    const authorize = create({
      async openBrowser(page) {
        const socket = connectSocket(Number(new URL(page.searchParams.get("redirect_uri") ?? "").port), "127.0.0.1");
        await once(socket, "connect");
        isClosed = once(socket.resume(), "close");
        await followLogin(page);
      },
    });
    await authorize.login(url);
    await isClosed;
  });
});

describe("a request", () => {
  test("ends with its signal during a login, whose tokens serve the next request", async () => {
    const abort = new AbortController();
    const opened = Promise.withResolvers<URL>();
    const authorize = create({ openBrowser: (page) => opened.resolve(page) });
    const first = request(authorize, { signal: abort.signal });
    const page = await opened.promise;
    abort.abort(new Error("enough"));
    await expect(first).rejects.toThrow("enough");
    const second = request(authorize);
    await followLogin(page);
    expect(await second).toBe(200);
    expect(issuer.logins).toHaveLength(1);
  });

  test("starts no login when it deletes a session", async () => {
    expect(await request(create(), { method: "DELETE" })).toBe(401);
    expect(issuer.logins).toEqual([]);
  });
});

describe("a registration", () => {
  test("is replaced after an incomplete login", async () => {
    await expect(request(create({ openBrowser: () => undefined, loginTimeoutMs: 50 }))).rejects.toThrow(/not completed in time/);
    expect(await request()).toBe(200);
    expect(await request()).toBe(200);
    expect(registrations()).toBe(2);
  });

  test("is replaced when the authorization server no longer knows the client", async () => {
    issuer.answerToken = (_form, response) => sendJson(response, { error: "invalid_client" }, 401, { "www-authenticate": "Basic" });
    await expect(request()).rejects.toMatchObject({ code: "invalid_client" });
    issuer.answerToken = undefined;
    expect(await request()).toBe(200);
    expect(registrations()).toBe(2);
  });

  test("is replaced when its secret has expired", async () => {
    await request();
    const stored = await store.registration(issuer.origin);
    await store.saveRegistration(issuer.origin, { ...stored!, clientSecret: "secret", secretExpiresAt: Date.now() - 1 });
    issuer.tokens.clear();
    expect(await request()).toBe(200);
    expect(registrations()).toBe(2);
  });
});

describe("tokens", () => {
  test("are sent to no server in clear text over a network", async () => {
    const clear = new URL("http://192.0.2.1/mcp");
    await store.saveTokens(clear.href, { issuer: issuer.origin, resource: clear.href, accessToken: "t", tokenType: "bearer", scopes: [] });
    expect(await create().headers({ method: "POST", url: clear, server: clear })).toEqual({});
    await expect(create().login(clear, { force: true })).rejects.toThrow(/Invalid URL of the server: expected an https URL/);
  });

  test("of one tenant in the query are not sent to another", async () => {
    const tenant = (name: string): URL => new URL(`${url}?tenant=${name}`);
    await create().login(tenant("a"));
    const headersFor = (one: URL) => create().headers({ method: "POST", url: one, server: one });
    expect(await headersFor(tenant("a"))).toMatchObject({ authorization: expect.stringMatching(/^Bearer token-/) });
    expect(await headersFor(tenant("b"))).toEqual({});
  });

  test("that a store has for another resource are not sent", async () => {
    const resource = "https://other.example/mcp";
    await store.saveTokens(url, { issuer: issuer.origin, resource, accessToken: "t", tokenType: "bearer", scopes: [] });
    expect(await create().headers({ method: "POST", url: new URL(url), server: new URL(url) })).toEqual({});
  });
});
