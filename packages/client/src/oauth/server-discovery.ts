// Discovery of the authorization server: its metadata, checked against the expected issuer.
// https://www.rfc-editor.org/rfc/rfc8414.html
import type { Json } from "@oarlock/server-kit/protocol";
import type { AuthorizationServer } from "oauth4webapi";
import type { GuardedFetch } from "./guarded-fetch.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { AuthorizationError } from "./oauth-error.ts";
import { fetchMetadata, stringsOf } from "./resource-discovery.ts";

export interface DiscoveredServer {
  metadata: AuthorizationServer;
  /** Whether the server has no metadata, so that the default endpoints of revision 2025-03-26 are used. */
  isAssumed: boolean;
}

/** Of more offered servers the others are not tried. */
const MAX_ISSUERS = 5;
const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";
const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "registration_endpoint"] as const;
const LISTS = ["scopes_supported", "token_endpoint_auth_methods_supported", "code_challenge_methods_supported"] as const;

/** Fetches the metadata of an issuer: of OAuth, then of OpenID Connect with the path inserted and appended. */
export async function discoverServer(issuer: string, fetch: GuardedFetch, policy: NetworkPolicy): Promise<DiscoveredServer> {
  const url = URL.parse(issuer);
  if (url === null || url.search !== "" || url.hash !== "")
    throw new AuthorizationError("Invalid issuer of the authorization server: expected a URL without query and fragment");
  policy.checkUrl(url, "issuer of the authorization server");
  const path = url.pathname.replace(/\/$/, "");
  const candidates = path === "" ? [OAUTH, OPENID] : [`${OAUTH}${path}`, `${OPENID}${path}`, `${path}${OPENID}`];
  for (const candidate of candidates) {
    // Not relative to the origin: a path that begins with two slashes would name another host.
    const metadata = await fetchMetadata(new URL(`${url.origin}${candidate}`), fetch);
    if (metadata !== undefined) return { metadata: checkedMetadata(metadata, issuer, policy), isAssumed: false };
  }
  throw new AuthorizationError(`The authorization server ${url.origin}${path} has no metadata`);
}

/** The first of these issuers that can be used; the error of the first one where none can. */
export async function discoverFirst(issuers: readonly string[], fetch: GuardedFetch, policy: NetworkPolicy): Promise<DiscoveredServer> {
  let first: unknown;
  for (const issuer of issuers.slice(0, MAX_ISSUERS)) {
    try {
      return await discoverServer(issuer, fetch, policy);
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** Revision 2025-03-26: the server is its own authorization server, with metadata at its origin or with the default endpoints. */
export async function discoverAtOrigin({ origin }: URL, fetch: GuardedFetch, policy: NetworkPolicy): Promise<DiscoveredServer> {
  const metadata = await fetchMetadata(new URL(OAUTH, origin), fetch, { "mcp-protocol-version": "2025-03-26" });
  if (metadata !== undefined) return { metadata: checkedMetadata(metadata, origin, policy), isAssumed: false };
  const endpoints = {
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
  };
  return { metadata: { issuer: origin, ...endpoints }, isAssumed: true };
}

/**
 * Whether two issuers are the same as text: one that differs in form could be used for a mix-up. Only the slash of an empty path may be missing
 * in one of them, as many servers leave it out in one document.
 */
export function isSameIssuer(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return one === other || (`${short}/` === long && URL.parse(long)?.href === long && new URL(long).pathname === "/");
}

function checkedMetadata(metadata: Json, issuer: string, policy: NetworkPolicy): AuthorizationServer {
  if (typeof metadata.issuer !== "string" || !isSameIssuer(metadata.issuer, issuer))
    throw new AuthorizationError(
      `Metadata of another authorization server: expected the issuer ${issuer}, received ${String(metadata.issuer).slice(0, 300)}`,
    );
  for (const name of ENDPOINTS) {
    const endpoint = metadata[name];
    if (endpoint === undefined) continue;
    const url = typeof endpoint === "string" ? URL.parse(endpoint) : null;
    if (url === null) throw new AuthorizationError(`Invalid metadata of the authorization server: expected a URL in ${name}`);
    policy.checkUrl(url, name);
  }
  if (metadata.token_endpoint === undefined)
    throw new AuthorizationError("Invalid metadata of the authorization server: expected token_endpoint");
  // The library checks the other members that it uses.
  const lists = Object.fromEntries(LISTS.map((name) => [name, stringsOf(metadata[name])]));
  return { ...metadata, ...lists } as unknown as AuthorizationServer;
}

/** Throws unless the server supports PKCE with S256: without it, a stolen code could be used. */
export function requirePkce({ metadata, isAssumed }: DiscoveredServer): void {
  const methods = metadata.code_challenge_methods_supported;
  if (!isAssumed && methods?.includes("S256") !== true)
    throw new AuthorizationError("The authorization server does not support PKCE: expected S256 in code_challenge_methods_supported");
}
