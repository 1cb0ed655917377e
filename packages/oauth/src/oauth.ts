// Verifies signed access tokens (JWT) of one authorization server for one audience.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from "jose";
import type { Auth, Authenticator, Denied } from "@oarlock/server-kit/fetch";
import { isHttpsOrLoopback, KeysUnavailableError, remoteKeys } from "./remote-keys.ts";

/** Whose tokens are taken, and for whom they must be meant. */
export interface OAuthOptions {
  /**
   * The authorization server, written exactly as its metadata and its tokens write it (a trailing slash makes it another one).
   * An https URL without query or fragment; http is taken on this machine only (`localhost`, `127.0.0.1`, `[::1]`).
   */
  issuer: string;
  /** What tokens must be issued for: an absolute URI, as a rule the URL of the server's endpoint. It is the `resource` of its metadata. */
  audience: string;
}

/** Signatures by a private key only: with these, a key that everybody may read makes no token. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

/** Clocks may differ by this much. */
const TOLERANCE_S = 5;

/** Longer tokens are denied unread. */
const MAX_TOKEN_CHARACTERS = 16 * 1024;

/** The `typ` of an access token, where it has one. Other things that the same server signs have another `typ` (RFC 8725, 3.11). */
const TYPE = /^(application\/)?(at\+)?jwt$/i;

/**
 * Takes the access tokens of an authorization server. Its keys are looked for when the first token comes, and read again when
 * a token names an unknown key (at most every 30 s) or after five minutes: so long may a key that was withdrawn still count.
 * A token that is not good is denied. When the authorization server cannot be asked, the check rejects.
 * @throws TypeError when `issuer` or `audience` cannot be one.
 * @example await serveHttp(server, { auth: oauth({ issuer: "https://login.example.com", audience: "https://mcp.example.com/mcp" }) });
 */
export function oauth({ issuer, audience }: OAuthOptions): Authenticator {
  if (!isIssuer(issuer)) throw new TypeError("an OAuth issuer is an https URL without query or fragment (http only on this machine)");
  if (!isAudience(audience)) throw new TypeError("an OAuth audience is an absolute URI without fragment");
  const keys = remoteKeys(issuer);
  const options: JWTVerifyOptions = {
    algorithms: ALGORITHMS,
    issuer,
    audience,
    requiredClaims: ["exp"],
    clockTolerance: TOLERANCE_S,
  };
  return {
    // Nothing is remembered about a token: each request finds a new key, a withdrawn one and the expiry as they are.
    check: (token) => (token.length > MAX_TOKEN_CHARACTERS ? deny("the token is too long") : check(token, keys, options)),
    metadata: { resource: audience, authorization_servers: [issuer] },
  };
}

function isIssuer(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && !/[?#]/.test(text) ? URL.parse(text) : null;
  return url !== null && isHttpsOrLoopback(url) && url.username === "" && url.password === "";
}

function isAudience(text: string): boolean {
  const url = /^[a-z][a-z\d+.-]*:[\x21-\x7e]+$/i.test(text) && !text.includes("#") ? URL.parse(text) : null;
  return url !== null && url.username === "" && url.password === "";
}

async function check(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<Auth | Denied> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, options);
    if (protectedHeader.typ !== undefined && !TYPE.test(protectedHeader.typ)) return deny("the token is not an access token");
    if (payload.iat !== undefined && payload.iat > Date.now() / 1000 + TOLERANCE_S) return deny("the token is not valid yet");
    // A bearer who has stolen the token cannot prove the possession of its key (RFC 9449, RFC 8705).
    if (payload["cnf"] !== undefined) return deny("the token is bound to a key, which this server cannot check");
    return authOf(payload);
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw error;
    // Whatever else went wrong lies in the token.
    return deny(phraseOf(error));
  }
}

function authOf(claims: JWTPayload): Auth | Denied {
  const principal = principalOf(claims);
  if (principal === undefined) return deny("the token has no subject");
  // jwtVerify has required and checked the claim, and takes it as valid for as long.
  const expiresAt = ((claims.exp ?? 0) + TOLERANCE_S) * 1000;
  return { principal, scopes: scopesOf(claims), claims: Object.freeze(claims), expiresAt };
}

/** The kind is part of the name: a client cannot choose an id that makes it a person. */
function principalOf(claims: JWTPayload): string | undefined {
  if (isNonEmptyString(claims.sub)) return `${claims.iss} sub:${claims.sub}`;
  const client = [claims["client_id"], claims["azp"]].find(isNonEmptyString);
  return client === undefined ? undefined : `${claims.iss} client:${client}`;
}

function isNonEmptyString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** `scope` (RFC 9068) or `scp`, as some servers say it. */
function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  const given: unknown = scope ?? scp;
  const scopes: unknown[] = typeof given === "string" ? given.split(" ") : Array.isArray(given) ? given : [];
  // "*" is our own word for everything; a token must not grant it.
  return scopes.filter((one) => isNonEmptyString(one) && one !== "*") as string[];
}

function deny(denied: string): Denied {
  return { denied };
}

const CLAIMS: Readonly<Record<string, string>> = {
  iss: "the token comes from another issuer",
  aud: "the token is for another audience",
  nbf: "the token is not valid yet",
  exp: "the token has no expiry",
};

/** Describes the error without the messages of jose, which quote the token. */
function phraseOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return "the token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) return CLAIMS[error.claim] ?? "a claim of the token is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "the token is signed in a way that is not allowed";
  if (error instanceof errors.JWKSNoMatchingKey) return "the token is signed with an unknown key";
  if (error instanceof errors.JWKSMultipleMatchingKeys) return "the token does not say which key signed it";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the signature of the token is wrong";
  return "the token cannot be read";
}
