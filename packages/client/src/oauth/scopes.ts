// Which scopes to request.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy

const OFFLINE_ACCESS = "offline_access";

export const splitScope = (scope: string | undefined): string[] => (scope ?? "").split(" ").filter((part) => part !== "");

export interface ScopeSources {
  /** The scope of the challenge. */
  challenged: string | undefined;
  /** The scopes that the server has published for itself. */
  supportedByResource: readonly string[] | undefined;
  /** The scopes that the authorization server has published. */
  supportedByServer: readonly string[] | undefined;
  /** The scopes of the authorization that is extended. */
  earlier: readonly string[];
  /** Whether the grant can use a refresh token. */
  usesRefreshTokens: boolean;
}

/** The scopes of the challenge, else those that the server has published, else none; in addition to the earlier ones. */
export function selectScopes({ challenged, supportedByResource, supportedByServer, earlier, usesRefreshTokens }: ScopeSources): string[] {
  const demanded = splitScope(challenged);
  const wanted = demanded.length > 0 ? demanded : (supportedByResource ?? []);
  const scopes = new Set([...earlier, ...wanted]);
  // Without a scope the authorization server applies its default, which a single scope would replace.
  if (usesRefreshTokens && scopes.size > 0 && supportedByServer?.includes(OFFLINE_ACCESS) === true) scopes.add(OFFLINE_ACCESS);
  return [...scopes];
}

/** Servers of OpenID Connect give refresh tokens only with consent. */
export const needsConsent = (scopes: readonly string[]): boolean => scopes.includes(OFFLINE_ACCESS);
