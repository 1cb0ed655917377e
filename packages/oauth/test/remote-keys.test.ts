// How the keys of an authorization server are found, kept, and given up.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { oauth } from "../src/index.ts";
import type { Authenticator } from "@oarlock/server-kit/node";
import { makeKey, startAuthorizationServer, type AuthorizationServer } from "./fixtures/authorization-server.ts";
import { startRoutes, type Http, type Routes } from "./fixtures/http.ts";

const AUDIENCE = "https://mcp.example.com/mcp";
const AS = "/.well-known/oauth-authorization-server";
const OIDC = "/.well-known/openid-configuration";

/** Signs and publishes keys; the metadata of the tests below stand elsewhere. */
let real: AuthorizationServer;
/** Where redirects lead to. */
let trap: Http;

beforeEach(async () => {
  real = await startAuthorizationServer();
  trap = await startRoutes({});
});

afterEach(async () => {
  vi.useRealTimers();
  await real[Symbol.asyncDispose]();
  await trap[Symbol.asyncDispose]();
});

const good = (issuer: string, key = real.key): Promise<string> =>
  real.sign({ iss: issuer, aud: AUDIENCE, sub: "anna", exp: Math.floor(Date.now() / 1000) + 3600 }, {}, key);

const keySet = (): object => {
  const { d: _private, ...key } = real.key;
  return { keys: [key] };
};

const principal = (issuer: string): object => ({ principal: `${issuer} sub:anna` });

const asked = (server: { asked: string[] }, path: string): number => server.asked.filter((one) => one === path).length;

test.each([
  ["", AS, [AS]],
  ["", OIDC, [AS, OIDC]],
  ["/", AS, [AS]],
  ["/tenant", `${AS}/tenant`, [`${AS}/tenant`]],
  ["/tenant/", `${AS}/tenant`, [`${AS}/tenant`]],
  ["/a/b", `${OIDC}/a/b`, [`${AS}/a/b`, `${OIDC}/a/b`]],
  ["/a/b", `/a/b${OIDC}`, [`${AS}/a/b`, `${OIDC}/a/b`, `/a/b${OIDC}`]],
])("AUTH-04 finds for an issuer with path %j the metadata at %s", async (path, place, order) => {
  const routes: Routes = { "/keys": keySet() };
  await using server = await startRoutes(routes);
  const issuer = `${server.origin}${path}`;
  routes[place] = { issuer, jwks_uri: `${server.origin}/keys` };
  expect(await oauth({ issuer, audience: AUDIENCE }).check(await good(issuer))).toMatchObject(principal(issuer));
  expect(server.asked).toEqual([...order, "/keys"]);
});

test("AUTH-04 passes over a URL that answers every path with a page", async () => {
  const routes: Routes = { [AS]: "<!doctype html>", "/keys": keySet() };
  await using server = await startRoutes(routes);
  routes[OIDC] = { issuer: server.origin, jwks_uri: `${server.origin}/keys` };
  expect(await oauth({ issuer: server.origin, audience: AUDIENCE }).check(await good(server.origin))).toMatchObject(
    principal(server.origin),
  );
});

test("AUTH-04 accepts a real authorization server below a path", async () => {
  await using server = await startAuthorizationServer({ path: "/tenant" });
  const auth = oauth({ issuer: server.issuer, audience: AUDIENCE });
  expect(await auth.check(await server.token("bob", "filesystem:read", AUDIENCE))).toMatchObject({ principal: `${server.issuer} sub:bob` });
  expect(server.asked.slice(1)).toEqual([`${AS}/tenant`, `${OIDC}/tenant`, `/tenant${OIDC}`, "/tenant/jwks"]);
});

const redirect =
  (to: string): Routes[string] =>
  (_request, response) =>
    response.writeHead(302, { location: to }).end();

/** An object that is longer than any metadata, sent until the reader hangs up. */
const endless: Routes[string] = (_request, response) => {
  const more = (): void => {
    while (response.write(`"${"x".repeat(16_000)}",`));
  };
  response.writeHead(200).write("[");
  response.on("drain", more);
  more();
};

