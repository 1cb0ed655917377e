// An OAuth-protected server over real HTTP: its metadata, how a token comes, and what a refusal says.
import { request as rawRequest, type IncomingMessage } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defineServer } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { oauth } from "../src/index.ts";
import { makeKey, startAuthorizationServer } from "./fixtures/authorization-server.ts";
import {
  AUDIENCE,
  bearer,
  call,
  CHALLENGE,
  initialize,
  READ,
  refusal,
  resultText,
  startProtected,
  WRITE,
  type Headers,
  type Protected,
} from "./fixtures/protected-server.ts";

let server: Protected;

beforeAll(async () => {
  server = await startProtected();
});

afterAll(() => server[Symbol.asyncDispose]());

describe("metadata", () => {
  test.each(["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])(
    "AUTH-07 AUTH-09 AUTH-14 is served at %s without a token",
    async (path) => {
      const response = await fetch(`${server.origin}${path}`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      const { resource_name, ...metadata } = (await response.json()) as Record<string, unknown>;
      expect(metadata).toEqual({
        resource: AUDIENCE,
        authorization_servers: [server.authorization.issuer],
        scopes_supported: [READ, WRITE],
        bearer_methods_supported: ["header"],
      });
      expect(["filesystem", undefined]).toContain(resource_name);
    },
  );

  test.each(["POST", "PUT", "DELETE"])("AUTH-07 cannot be changed by %s", async (method) => {
    const response = await server.send(method, "/.well-known/oauth-protected-resource", bearer(server.bob));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"]);
  });

  test("AUTH-07 is served at no other path", async () => {
    const response = await fetch(`${server.origin}/.well-known/oauth-protected-resource/other`);
    expect(response.status).toBe(404);
  });

  test("AUTH-08 AUTH-09 describes a resource on loopback by the requested address", async () => {
    const auth = oauth({ issuer: server.authorization.issuer, audience: "http://127.0.0.1/mcp" });
    const local = await serveHttp(defineServer({ name: "filesystem", version: "1.0.0" }), { port: 0, auth });
    try {
      const metadata = /resource_metadata="([^"]+)"/.exec(
        (await fetch(local.url, { method: "POST" })).headers.get("www-authenticate") ?? "",
      )?.[1];
      expect(metadata).toBe(`${new URL(local.url).origin}/.well-known/oauth-protected-resource/mcp`);
      expect(await (await fetch(metadata!)).json()).toMatchObject({ resource: "http://127.0.0.1/mcp" });
    } finally {
      await local.stop();
    }
  });
});

const INVALID = new RegExp(`^${CHALLENGE.replaceAll(/[.?]/g, "\\$&")}, error="invalid_token", error_description="[^"\\\\]+"$`);

describe("token carriage", () => {
  const body = { ...initialize(), access_token: "TOKEN" };

  test.each<[title: string, headers: Headers, path: string, challenge: string | RegExp]>([
    ["none", {}, "/mcp", CHALLENGE],
    ["in the query", {}, "/mcp?access_token=TOKEN", CHALLENGE],
    ["in the query as authorization", {}, "/mcp?authorization=Bearer%20TOKEN", CHALLENGE],
    ["in a cookie", { cookie: "access_token=TOKEN; authorization=Bearer TOKEN" }, "/mcp", CHALLENGE],
    ["in another header", { "x-authorization": "Bearer TOKEN", "proxy-authorization": "Bearer TOKEN" }, "/mcp", CHALLENGE],
    ["empty", { authorization: "" }, "/mcp", INVALID],
    ["scheme without a token", { authorization: "Bearer" }, "/mcp", INVALID],
    ["scheme with a blank", { authorization: "Bearer " }, "/mcp", INVALID],
    ["without scheme", { authorization: "TOKEN" }, "/mcp", INVALID],
    ["scheme Basic", { authorization: "Basic TOKEN" }, "/mcp", INVALID],
    ["scheme DPoP", { authorization: "DPoP TOKEN" }, "/mcp", INVALID],
    ["two in one header", { authorization: "Bearer TOKEN TOKEN" }, "/mcp", INVALID],
    ["two in a list", { authorization: "Bearer TOKEN, Bearer TOKEN" }, "/mcp", INVALID],
    ["quoted", { authorization: `Bearer "TOKEN"` }, "/mcp", INVALID],
  ])("case HTTP-34 AUTH-02 AUTH-08 AUTH-10 %s", async (_title, headers, path, challenge) => {
    const put = (text: string): string => text.replaceAll("TOKEN", server.bob);
    const before = server.http.counts().sessions;
    const filled = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, put(value)]));
    const response = await server.post(filled, JSON.parse(put(JSON.stringify(body))), put(path));
    expect(await refusal(response, 401)).toEqual(typeof challenge === "string" ? challenge : expect.stringMatching(challenge));
    expect(server.http.counts().sessions).toBe(before);
  });

  test("case HTTP-34 case HTTP-24 refuses two headers, though both are valid", async () => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = [
        "Host",
        new URL(server.origin).host,
        "Authorization",
        `Bearer ${server.bob}`,
        "Authorization",
        `Bearer ${server.bob}`,
      ];
      const request = rawRequest(server.http.url, { method: "POST", headers: [...headers, "Content-Type", "application/json"] }, resolve);
      request.on("error", reject).end(JSON.stringify(initialize()));
    });
    expect(response.statusCode).toBe(401);
    expect(response.headers["www-authenticate"]).toContain('error="invalid_token"');
    const body = await textOf(response);
    expect(body).not.toContain(server.bob);
  });

  test("case HTTP-34 accepts the scheme in any case", async () => {
    expect((await server.post({ authorization: `bEARER ${server.bob}` }, initialize())).status).toBe(200);
  });

  test.each([
    ["GET", "/mcp"],
    ["POST", "/mcp"],
    ["DELETE", "/mcp"],
    ["GET", "/sse"],
    ["POST", "/messages"],
    ["POST", "/messages?sessionId=x"],
  ])("AUTH-02 case HTTP-33 %s %s requires a token before all else", async (method, path) => {
    expect(await refusal(await server.send(method, path, {}), 401)).toBe(CHALLENGE);
    expect(await refusal(await server.send(method, path, bearer("x.y.z")), 401)).toMatch(INVALID);
  });
});

