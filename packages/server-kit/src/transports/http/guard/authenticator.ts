// Authenticator: verifies bearer tokens. bearerToken() is the one for a shared secret; @oarlock/oauth has one for OAuth.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
import type { Awaitable } from "../../../features/awaitable.ts";
import type { Auth } from "../../../protocol/auth.ts";

/** A refused token. `denied` is the reason as the client may read it: one phrase without quotes. */
export interface Denied {
  readonly denied: string;
}

/** Verifies bearer tokens. */
export interface Authenticator {
  /** Verifies one token. Throw or reject when it cannot be verified now: the client gets status 503. */
  check(token: string): Awaitable<Auth | Denied>;
  /** Names of the scopes for reading and for writing, which includes reading. Default: the name of the server with `:read` and `:write`. */
  readonly scopes?: { readonly read: string; readonly write: string };
  /** Protected resource metadata (RFC 9728) of an OAuth resource server. Leave out where clients get tokens in another way. */
  readonly metadata?: ResourceMetadata;
}

/** A caller as the login of an app names it. */
export interface AppCaller extends Partial<Auth> {
  /** Identifies the caller. */
  readonly principal: string;
  /** Default: all. */
  readonly scopes?: readonly string[];
}

/**
 * Names the caller of a request by the login of the app around the server, such as a session cookie; undefined or `denied` refuses the request.
 * Throw when it cannot be found out now.
 */
export type AppLogin<R> = (request: R) => Awaitable<AppCaller | Denied | undefined>;

/** An authenticator as the HTTP transport uses it: `callerOf` replaces the token. */
export interface RequestAuthenticator extends Authenticator {
  callerOf?(request: unknown): Awaitable<Auth | Denied>;
}

/** Uses the login of an app in place of tokens. */
export const byAppLogin = <R>(login: AppLogin<R>): RequestAuthenticator => ({
  check: () => NO_CALLER,
  async callerOf(request) {
    // The platform passes its own requests. In JavaScript `user && { … }` may return false.
    const caller = (await login(request as R)) || NO_CALLER;
    if (typeof caller !== "object") throw new TypeError(`The option auth returned ${typeof caller}: expected { principal, scopes }.`);
    if ("denied" in caller) return caller;
    if (typeof caller.principal === "string" && caller.principal !== "") return { scopes: ["*"], claims: {}, ...caller };
    throw new TypeError("The option auth returned a caller without principal: expected a text that is not empty.");
  },
});

/** The reason where the app has no login for a request. */
export const NO_LOGIN = "no login";
const NO_CALLER: Denied = { denied: NO_LOGIN };

/** Protected resource metadata. https://www.rfc-editor.org/rfc/rfc9728#section-2 */
export interface ResourceMetadata {
  /** The identifier that tokens are issued for (their audience). */
  readonly resource: string;
  readonly authorization_servers: readonly string[];
}

/**
 * Accepts one shared secret, with all scopes. Throws a TypeError on a secret that no header could carry.
 * @example await serveHttp(server, { auth: bearerToken(process.env.TOKEN) });
 */
export function bearerToken(secret: string): Authenticator {
  if (!/^[\x21-\x7e]{1,4096}$/.test(secret)) {
    throw new TypeError("Invalid bearer token: expected 1 to 4,096 visible ASCII characters without spaces.");
  }
  const auth: Auth = { principal: "token", scopes: ["*"], claims: {} };
  const denied: Denied = { denied: "wrong token" };
  return { check: (token) => (isSameText(token, secret) ? auth : denied) };
}

/** Compares in a time that depends on the length of `given` only. */
function isSameText(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ secret.charCodeAt(at % secret.length);
  return difference === 0;
}

/** The token of an Authorization header `Bearer TOKEN`; undefined when the header has another form. */
export function parseBearer(authorization: string): string | undefined {
  return /^bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
}

/** Whether scopes include a needed one: `NAME:write` includes `NAME:read`, `*` includes every scope. */
export function includesScope(scopes: readonly string[], needed: string): boolean {
  if (scopes.includes("*") || scopes.includes(needed)) return true;
  return needed.endsWith(":read") && scopes.includes(`${needed.slice(0, -":read".length)}:write`);
}
