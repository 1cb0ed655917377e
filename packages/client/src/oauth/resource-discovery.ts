// Discovery of the protected resource: which authorization servers an MCP server names.
// https://www.rfc-editor.org/rfc/rfc9728.html
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { GuardedFetch } from "./guarded-fetch.ts";
import { AuthorizationError } from "./oauth-error.ts";

export interface ProtectedResource {
  /** The identifier of the resource exactly as published: it is compared as text. */
  resource: string;
  /** The issuers; undefined for a server without metadata, as in revision 2025-03-26. */
  issuers: readonly string[] | undefined;
  scopes: readonly string[] | undefined;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Fetches the metadata at the URL of the challenge, else at the well-known URLs with and without the path of the server. */
export async function discoverResource(server: URL, metadataUrl: string | undefined, fetch: GuardedFetch): Promise<ProtectedResource> {
  const path = server.pathname.replace(/\/$/, "");
  const candidates = metadataUrl === undefined ? [...new Set([`${WELL_KNOWN}${path}`, WELL_KNOWN])] : [metadataUrl];
  for (const candidate of candidates) {
    const url = URL.parse(candidate, server.origin);
    if (url === null) throw new AuthorizationError("Invalid resource_metadata in the server's challenge: expected a URL");
    const metadata = await fetchMetadata(url, fetch);
    if (metadata !== undefined) return checkedResource(metadata, server, url);
  }
  if (metadataUrl !== undefined) throw new AuthorizationError("The server's challenge names resource metadata that it does not have");
  return { resource: canonicalUri(server), issuers: undefined, scopes: undefined };
}

/** A JSON object; undefined if the server has no such document. */
export async function fetchMetadata(url: URL, fetch: GuardedFetch, headers: Record<string, string> = {}): Promise<Json | undefined> {
  const response = await fetch(url, { headers: { accept: "application/json", ...headers } });
  if (response.status >= 500) throw new AuthorizationError(`No metadata at ${url.origin}${url.pathname}: HTTP status ${response.status}`);
  if (!response.ok) return undefined;
  try {
    const value: unknown = await response.json();
    return isObject(value) ? withoutNulls(value) : undefined;
  } catch {
    return undefined; // a page for every path, as web applications have
  }
}

/** Some servers write null for members that they do not have. */
export const withoutNulls = (value: Json): Json => Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));

function checkedResource(metadata: Json, server: URL, url: URL): ProtectedResource {
  const { resource } = metadata;
  // The document of the whole origin is made from the identifier without a path.
  const isOfOrigin = url.origin === server.origin && url.pathname === WELL_KNOWN && url.search === "";
  if (typeof resource !== "string" || !(isServer(resource, server) || (isOfOrigin && isOriginOf(resource, server))))
    throw new AuthorizationError("Resource metadata of another server: expected its resource to be the URL of this server");
  const issuers = stringsOf(metadata.authorization_servers) ?? [];
  if (issuers.length === 0) throw new AuthorizationError("Invalid resource metadata: expected authorization_servers");
  return { resource, issuers, scopes: stringsOf(metadata.scopes_supported) };
}

/**
 * Whether a resource is the identifier of the server, as text: a token for anything wider would be good elsewhere too.
 * https://www.rfc-editor.org/rfc/rfc9728.html#section-3.3
 */
export const isServer = (resource: string, server: URL): boolean => {
  const uri = canonicalUri(server);
  return (
    resource === uri ||
    resource === `${uri}${server.search}` ||
    (server.pathname === "/" && resource === `${server.origin}/${server.search}`)
  );
};

/** Whether a resource is the origin of the server, which then has one identifier for everything on it. */
export const isOriginOf = (resource: string, { origin }: URL): boolean => resource === origin || resource === `${origin}/`;

/** The identifier of a server that has not published one. */
export function canonicalUri(server: URL): string {
  return server.pathname === "/" ? server.origin : `${server.origin}${server.pathname}`;
}

const MAX_STRINGS = 1000;

/** The strings of a list; undefined for anything else. */
export const stringsOf = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.slice(0, MAX_STRINGS).filter((item) => typeof item === "string") : undefined;