describe("token content", () => {
  const now = Math.floor(Date.now() / 1000);

  test.each<[title: string, claims: Record<string, unknown>, why: string]>([
    ["expired", { exp: now - 60 }, "the token has expired"],
    ["for another audience", { aud: "https://other.example.com/mcp" }, "the token is for another audience"],
    ["of another issuer", { iss: "https://login.example.com" }, "the token comes from another issuer"],
  ])("case HTTP-35 AUTH-02 AUTH-05 answers a token %s with 401", async (_title, claims, why) => {
    const token = await server.authorization.sign({
      iss: server.authorization.issuer,
      aud: AUDIENCE,
      sub: "anna",
      exp: now + 600,
      ...claims,
    });
    const challenge = await refusal(await server.post(bearer(token), initialize()), 401);
    expect(challenge).toBe(`${CHALLENGE}, error="invalid_token", error_description="${why}"`);
  });

  test("case HTTP-35 AUTH-04 answers a forged token with 401 and repeats nothing of it", async () => {
    const { issuer, key } = server.authorization;
    const claims = { iss: issuer, aud: AUDIENCE, sub: `x", scope="filesystem:write`, exp: now + 600 };
    const token = await server.authorization.sign(claims, {}, { ...(await makeKey()), kid: key.kid! });
    const response = await server.post(bearer(token), initialize());
    expect(await refusal(response, 401)).toBe(
      `${CHALLENGE}, error="invalid_token", error_description="the signature of the token is wrong"`,
    );
  });

  test("AUTH-06 hides the token from handlers, the log and the authorization server", async () => {
    const session = await server.open(server.bob);
    expect(await resultText(await server.post({ ...bearer(server.bob), ...session }, call("look")))).toBe(
      `${server.authorization.issuer} sub:bob`,
    );
    expect(server.kept.seen.at(-1)).toContain('"client_id":"bob"');
    const [, , signature] = server.bob.split(".");
    expect([...server.kept.seen, ...server.kept.log, ...server.authorization.headers].filter((text) => text.includes(signature!))).toEqual(
      [],
    );
  });

  test("AUTH-04 answers tokens that cannot be checked now with 503", async () => {
    const gone = await startAuthorizationServer();
    const auth = oauth({ issuer: gone.issuer, audience: AUDIENCE });
    const token = await gone.token("bob", READ, AUDIENCE);
    await gone[Symbol.asyncDispose]();
    const server = await serveHttp(defineServer({ name: "filesystem", version: "1.0.0" }), { port: 0, auth });
    try {
      const headers = { ...bearer(token), "content-type": "application/json", accept: "application/json, text/event-stream" };
      const response = await fetch(server.url, { method: "POST", headers, body: JSON.stringify(initialize()) });
      expect(await refusal(response, 503)).toBeNull();
      expect(server.counts().sessions).toBe(0);
    } finally {
      await server.stop();
    }
  });
});
