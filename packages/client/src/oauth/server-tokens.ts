// ServerTokens: the tokens for one MCP server, in memory and in the store.
import type { CredentialStore, StoredTokens } from "./credential-store.ts";
import { AuthorizationError } from "./oauth-error.ts";
import { canonicalUri, isOriginOf, isServer } from "./resource-discovery.ts";

/** Tokens are refreshed this long before they expire. */
const EXPIRY_MARGIN_MS = 10_000;

export const isExpiring = ({ expiresAt = Infinity }: StoredTokens): boolean => expiresAt - EXPIRY_MARGIN_MS < Date.now();

export class ServerTokens {
  readonly #store: CredentialStore;
  /** The only server that receives the tokens. */
  #key: string | undefined;
  #loading: Promise<void> | undefined;
  #current: StoredTokens | undefined;
  #knownScopes: readonly string[] = [];

  constructor(store: CredentialStore) {
    this.#store = store;
  }

  get current(): StoredTokens | undefined {
    return this.#current;
  }

  /** Requested with the last tokens, or demanded of them: a login that replaces them requests these too, as earlier calls needed them. */
  get knownScopes(): readonly string[] {
    return this.#knownScopes;
  }

  async load(server: URL): Promise<StoredTokens | undefined> {
    this.#key ??= keyOf(server);
    if (this.#key !== keyOf(server))
      throw new AuthorizationError("This authorization belongs to another server. Create one for each server.");
    this.#loading ??= this.#read(server).then((stored) => this.#set(stored));
    try {
      await this.#loading;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
    return this.#current;
  }

  /** Takes over the tokens of another process that shares the store. True if they replace those of this process. */
  async takeNewer(server: URL): Promise<boolean> {
    const stored = await this.#read(server);
    if (stored === undefined || this.#current === undefined || stored.accessToken === this.#current.accessToken) return false;
    this.#set(stored);
    return true;
  }

  async save(server: URL, tokens: StoredTokens | undefined): Promise<void> {
    this.#set(tokens);
    // The key of bound tokens is lost with the process.
    await this.#store.saveTokens(keyOf(server), tokens?.tokenType === "dpop" ? undefined : tokens);
  }

  /** Keeps the scopes that the server demands for the next login, even if it is one of another process. */
  async demand(server: URL, scopes: readonly string[]): Promise<void> {
    const tokens = this.#current;
    if (tokens === undefined || scopes.every((scope) => this.#knownScopes.includes(scope))) return;
    await this.save(server, { ...tokens, demandedScopes: [...new Set([...(tokens.demandedScopes ?? []), ...scopes])] });
  }

  async forget(server: URL): Promise<void> {
    await this.save(server, undefined);
    this.#knownScopes = [];
  }

  async #read(server: URL): Promise<StoredTokens | undefined> {
    const stored = await this.#store.tokens(keyOf(server));
    if (stored === undefined || stored.tokenType.toLowerCase() !== "bearer") return undefined;
    return isServer(stored.resource, server) || isOriginOf(stored.resource, server) ? stored : undefined;
  }

  #set(tokens: StoredTokens | undefined): void {
    this.#current = tokens;
    if (tokens !== undefined) this.#knownScopes = [...tokens.scopes, ...(tokens.demandedScopes ?? [])];
  }
}

/** With the query, which may name a tenant. */
const keyOf = (server: URL): string => `${canonicalUri(server)}${server.search}`;