test.each<[string, RegExp, (origin: string) => Routes]>([
  [
    "the metadata is of another issuer",
    /metadata of another issuer: expected \S+, received https:\/\/login\.example\.com; \S+ answered 404$/,
    (origin) => ({ [AS]: { issuer: "https://login.example.com", jwks_uri: `${origin}/keys` } }),
  ],
  ["the issuer has a slash more", /another issuer/, (origin) => ({ [AS]: { issuer: `${origin}/`, jwks_uri: `${origin}/keys` } })],
  ["the metadata names no issuer", /another issuer/, (origin) => ({ [AS]: { jwks_uri: `${origin}/keys` } })],
  ["the metadata is a list", /another issuer/, () => ({ [AS]: [] })],
  ["the metadata is null", /expected an object/, () => ({ [AS]: "null" })],
  ["the metadata is not JSON", /JSON/, () => ({ [AS]: "{" })],
  ["the metadata names no keys", /without an https jwks_uri/, (origin) => ({ [AS]: { issuer: origin } })],
  ["the keys are not on https", /without an https jwks_uri/, (origin) => ({ [AS]: { issuer: origin, jwks_uri: "http://192.0.2.1/keys" } })],
  ["the keys are a file", /without an https jwks_uri/, (origin) => ({ [AS]: { issuer: origin, jwks_uri: "file:///etc/passwd" } })],
  ["the metadata is a redirect", /answered 302/, () => ({ [AS]: redirect(`${trap.origin}/metadata`) })],
  [
    "the keys are a redirect",
    /answered 302/,
    (origin) => ({ [AS]: { issuer: origin, jwks_uri: `${origin}/go` }, "/go": redirect(`${trap.origin}/keys`) }),
  ],
  ["the keys are missing", /answered 404/, (origin) => ({ [AS]: { issuer: origin, jwks_uri: `${origin}/none` } })],
  ["the keys are not a key set", /Key Set/, (origin) => ({ [AS]: { issuer: origin, jwks_uri: `${origin}/set` }, "/set": { keys: {} } })],
  ["the metadata has no end", /more than 262144 bytes/, () => ({ [AS]: endless })],
  [
    "the keys have no end",
    /more than 262144 bytes/,
    (origin) => ({ [AS]: { issuer: origin, jwks_uri: `${origin}/set` }, "/set": endless }),
  ],
])("AUTH-04 fails to check a token when %s", async (_title, why, routesOf) => {
  const routes: Routes = { "/keys": keySet() };
  await using server = await startRoutes(routes);
  Object.assign(routes, routesOf(server.origin));
  const checked = Promise.resolve(oauth({ issuer: server.origin, audience: AUDIENCE }).check(await good(server.origin)));
  const error = await checked.catch((error: unknown) => error as Error);
  expect(error).toMatchObject({ message: expect.stringMatching(why) });
  expect(error).toMatchObject({ message: expect.stringContaining(`the keys of ${server.origin} cannot be read: `) });
  // One line in the log, however many tokens come meanwhile.
  expect(error).toMatchObject({ expose: true, message: expect.not.stringContaining("\n") });
  expect(trap.asked).toEqual([]);
  expect(server.asked).not.toContain("/keys");
});

test("requests the keys at the first token, once for many", async () => {
  const auth = oauth({ issuer: real.issuer, audience: AUDIENCE });
  expect(real.asked).toEqual([]);
  const token = await good(real.issuer);
  const given = await Promise.all(Array.from({ length: 50 }, async () => auth.check(token)));
  expect(given).toEqual(Array.from({ length: 50 }, () => expect.objectContaining(principal(real.issuer))));
  expect(real.asked).toEqual([AS, "/jwks"]);
});

test("retries a failure for a later token, but not for each of many", async () => {
  const routes: Routes = { "/keys": keySet() };
  await using server = await startRoutes(routes);
  const auth = oauth({ issuer: server.origin, audience: AUDIENCE });
  const token = await good(server.origin);
  for (let n = 0; n < 20; n++) await expect(auth.check(token)).rejects.toThrow("cannot be read");
  expect(server.asked.length).toBeLessThan(10);
  routes[AS] = { issuer: server.origin, jwks_uri: `${server.origin}/keys` };
  await vi.waitFor(async () => expect(await auth.check(token)).toMatchObject(principal(server.origin)), { timeout: 30_000, interval: 50 });
});

