// Introspection: asks the authorization server about a token that only it can read. https://www.rfc-editor.org/rfc/rfc7662
import type { Denied } from "@oarlock/server-kit/fetch";
import type { JWTPayload } from "jose";
import { fetchText, isHttpsOrLoopback, KeysUnavailableError } from "./remote-keys.ts";

/** Where opaque tokens are verified, and by whom. */
export interface IntrospectionOptions {
  /** The introspection endpoint of the authorization server: an https URL, or http on this machine. */
  endpoint: string;
  /** The client that this server is to the authorization server. */
  clientId: string;
  clientSecret: string;
}

const TIMEOUT_MS = 5000;

/**
 * Makes the check of a token: its claims, or why it is denied. Rejects when the server cannot be asked. A token must be meant for one of the
 * audiences and must expire, as a signed one.
 */
export function introspect(
  { endpoint, clientId, clientSecret }: IntrospectionOptions,
  audiences: readonly string[],
): (token: string) => Promise<{ claims: JWTPayload } | Denied> {
  const url = URL.parse(endpoint);
  if (url === null || !isHttpsOrLoopback(url)) throw new TypeError("an introspection endpoint is an https URL (http only on this machine)");
  const credentials = [clientId, clientSecret].map((part) => encodeURIComponent(part)).join(":");
  const headers = { authorization: `Basic ${btoa(credentials)}`, "content-type": "application/x-www-form-urlencoded" };
  return async (token) => {
    const claims = await claimsFrom(url.href, {
      method: "POST",
      headers,
      body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
    });
    if (claims["active"] !== true) return { denied: "the token is not active" };
    const named = [claims.aud ?? []].flat();
    if (!named.some((one) => audiences.includes(one))) return { denied: "the token is for another audience" };
    if (typeof claims.exp !== "number") return { denied: "the token has no expiry" };
    if (claims["cnf"] !== undefined) return { denied: "the token is bound to a key, which this server cannot check" };
    return { claims: { iss: url.origin, ...claims } };
  };
}

async function claimsFrom(url: string, init: Parameters<typeof fetchText>[2]): Promise<JWTPayload> {
  try {
    const claims: unknown = JSON.parse(await fetchText(url, AbortSignal.timeout(TIMEOUT_MS), init));
    if (typeof claims === "object" && claims !== null) return claims as JWTPayload; // an open set: each use checks its member
    throw new Error("expected an object");
  } catch (error) {
    throw new KeysUnavailableError(`the token cannot be verified at ${url}: ${error instanceof Error ? error.message : "no answer"}`, {
      cause: error,
    });
  }
}
