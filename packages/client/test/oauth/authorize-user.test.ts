// The login of a user, and what hostile servers try with it.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { authorizeUser, fileStore, memoryStore, type CredentialStore, type OAuthAuthorization } from "@oarlock/client/oauth";
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

async function request(authorize = create()): Promise<number> {
  const endpoint = new HttpEndpoint({ url: `${server.origin}/mcp`, authorize });
  return (await endpoint.request({ method: "POST", headers: {}, body: "{}", signal: AbortSignal.timeout(10_000) })).status;
}

describe("login", () => {
  test("sends PKCE, state and the resource (AUTH-41, AUTH-43)", async () => {
    expect(await request()).toBe(200);
    const [login] = issuer.logins;
    expect(Object.fromEntries(login!)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      resource: `${server.origin}/mcp`,
    });
    expect(issuer.tokenRequests[0]!.get("resource")).toBe(`${server.origin}/mcp`);
  });

  test("happens once for concurrent requests", async () => {
    const authorize = create();
    expect(await Promise.all([request(authorize), request(authorize), request(authorize)])).toEqual([200, 200, 200]);
    expect(issuer.logins).toHaveLength(1);
  });

  test("extends the scopes when the server demands another (AUTH-61)", async () => {
    const authorize = create();
    server.scope = "read";
    await request(authorize);
    server.scope = "write";
    expect(await request(authorize)).toBe(200);
    expect(issuer.logins.map((login) => login.get("scope"))).toEqual(["read", "read write"]);
  });

  test("is not repeated for a scope that is never granted (AUTH-60)", async () => {
    server.scope = "admin";
    issuer.answerToken = (_form, response) => {
      issuer.tokens.set("weak", "");
      sendJson(response, { access_token: "weak", token_type: "Bearer" });
    };
    expect(await request()).toBe(403);
    expect(issuer.logins).toHaveLength(1);
  });

  test("is replaced by a refresh when the authorization server is the same", async () => {
    const authorize = create();
    await request(authorize);
    issuer.tokens.clear();
    expect(await request(authorize)).toBe(200);
    expect(issuer.tokenRequests.map((form) => form.get("grant_type"))).toEqual(["authorization_code", "refresh_token"]);
    expect(await store.tokens(`${server.origin}/mcp`)).toMatchObject({ refreshToken: expect.stringMatching(/^refresh-/) });
  });

  test("starts again at another authorization server, without the old credentials (AUTH-58)", async () => {
    const authorize = create();
    await request(authorize);
    await using other = await startAuthorizationServer();
    server.issuer = other;
    expect(await request(authorize)).toBe(200);
    expect(other.requests).toContain("POST /register");
    expect(other.tokenRequests.map((form) => form.get("grant_type"))).toEqual(["authorization_code"]);
  });
});

test("reports a server that names no authorization server", async () => {
  await using fixed = await startHttp((incoming, response) =>
    response.writeHead(incoming.url === "/mcp" ? 401 : 404, { "www-authenticate": 'Bearer realm="mcp"' }).end(),
  );
  const endpoint = new HttpEndpoint({ url: `${fixed.origin}/mcp`, authorize: create() });
  const answer = endpoint.request({ method: "POST", headers: {}, body: "{}", signal: AbortSignal.timeout(10_000) });
  await expect(answer).rejects.toThrow(
    /demands an access token and names no authorization server\. Pass a token .* in the header Authorization/,
  );
});