/** Ready to judge tokens of `real`, with a clock that is set by hand. */
async function warm(): Promise<{ auth: Authenticator; later(seconds: number): void }> {
  const auth = oauth({ issuer: real.issuer, audience: AUDIENCE });
  expect(await auth.check(await good(real.issuer))).toMatchObject(principal(real.issuer));
  vi.useFakeTimers({ toFake: ["Date"] });
  const start = Date.now();
  return { auth, later: (seconds) => void vi.setSystemTime(start + seconds * 1000) };
}

const UNKNOWN = { denied: "the token is signed with an unknown key" };

test("AUTH-04 accepts a new key 30 s after the last request, and no longer the withdrawn one", async () => {
  const { auth, later } = await warm();
  const old = await real.token("alice", "filesystem:read", AUDIENCE);
  real.publish(await makeKey());
  const fresh = await real.token("alice", "filesystem:read", AUDIENCE);
  expect(await auth.check(fresh)).toEqual(UNKNOWN);
  later(31);
  expect(await auth.check(fresh)).toMatchObject({ scopes: ["filesystem:read"] });
  expect(await auth.check(old)).toEqual(UNKNOWN);
  expect(asked(real, "/jwks")).toBe(2);
});

test("AUTH-04 accepts old and new key while both are published", async () => {
  const { auth, later } = await warm();
  const old = real.key;
  real.publish(await makeKey(), old);
  later(31);
  for (const key of [real.key, old]) expect(await auth.check(await good(real.issuer, key))).toMatchObject(principal(real.issuer));
});

test("AUTH-04 accepts a withdrawn key for at most five minutes, without a token of a newer one", async () => {
  const { auth, later } = await warm();
  const old = await good(real.issuer);
  real.publish(await makeKey());
  later(299);
  expect(await auth.check(old)).toMatchObject(principal(real.issuer));
  later(301);
  expect(await auth.check(old)).toEqual(UNKNOWN);
});

test("case HTTP-35 requests keys at most once in 30 s for many unknown key ids", async () => {
  const { auth, later } = await warm();
  const stranger = await makeKey();
  const forge = (n: number): Promise<string> => good(real.issuer, { ...stranger, kid: `k${n}` });
  for (let n = 0; n < 100; n++) expect(await auth.check(await forge(n))).toEqual(UNKNOWN);
  expect(asked(real, "/jwks")).toBe(1);
  later(31);
  const given = await Promise.all(Array.from({ length: 100 }, async (_, n) => auth.check(await forge(n))));
  expect(new Set(given.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(UNKNOWN)]));
  expect(asked(real, "/jwks")).toBe(2);
});

test("AUTH-04 uses known keys until they expire while the authorization server is down", async () => {
  const { auth, later } = await warm();
  const token = await good(real.issuer);
  await real[Symbol.asyncDispose]();
  later(299);
  expect(await auth.check(token)).toMatchObject(principal(real.issuer));
  await expect(auth.check(await good(real.issuer, await makeKey()))).rejects.toThrow(/cannot be read: .*ECONNREFUSED/);
  expect(await auth.check(token)).toMatchObject(principal(real.issuer));
  later(301);
  await expect(auth.check(token)).rejects.toThrow("cannot be read");
});

test("AUTH-04 finds keys that moved", async () => {
  const routes: Routes = { "/keys": keySet() };
  await using server = await startRoutes(routes);
  routes[AS] = { issuer: server.origin, jwks_uri: `${server.origin}/keys` };
  const auth = oauth({ issuer: server.origin, audience: AUDIENCE });
  const token = await good(server.origin);
  expect(await auth.check(token)).toMatchObject(principal(server.origin));
  routes["/moved"] = routes["/keys"]!;
  delete routes["/keys"];
  routes[AS] = { issuer: server.origin, jwks_uri: `${server.origin}/moved` };
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 301_000 });
  await expect(auth.check(token)).rejects.toThrow("cannot be read");
  expect(await auth.check(token)).toMatchObject(principal(server.origin));
});
