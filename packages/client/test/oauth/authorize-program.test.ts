// A program with a secret, and a login whose loopback port is taken.
import { createServer } from "node:net";
import { once } from "node:events";
import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import {
  authorizeEnterprise,
  authorizeProgram,
  authorizeUser,
  draftAuthorizeWorkload,
  memoryStore,
  type ClientCredentials,
  type OAuthAuthorization,
  type WorkloadIdentity,
} from "@oarlock/client/oauth";
import { HttpEndpoint } from "../../src/transports/http/http-endpoint.ts";
import {
  followLogin,
  sendJson,
  startAuthorizationServer,
  startResourceServer,
  type AuthorizationServer,
  type ResourceServer,
} from "../support/authorization-servers.ts";

const SECRET = "the-secret-of-the-program-4711";
let issuer: AuthorizationServer;
let server: ResourceServer;
beforeEach(async () => {
  issuer = await startAuthorizationServer();
  server = await startResourceServer(issuer);
  answerPrograms(issuer);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});

/** Every program gets a token. */
function answerPrograms(server: AuthorizationServer): void {
  server.answerToken = (form, response) => {
    if (form.get("grant_type") !== "client_credentials") return sendJson(response, { error: "unsupported_grant_type" }, 400);
    server.tokens.set("of-the-program", "");
    sendJson(response, { access_token: "of-the-program", token_type: "Bearer" });
  };
}

async function request(authorize: OAuthAuthorization): Promise<number> {
  const endpoint = new HttpEndpoint({ url: `${server.origin}/mcp`, authorize });
  return (await endpoint.request({ method: "POST", headers: {}, body: "{}", signal: AbortSignal.timeout(10_000) })).status;
}

test("gets the token of a program by its secret, without a login", async () => {
  expect(await request(authorizeProgram({ clientId: "robot", clientSecret: SECRET, issuer: issuer.origin }))).toBe(200);
  expect(issuer.logins).toEqual([]);
  expect(issuer.tokenRequests.map((form) => form.get("grant_type"))).toEqual(["client_credentials"]);
});

test("uses for a program with a key and no issuer the authorization server that the server names, and no refresh token", async () => {
  const { privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    privateKeyEncoding: { format: "pem", type: "pkcs8" },
    publicKeyEncoding: { format: "pem", type: "spki" },
  });
  server.metadata = { scopes_supported: ["read"] };
  issuer.metadata = { scopes_supported: ["read", "offline_access"] };
  expect(await request(authorizeProgram({ clientId: "robot", privateKey: { pem: privateKey, algorithm: "ES256" } }))).toBe(200);
  expect(issuer.tokenRequests.map((form) => form.get("scope"))).toEqual(["read"]);
});

test("requires an issuer for credentials that a server could collect", () => {
  const secret = { clientId: "robot", clientSecret: SECRET };
  const identityProvider = { issuer: "https://idp.example", tokenEndpoint: "https://idp.example/token", clientId: "x", idToken: () => "t" };
  const workload = { clientId: "robot", assertion: () => "t" };
  // As a program without types would pass them.
  expect(() => authorizeProgram(secret as ClientCredentials)).toThrow(/expected issuer with clientSecret/);
  expect(() => authorizeEnterprise({ ...secret, identityProvider })).toThrow(/expected issuer with clientSecret/);
  expect(() => draftAuthorizeWorkload(workload as unknown as WorkloadIdentity)).toThrow(/expected issuer/);
});

test("never sends the secret of a program to another authorization server that the server names", async () => {
  const authorize = authorizeProgram({ clientId: "robot", clientSecret: SECRET, issuer: issuer.origin });
  await using other = await startAuthorizationServer();
  answerPrograms(other);
  server.issuer = other;
  await expect(request(authorize)).rejects.toThrow(`does not accept tokens of ${issuer.origin}`);
  expect(other.tokenRequests).toEqual([]);
});

test("continues a login at another port when that of the registration is in use", async () => {
  issuer.answerToken = undefined;
  const store = memoryStore();
  const create = (): OAuthAuthorization => authorizeUser({ store, openBrowser: followLogin, loginTimeoutMs: 3000 });
  await request(create());
  const redirect = new URL(issuer.logins[0]?.get("redirect_uri") ?? "");
  const taken = createServer().listen(Number(redirect.port), "127.0.0.1");
  await once(taken, "listening");
  onTestFinished(() => void taken.close());
  issuer.tokens.clear();
  await store.saveTokens(`${server.origin}/mcp`, undefined);
  expect(await request(create())).toBe(200);
  expect(new URL(issuer.logins.at(-1)?.get("redirect_uri") ?? "").port).not.toBe(redirect.port);
});
