// Bearer tokens on HTTP: who may come in, what a refusal says, and which scope an act needs.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
import type { Awaitable } from "../../../features/after.ts";
import type { Auth } from "../../../protocol/auth.ts";

/** Why a token was not taken, as it may be told: one plain phrase without quotes. */
export interface Denied {
  readonly denied: string;
}

/** Decides about bearer tokens. */
export interface Authenticator {
  /** Judges one token. A rejection counts as "cannot be checked now" and is answered with 503. */
  check(token: string): Awaitable<Auth | Denied>;
  /** The resource metadata (RFC 9728) of an OAuth resource server; left out where tokens come another way. */
  readonly metadata?: ResourceMetadata;
}

/** https://www.rfc-editor.org/rfc/rfc9728#section-2 */
export interface ResourceMetadata {
  /** The identifier that tokens are issued for (their audience). */
  readonly resource: string;
  readonly authorization_servers: readonly string[];
}

/**
 * One shared secret: whoever knows it may do everything.
 * @example await serveHttp(server, { auth: bearerToken(process.env.TOKEN) });
 */
export function bearerToken(secret: string): Authenticator {
  if (!/^[\x21-\x7e]{1,4096}$/.test(secret)) throw new TypeError("a bearer token is 1 to 4,096 visible ASCII characters without blanks");
  const auth: Auth = { principal: "token", scopes: ["*"], claims: {} };
  const denied: Denied = { denied: "the token is not the right one" };
  return { check: (token) => (sameText(token, secret) ? auth : denied) };
}

/** Compares in a time that depends on the length of `given` only. */
function sameText(given: string, secret: string): boolean {
  let differs = given.length ^ secret.length;
  for (let at = 0; at < given.length; at++) differs |= given.charCodeAt(at) ^ secret.charCodeAt(at % secret.length);
  return differs === 0;
}

/** The header value `Bearer TOKEN`, read; undefined when it is anything else. */
export function tokenOf(authorization: string): string | undefined {
  return /^bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

/** Whether scopes are good for one that is needed: writing includes reading, `"*"` is everything. */
export function covers(scopes: readonly string[], needed: string): boolean {
  if (scopes.includes("*") || scopes.includes(needed)) return true;
  return needed.endsWith(":read") && scopes.includes(`${needed.slice(0, -":read".length)}:write`);
}
