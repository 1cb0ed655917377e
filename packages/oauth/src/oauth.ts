// Verifies access tokens of authorization servers: signed ones (JWT) by their keys, opaque ones by asking the server.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from "jose";
import type { Auth, Authenticator, Denied } from "@oarlock/server-kit/fetch";
import { introspect, type IntrospectionOptions } from "./introspection.ts";
import { isHttpsOrLoopback, KeysUnavailableError, remoteKeys } from "./remote-keys.ts";

/** Whose tokens are taken, and for whom they must be meant. */
export interface OAuthOptions {
  /**
   * The authorization server, or several, written exactly as its metadata and its tokens write it (a trailing slash makes it another one).
   * An https URL without query or fragment; http is taken on this machine only (`localhost`, `127.0.0.1`, `[::1]`).
   */
  issuer: string | readonly string[];
  /**
   * What tokens must be issued for: an absolute URI, as a rule the URL of the server's endpoint. The first of several is the `resource` of its
   * metadata; a token for any of them counts.
   */
  audience: string | readonly string[];
  /** Names of the scopes for reading and for writing, which includes reading. Default: `<server name>:read` and `<server name>:write`. */
  scopes?: { read: string; write: string };
  /** By how much clocks may differ, in seconds, at most 300. Default 5. */
  clockToleranceS?: number;
  /** Where tokens other than JWTs are verified. Default: they are denied. */
  introspection?: IntrospectionOptions;
}

/** Signatures by a private key only: with these, a key that everybody may read makes no token. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"];

const DEFAULT_TOLERANCE_S = 5;
const MAX_TOLERANCE_S = 300;

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
export function oauth({ introspection, scopes, clockToleranceS = DEFAULT_TOLERANCE_S, ...options }: OAuthOptions): Authenticator {
  const [issuers, audiences] = [[options.issuer].flat(), [options.audience].flat()];
  const [resource] = audiences;
  if (issuers.length === 0 || !issuers.every(isIssuer))
    throw new TypeError("an OAuth issuer is an https URL without query or fragment (http only on this machine)");
  if (resource === undefined || !audiences.every(isAudience)) throw new TypeError("an OAuth audience is an absolute URI without fragment");
  if (!(clockToleranceS >= 0 && clockToleranceS <= MAX_TOLERANCE_S))
    throw new TypeError(`clockToleranceS: expected 0 to ${MAX_TOLERANCE_S} seconds, got ${clockToleranceS}`);
  const servers = issuers.map((issuer): Server => {
    const expected = { algorithms: ALGORITHMS, issuer: [issuer], audience: audiences };
    return { keys: remoteKeys(issuer), options: { ...expected, requiredClaims: ["exp"], clockTolerance: clockToleranceS } };
  });
  const introspectToken = introspection && introspect(introspection, audiences);
  return {
    // Nothing is remembered about a token: each request finds a new key, a withdrawn one and the expiry as they are.
    async check(token) {
      if (token.length > MAX_TOKEN_CHARACTERS) return deny("the token is too long");
      if (introspectToken === undefined || token.split(".").length === 3) return check(token, serverOf(token, servers), clockToleranceS);
      const answer = await introspectToken(token);
      return "denied" in answer ? answer : authOf(answer.claims, clockToleranceS);
    },
    metadata: { resource, authorization_servers: issuers },
    ...(scopes !== undefined && { scopes }),
  };
}

/** An authorization server whose tokens count. */
interface Server {
  readonly keys: JWTVerifyGetKey;
  readonly options: JWTVerifyOptions & { readonly issuer: string[] };
}

/** The server that a token names, which verifies it; for any other token the first, which denies it. */
function serverOf(token: string, [first, ...others]: readonly Server[]): Server {
  let issuer: string | undefined;
  try {
    issuer = others.length === 0 ? undefined : decodeJwt(token).iss;
  } catch {
    // The verification throws the reason.
  }
  const named = others.find(({ options }) => issuer !== undefined && options.issuer.includes(issuer));
  return (named ?? first) as Server; // there is at least one
}

function isIssuer(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && !/[?#]/.test(text) ? URL.parse(text) : null;
  return url !== null && isHttpsOrLoopback(url) && url.username === "" && url.password === "";
}

function isAudience(text: string): boolean {
  const url = /^[a-z][a-z\d+.-]*:[\x21-\x7e]+$/i.test(text) && !text.includes("#") ? URL.parse(text) : null;
  return url !== null && url.username === "" && url.password === "";
}

async function check(token: string, { keys, options }: Server, toleranceS: number): Promise<Auth | Denied> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, options);
    if (protectedHeader.typ !== undefined && !TYPE.test(protectedHeader.typ)) return deny("the token is not an access token");
    if (payload.iat !== undefined && payload.iat > Date.now() / 1000 + toleranceS) return deny("the token is not valid yet");
    // A bearer who has stolen the token cannot prove the possession of its key (RFC 9449, RFC 8705).
    if (payload["cnf"] !== undefined) return deny("the token is bound to a key, which this server cannot check");
    return authOf(payload, toleranceS);
  } catch (error) {
    if (error instanceof KeysUnavailableError) throw error;
    // Whatever else went wrong lies in the token.
    return deny(phraseOf(error));
  }
}

function authOf(claims: JWTPayload, toleranceS: number): Auth | Denied {
  const principal = principalOf(claims);
  if (principal === undefined) return deny("the token has no subject");
  // The claim was required and checked, and is taken as valid for as long.
  const expiresAt = ((claims.exp ?? 0) + toleranceS) * 1000;
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
