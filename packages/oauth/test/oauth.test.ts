// Which tokens the OAuth resource server takes, and what it says of the others.
import { createPublicKey } from "node:crypto";
import { SignJWT, UnsecuredJWT, type JWK, type JWTPayload } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { oauth } from "../src/index.ts";
import type { Authenticator } from "@oarlock/server-kit/node";
import { makeKey, startAuthorizationServer, type AuthorizationServer } from "./fixtures/authorization-server.ts";
import { startRoutes, type Http } from "./fixtures/http.ts";

const AUDIENCE = "https://mcp.example.com/mcp";

let server: AuthorizationServer;
let auth: Authenticator;
/** The key set of the intruder; it must never be fetched. */
let trap: Http;
let intruder: JWK;
/** One key of each algorithm, all published. */
let keys: JWK[];

beforeAll(async () => {
  server = await startAuthorizationServer();
  keys = [server.key, ...(await Promise.all(["ES384", "RS256", "PS256", "EdDSA", "ES512"].map((alg) => makeKey(alg))))];
  server.publish(...keys);
  intruder = await makeKey();
  trap = await startRoutes({ "/jwks": { keys: [publicOf(intruder)] } });
  auth = oauth({ issuer: server.issuer, audience: AUDIENCE });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await trap[Symbol.asyncDispose]();
});

const now = (): number => Math.floor(Date.now() / 1000);

/** What a good token says, with changes; undefined leaves a claim out. */
const claims = (changes: Record<string, unknown> = {}): JWTPayload => ({
  iss: server.issuer,
  aud: AUDIENCE,
  sub: "anna",
  scope: "filesystem:read",
  iat: now(),
  exp: now() + 600,
  ...changes,
});

const signed = (changes: Record<string, unknown>, header?: Record<string, unknown>, key?: JWK): Promise<string> =>
  server.sign(claims(changes), header, key);

/** Signed by the intruder, who says with the header where its key is. */
const forged = (header: Record<string, unknown>): Promise<string> => signed({}, header, intruder);

function publicOf({ d: _private, ...key }: JWK): JWK {
  return key;
}

const pem = (): string =>
  createPublicKey({ key: publicOf(keys[2]!), format: "jwk" })
    .export({ type: "spki", format: "pem" })
    .toString();

const hmac = (secret: string): Promise<string> =>
  new SignJWT(claims()).setProtectedHeader({ alg: "HS256", kid: keys[2]!.kid! }).sign(new TextEncoder().encode(secret));