describe("tokens", () => {
  const expire = async (): Promise<void> => {
    const url = `${server.origin}/mcp`;
    await store.saveTokens(url, { ...(await store.tokens(url))!, expiresAt: Date.now() + 1000 });
  };

  test("are refreshed before they expire, once for concurrent requests", async () => {
    await request();
    await expire();
    const authorize = create();
    expect(await Promise.all([request(authorize), request(authorize)])).toEqual([200, 200]);
    expect(issuer.tokenRequests.map((form) => form.get("grant_type"))).toEqual(["authorization_code", "refresh_token"]);
    expect(server.authorizations.filter((header) => header === undefined)).toHaveLength(1);
  });

  test("keep the scopes of step-ups when the user has to log in again", async () => {
    const authorize = create();
    server.scope = "read";
    await request(authorize);
    server.scope = "write";
    await request(authorize);
    issuer.tokens.clear();
    issuer.answerToken = (form, response) => {
      if (form.get("grant_type") === "refresh_token") return sendJson(response, { error: "invalid_grant" }, 400);
      issuer.tokens.set("new", issuer.logins.at(-1)?.get("scope") ?? "");
      sendJson(response, { access_token: "new", token_type: "Bearer" });
    };
    expect(await request(authorize)).toBe(200);
    expect(issuer.logins.at(-1)?.get("scope")).toBe("read write");
  });

  test("in a file are refreshed by one process only, and the others use its result", async () => {
    const folder = mkdtempSync(join(tmpdir(), "oarlock-credentials-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "credentials.json");
    store = fileStore(path);
    await request();
    await expire();
    // Two processes have a store each, and have read the same tokens.
    const both = [create({ store: fileStore(path) }), create({ store: fileStore(path) })];
    expect(await Promise.all(both.map((authorize) => request(authorize)))).toEqual([200, 200]);
    expect(issuer.tokenRequests.filter((form) => form.get("grant_type") === "refresh_token")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(["credentials.json"]);
  });
});

describe("attacks", () => {
  const expectRefused = async (reason: RegExp): Promise<void> => {
    await expect(request()).rejects.toThrow(reason);
    expect(server.authorizations.filter((header) => header !== undefined)).toEqual([]);
  };

  test("refuses a mix-up: a redirect of another issuer (AUTH-49)", async () => {
    issuer.redirect = (parameters) => parameters.set("iss", "https://evil.example");
    await expectRefused(/Login failed/);
    expect(issuer.tokenRequests).toEqual([]);
  });

  test("refuses a redirect without the promised issuer (AUTH-50)", async () => {
    issuer.redirect = (parameters) => parameters.delete("iss");
    await expectRefused(/Login failed/);
    expect(issuer.tokenRequests).toEqual([]);
  });

  test("hides the error of another issuer (AUTH-52)", async () => {
    issuer.redirect = (parameters) => {
      parameters.set("iss", "https://evil.example");
      parameters.set("error", "pay_here");
    };
    await expect(request()).rejects.not.toThrow(/pay_here/);
  });

  test("refuses metadata of another issuer (AUTH-48)", async () => {
    issuer.metadata = { issuer: `${issuer.origin}/other` };
    await expectRefused(/another authorization server/);
    expect(issuer.logins).toEqual([]);
  });

  test("refuses resource metadata of another server", async () => {
    server.metadata = { resource: "https://evil.example/mcp" };
    await expectRefused(/another server/);
    expect(issuer.requests).toEqual([]);
  });

  test.each([[undefined], [["plain"]]])("refuses a server without PKCE: %j (AUTH-42)", async (methods) => {
    issuer.metadata = { code_challenge_methods_supported: methods };
    await expectRefused(/does not support PKCE/);
    expect(issuer.logins).toEqual([]);
  });

  test("ignores a code with another state, and accepts the right one (AUTH-63)", async () => {
    const authorize = create({
      async openBrowser(url) {
        const injected = new URL(url.searchParams.get("redirect_uri")!);
        injected.search = new URLSearchParams({ code: "stolen", state: "guessed", iss: issuer.origin }).toString();
        expect((await fetch(injected)).status).toBe(400);
        await followLogin(url);
      },
    });
    expect(await request(authorize)).toBe(200);
    expect(issuer.tokenRequests.map((form) => form.get("code"))).not.toContain("stolen");
  });

  test("gives no token for a code of another login", async () => {
    issuer.redirect = (parameters) => parameters.set("code", "stolen");
    await expectRefused(/invalid_grant/);
  });

  test("redirects the browser nowhere, whatever the parameters say", async () => {
    let page: Response | undefined;
    issuer.redirect = (parameters) => {
      for (const name of ["redirect", "next", "url", "return_to"]) parameters.set(name, "https://evil.example/<script>");
    };
    await request(create({ openBrowser: async (url) => void (page = await fetch(url)) }));
    expect(page!.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    expect(await page!.text()).toBe("You can close this page.\n");
    expect(page!.headers.get("content-security-policy")).toBe("default-src 'none'");
  });

  test.each(["javascript:alert(1)", "file:///etc/passwd", "http://192.0.2.1/authorize"])(
    "refuses the login page %s (SEC-02)",
    async (page) => {
      issuer.metadata = { authorization_endpoint: page };
      await expectRefused(/Invalid authorization_endpoint/);
    },
  );

  test("follows no redirect of the token endpoint", async () => {
    await using thief = await startHttp((_request, response) => void response.end());
    issuer.answerToken = (_form, response) => void response.writeHead(307, { location: `${thief.origin}/token` }).end();
    await expectRefused(/Redirect from .* refused/);
    expect(thief.requests).toEqual([]);
  });

  test("sends no token to another origin after a redirect (AUTH-40)", async () => {
    const authorize = create();
    await request(authorize);
    await using thief = await startHttp((_request, response) => void response.end());
    await using redirecting = await startHttp(
      (_request, response) => void response.writeHead(307, { location: `${thief.origin}/mcp` }).end(),
    );
    await expect(
      authorize.headers({ method: "POST", url: new URL(`${thief.origin}/mcp`), server: new URL(`${server.origin}/mcp`) }),
    ).resolves.toEqual({});
    const endpoint = new HttpEndpoint({ url: `${redirecting.origin}/mcp`, token: "secret-token" });
    const { status } = await endpoint.request({ method: "POST", headers: {}, body: "{}", signal: AbortSignal.timeout(5000) });
    expect(status).toBe(307);
    expect(thief.requests).toEqual([]);
  });

  test("keeps the tokens of one server from another (AUTH-65)", async () => {
    const authorize = create();
    await request(authorize);
    await using other = await startResourceServer(issuer);
    const endpoint = new HttpEndpoint({ url: `${other.origin}/mcp`, authorize });
    await expect(endpoint.request({ method: "POST", headers: {}, signal: AbortSignal.timeout(5000) })).rejects.toThrow(/another server/);
    expect(other.requests).toEqual([]);
  });

  test("stops reading an oversized document", async () => {
    server.metadata = { padding: "x".repeat(300_000) };
    await expectRefused(/Response too long/);
  });

  test("hides secrets that the authorization server repeats", async () => {
    const secret = "Zx9-very-secret-value-1234567890";
    issuer.answerToken = (form, response) =>
      sendJson(response, { error: "invalid_grant", error_description: `${secret} ${form.get("code_verifier")}` }, 400);
    const error: unknown = await request().catch((reason: unknown) => reason);
    const verifier = issuer.tokenRequests[0]!.get("code_verifier")!;
    expect(error).toMatchObject({ name: "AuthorizationError", code: "invalid_grant" });
    expect(JSON.stringify([String(error), (error as Error).stack, (error as Error).cause])).not.toContain(secret);
    expect(String((error as Error).stack)).not.toContain(verifier);
  });
});
