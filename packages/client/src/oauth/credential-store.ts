// The storage of tokens and registrations. Both are bound to the server that they were issued for.

export interface StoredTokens {
  /** The authorization server that has issued them; they are refreshed nowhere else. */
  issuer: string;
  /** The identifier of the resource that they were issued for. */
  resource: string;
  accessToken: string;
  /** "bearer" or "dpop". */
  tokenType: string;
  /** In milliseconds since 1970. */
  expiresAt?: number;
  refreshToken?: string;
  /** All scopes that were requested. */
  scopes: readonly string[];
  /** The scopes that the server demanded of these tokens in vain: the next login requests them too. */
  demandedScopes?: readonly string[];
}

/** A client that an authorization server has registered. */
export interface StoredRegistration {
  issuer: string;
  clientId: string;
  clientSecret?: string;
  /** In milliseconds since 1970. */
  secretExpiresAt?: number;
  authMethod?: string;
  redirectUri: string;
  /** Whether the last login was not completed: its page may have shown that the server does not know the client any more. */
  isDoubtful?: boolean;
}

/** Where tokens and registrations are kept. To save undefined removes an entry. */
export interface CredentialStore {
  /** The tokens for an MCP server, by its URL with the query. */
  tokens(server: string): StoredTokens | undefined | Promise<StoredTokens | undefined>;
  saveTokens(server: string, tokens: StoredTokens | undefined): void | Promise<void>;
  /** The registration at an authorization server, by its issuer. */
  registration(issuer: string): StoredRegistration | undefined | Promise<StoredRegistration | undefined>;
  saveRegistration(issuer: string, registration: StoredRegistration | undefined): void | Promise<void>;
  /**
   * Runs a refresh while no other process that shares the store runs one: an authorization server may take a refresh token that is used twice
   * for stolen, and end the login. Default: the store belongs to one process.
   */
  exclusively?<T>(refresh: () => Promise<T>): Promise<T>;
}

/** Keeps credentials for the life of the process. */
export function memoryStore(): CredentialStore {
  const [tokens, registrations] = [new Map<string, StoredTokens>(), new Map<string, StoredRegistration>()];
  return {
    tokens: (server) => tokens.get(server),
    saveTokens: (server, value) => setOrDelete(tokens, server, value),
    registration: (issuer) => registrations.get(issuer),
    saveRegistration: (issuer, value) => setOrDelete(registrations, issuer, value),
  };
}

function setOrDelete<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