async function parts(): Promise<[string, string, string]> {
  return (await signed({})).split(".") as [string, string, string];
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

const UNKNOWN_KEY = "the token is signed with an unknown key";
const BAD_SIGNATURE = "the signature of the token is wrong";
const NOT_ALLOWED = "the token is signed in a way that is not allowed";
const OTHER_AUDIENCE = "the token is for another audience";
const OTHER_ISSUER = "the token comes from another issuer";
const NOT_YET = "the token is not valid yet";
const NO_EXPIRY = "the token has no expiry";
const UNREADABLE = "the token cannot be read";

const DENIED: [title: string, token: () => string | Promise<string>, denied: string][] = [
  ["algorithm none", () => new UnsecuredJWT(claims()).encode(), NOT_ALLOWED],
  ["algorithm None, with a signature", async () => `${base64({ alg: "None" })}.${(await parts()).slice(1).join(".")}`, NOT_ALLOWED],
  ["no algorithm", async () => `${base64({ kid: server.key.kid })}.${(await parts()).slice(1).join(".")}`, UNREADABLE],
  ["HMAC signed with the public key as PEM", () => hmac(pem()), NOT_ALLOWED],
  ["HMAC signed with the public key as JWK", () => hmac(JSON.stringify(publicOf(keys[2]!))), NOT_ALLOWED],
  ["another algorithm than the key's", () => signed({}, { alg: "RS384" }, { ...keys[2]!, alg: "RS384" }), UNKNOWN_KEY],
  ["unknown key id", () => forged({ kid: "k9" }), UNKNOWN_KEY],
  ["key id of another key", () => forged({ kid: server.key.kid }), BAD_SIGNATURE],
  ["key id with a path", () => forged({ kid: "../../../../../../dev/null" }), UNKNOWN_KEY],
  ["key id with SQL text", () => forged({ kid: "' UNION SELECT 'secret' --" }), UNKNOWN_KEY],
  ["key id that is an address", () => forged({ kid: `${trap.origin}/jwks` }), UNKNOWN_KEY],
  ["embedded key", () => forged({ jwk: publicOf(intruder) }), UNKNOWN_KEY],
  ["embedded key under a known id", () => forged({ jwk: publicOf(intruder), kid: server.key.kid }), BAD_SIGNATURE],
  ["linked key set (jku)", () => forged({ jku: `${trap.origin}/jwks` }), UNKNOWN_KEY],
  ["linked certificate (x5u)", () => forged({ x5u: `${trap.origin}/cert.pem` }), UNKNOWN_KEY],
  ["embedded certificate (x5c)", () => forged({ x5c: ["MIIB"] }), UNKNOWN_KEY],
  [
    "header that must be understood",
    async () => `${base64({ alg: "ES256", kid: server.key.kid, crit: ["x"], x: 1 })}.${(await parts()).slice(1).join(".")}`,
    UNREADABLE,
  ],
  [
    "bound to a key (DPoP)",
    () => signed({ cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }),
    "the token is bound to a key, which this server cannot check",
  ],
  ["expired", () => signed({ exp: now() - 60 }), "the token has expired"],
  ["not yet valid", () => signed({ nbf: now() + 60 }), NOT_YET],
  ["issued in the future", () => signed({ iat: now() + 60 }), NOT_YET],
  ["no expiry", () => signed({ exp: undefined }), NO_EXPIRY],
  ["expiry as text", () => signed({ exp: "9999999999" }), NO_EXPIRY],
  ["audience wrong", () => signed({ aud: "https://other.example.com/mcp" }), OTHER_AUDIENCE],
  ["audience with a trailing slash", () => signed({ aud: `${AUDIENCE}/` }), OTHER_AUDIENCE],
  ["audience missing", () => signed({ aud: undefined }), OTHER_AUDIENCE],
  ["audience array without ours", () => signed({ aud: ["https://other.example.com", server.issuer] }), OTHER_AUDIENCE],
  ["audience array that is empty", () => signed({ aud: [] }), OTHER_AUDIENCE],
  ["audience an object", () => signed({ aud: { 0: AUDIENCE } }), OTHER_AUDIENCE],
  ["issuer wrong", () => signed({ iss: "https://login.example.com" }), OTHER_ISSUER],
  ["issuer with a trailing slash", () => signed({ iss: `${server.issuer}/` }), OTHER_ISSUER],
  ["issuer missing", () => signed({ iss: undefined }), OTHER_ISSUER],
  ["signature cut off", async () => `${(await parts()).slice(0, 2).join(".")}.`, BAD_SIGNATURE],
  [
    "signature of other content",
    async () => {
      const [head, , signature] = await parts();
      return `${head}.${base64(claims({ sub: "admin" }))}.${signature}`;
    },
    BAD_SIGNATURE,
  ],
  ["100 KB", () => signed({ note: "x".repeat(100_000) }), "the token is too long"],
  ["100 KB of dots", () => ".".repeat(100_000), "the token is too long"],
  ["not a token", () => "secret", UNREADABLE],
  ["three parts of nothing", () => "..", UNREADABLE],
  ["encrypted token", async () => `${(await parts()).join(".")}.a.b`, UNREADABLE],
  ["another kind of token", () => signed({}, { typ: "logout+jwt" }), "the token is not an access token"],
  ["content that is not an object", () => server.sign([claims()]), UNREADABLE],
  ["without a subject", () => signed({ sub: undefined }), "the token has no subject"],
  ["subject that is not text", () => signed({ sub: { toString: "anna" } }), "the token has no subject"],
];

test.each(DENIED)("case HTTP-35 AUTH-04 refuses: %s", async (_title, make, denied) => {
  const token = await make();
  expect(await auth.check(token)).toEqual({ denied });
  expect(trap.asked).toEqual([]);
});

test("case HTTP-35 AUTH-06 requests only metadata and keys from the authorization server, without a token", async () => {
  const fresh = oauth({ issuer: server.issuer, audience: AUDIENCE });
  const before = server.asked.length;
  await fresh.check(new UnsecuredJWT(claims()).encode());
  expect(server.asked).toHaveLength(before);
  const good = await signed({});
  expect(await fresh.check(good)).toMatchObject({ scopes: ["filesystem:read"] });
  expect(server.asked.slice(before)).toEqual(["/.well-known/oauth-authorization-server", "/jwks"]);
  for (const headers of server.headers.slice(before)) expect(headers).not.toMatch(/authorization|cookie|eyJ/i);
});

test("AUTH-04 AUTH-05 accepts a token of a real authorization server, and refuses one for another resource", async () => {
  expect(await auth.check(await server.token("alice", "filesystem:read filesystem:write", AUDIENCE))).toMatchObject({
    principal: `${server.issuer} sub:alice`,
    scopes: ["filesystem:read", "filesystem:write"],
    claims: { client_id: "alice", aud: AUDIENCE },
  });
  expect(await auth.check(await server.token("alice", "filesystem:read", "https://other.example.com/mcp"))).toEqual({
    denied: OTHER_AUDIENCE,
  });
});

test.each([
  ["audience array that contains ours", { aud: ["https://other.example.com", AUDIENCE] }, {}],
  ["no iat", { iat: undefined }, {}],
  ["type at+jwt", {}, { typ: "at+jwt" }],
  ["type application/at+jwt", {}, { typ: "application/at+jwt" }],
  ["type JWT", {}, { typ: "JWT" }],
] as const)("AUTH-04 accepts: %s", async (_title, changes, header) => {
  expect(await auth.check(await signed(changes, header))).toMatchObject({ principal: `${server.issuer} sub:anna` });
});

test.each([
  ["exp", -2, true],
  ["exp", -8, false],
  ["nbf", 2, true],
  ["nbf", 8, false],
  ["iat", 2, true],
  ["iat", 8, false],
])("AUTH-04 allows clocks to differ by 5 s: %s of now %i s, accepted %s", async (claim, seconds, taken) => {
  expect("scopes" in (await auth.check(await signed({ [claim]: now() + seconds })))).toBe(taken);
});

test.each([0, 1, 2, 3, 4, 5])("AUTH-04 accepts keys of several algorithms (%i)", async (at) => {
  expect(await auth.check(await signed({}, {}, keys[at]!))).toMatchObject({ principal: `${server.issuer} sub:anna` });
});

test.each([
  [{ scope: "a b" }, ["a", "b"]],
  [{ scope: "" }, []],
  [{ scope: " a  b " }, ["a", "b"]],
  [{ scope: undefined }, []],
  [{ scope: undefined, scp: "a b" }, ["a", "b"]],
  [{ scope: undefined, scp: ["a", "b"] }, ["a", "b"]],
  [{ scope: undefined, scp: ["a", 1, null, ""] }, ["a"]],
  [{ scope: "a", scp: ["b"] }, ["a"]],
  [{ scope: { a: 1 } }, []],
  [{ scope: "* a" }, ["a"]],
])("AUTH-04 reads scopes of %j as %j", async (changes, scopes) => {
  expect(await auth.check(await signed(changes))).toMatchObject({ scopes });
});

test.each([
  [{ sub: "anna", client_id: "app" }, "sub:anna"],
  [{ sub: undefined, client_id: "app", azp: "other" }, "client:app"],
  [{ sub: undefined, azp: "app" }, "client:app"],
  [{ sub: "", client_id: "app" }, "client:app"],
])("SESS-13 builds the principal of %j from the issuer and %s", async (changes, name) => {
  expect(await auth.check(await signed(changes))).toMatchObject({ principal: `${server.issuer} ${name}` });
});

test("returns frozen claims", async () => {
  const given = await auth.check(await signed({}));
  expect("claims" in given && Object.isFrozen(given.claims)).toBe(true);
});

test("AUTH-07 names audience and issuer in the metadata", () => {
  expect(auth.metadata).toEqual({ resource: AUDIENCE, authorization_servers: [server.issuer] });
});

test.each([
  "",
  "login.example.com",
  "/login",
  "http://login.example.com",
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "https://login.example.com?tenant=1",
  "https://login.example.com?",
  "https://login.example.com/#top",
  "https://user@login.example.com",
  "https://:secret@login.example.com",
  "ftp://login.example.com",
  "file:///etc/passwd",
  " https://login.example.com",
  "https://login.exa\nmple.com",
])("refuses the issuer %j", (issuer) => {
  expect(() => oauth({ issuer, audience: AUDIENCE })).toThrow(
    new TypeError("an OAuth issuer is an https URL without query or fragment (http only on this machine)"),
  );
});

test.each([
  "",
  "mcp",
  "/mcp",
  "mcp.example.com/mcp",
  "https://",
  "https://mcp.example.com/#x",
  "https://user:pw@mcp.example.com/",
  "https://mcp.example.com/a b",
  ":x",
])("refuses the audience %j", (audience) => {
  expect(() => oauth({ issuer: server.issuer, audience })).toThrow(new TypeError("an OAuth audience is an absolute URI without fragment"));
});

test.each([
  ["https://login.example.com", "urn:example:mcp"],
  ["https://login.example.com/tenant/", "api://mcp"],
  ["http://localhost:8080", "http://127.0.0.1:3920/mcp"],
  ["http://[::1]:8080/realms/a", "https://mcp.example.com"],
])("keeps the issuer %s and the audience %s unchanged", (issuer, audience) => {
  expect(oauth({ issuer, audience }).metadata).toEqual({ resource: audience, authorization_servers: [issuer] });
});
