// Which scopes to request.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy

const OFFLINE_ACCESS = "offline_access";

export const splitScope = (scope: string | undefined): string[] => (scope ?? "").split(" ").filter((part) => part !== "");

export interface ScopeSources {
  /** The scopes of an explicit login: none but these. */
  only?: readonly string[] | undefined;
  /** Whether a user logs in for all later calls, not for the request that was refused. */
  isLogin?: boolean;
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

/**
 * The scopes of the challenge, else those that the server has published, else none; in addition to the earlier ones. A login requests both,
 * as a challenge names what the refused request needs, which only reads.
 */
export function selectScopes(sources: ScopeSources): string[] {
  const { supportedByResource = [], supportedByServer, earlier, usesRefreshTokens, only, isLogin = false } = sources;
  const challenged = splitScope(sources.challenged);
  const published = isLogin || challenged.length === 0 ? supportedByResource : [];
  const scopes = new Set(only ?? [...earlier, ...challenged, ...published]);
  // Without a scope the authorization server applies its default, which a single scope would replace.
  if (usesRefreshTokens && scopes.size > 0 && supportedByServer?.includes(OFFLINE_ACCESS) === true) scopes.add(OFFLINE_ACCESS);
  return [...scopes];
}

/** Servers of OpenID Connect give refresh tokens only with consent. */
export const needsConsent = (scopes: readonly string[]): boolean => scopes.includes(OFFLINE_ACCESS);
