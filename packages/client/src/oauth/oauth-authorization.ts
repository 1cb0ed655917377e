// OAuthAuthorization: answers the challenges of one MCP server with tokens of its authorization server.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
import type { TokenEndpointResponse } from "oauth4webapi";
import type { Authorization, AuthorizationChallenge, AuthorizationRequest } from "../transports/http/authorization.ts";
import { tokenChallenge, type Challenge } from "./challenge.ts";
import { memoryStore, type CredentialStore, type StoredTokens } from "./credential-store.ts";
import { DPOP_ALGORITHM, DpopKey } from "./dpop-key.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { refreshTokens } from "./grants/refresh.ts";
import { toStoredTokens, type Grant, type GrantContext } from "./grants/token-request.ts";
import { NetworkPolicy } from "./network-policy.ts";
import { AuthorizationError } from "./oauth-error.ts";
import { discoverResource, canonicalUri, type ProtectedResource } from "./resource-discovery.ts";
import { selectScopes, splitScope } from "./scopes.ts";
import { discoverAtOrigin, discoverServer, type DiscoveredServer } from "./server-discovery.ts";

export interface AuthorizationOptions {
  /** Where tokens and registrations are kept. Default: in memory. */
  store?: CredentialStore;
  /** Draft SEP-1932: binds tokens to a key of this process, where the authorization server supports it. Default false. */
  draftDpop?: boolean;
}

/** Tokens are refreshed this long before they expire. */
const EXPIRY_MARGIN_MS = 10_000;
/** How often a server may demand the same scopes. */
const MAX_SAME_STEP_UPS = 2;

export class OAuthAuthorization implements Authorization {
  readonly #grant: Grant;
  readonly #store: CredentialStore;
  readonly #usesDpop: boolean;
  /** The only server that receives the tokens. */
  #server: string | undefined;
  #dpopKey: Promise<DpopKey> | undefined;
  #tokens: StoredTokens | undefined;
  #isLoaded = false;
  /** Of the last tokens: a login that replaces them requests these too, as earlier calls needed them. */
  #knownScopes: readonly string[] = [];
  #isRefreshed = false;
  /** The issuer that received the client's credentials first. */
  #issuer: string | undefined;
  #inFlight: Promise<boolean> | undefined;
  readonly #stepUps = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor(grant: Grant, { store = memoryStore(), draftDpop = false }: AuthorizationOptions) {
    this.#grant = grant;
    this.#store = store;
    this.#usesDpop = draftDpop;
    this.#issuer = grant.issuer;
  }

  async headers({ method, url, server }: AuthorizationRequest): Promise<Record<string, string>> {
    let tokens = await this.#load(server);
    if (tokens?.expiresAt !== undefined && tokens.expiresAt - EXPIRY_MARGIN_MS < Date.now() && tokens.refreshToken !== undefined) {
      // A failure is left to the server's challenge, which leads to a login.
      await this.#once(() => this.#refreshExpiring(server)).catch(() => undefined);
      tokens = this.#tokens;
    }
    if (tokens === undefined || url.origin !== server.origin) return {};
    if (tokens.tokenType !== "dpop") return { authorization: `Bearer ${tokens.accessToken}` };
    const key = await this.#key();
    return { authorization: `DPoP ${tokens.accessToken}`, dpop: await key.prove(method, url, tokens.accessToken) };
  }

  async answer(refused: AuthorizationChallenge): Promise<boolean> {
    const { status, server, headers, authorization } = refused;
    await this.#load(server);
    const challenge = tokenChallenge(headers.get("www-authenticate"));
    if (challenge?.parameters.error === "use_dpop_nonce") return this.#takeNonce(headers.get("dpop-nonce"));
    if (status === 403 && challenge?.parameters.error !== "insufficient_scope") return false;
    if (this.#hasOtherToken(authorization)) return true;
    return this.#once(async () => (this.#hasOtherToken(authorization) ? true : this.#renew(refused, challenge)));
  }

  async currentUser(server: URL): Promise<string | undefined> {
    return (await this.#load(server))?.accessToken;
  }

  /** Logs in before the first request, so that no request has to wait for the user. Does nothing if there are tokens. */
  async login(server: string | URL): Promise<void> {
    const url = new URL(server);
    if ((await this.#load(url)) === undefined) await this.#once(() => this.#obtain(url, undefined, []));
  }

  /** Forgets the tokens for a server. Registrations are kept. */
  async logout(server: string | URL): Promise<void> {
    await this.#load(new URL(server));
    await this.#save(new URL(server), undefined);
    this.#knownScopes = [];
  }

  // ── tokens ────────────────────────────────────────────────────────────────────────────────────────────────────────

  async #load(server: URL): Promise<StoredTokens | undefined> {
    this.#server ??= canonicalUri(server);
    if (this.#server !== canonicalUri(server))
      throw new AuthorizationError("This authorization belongs to another server. Create one for each server.");
    if (!this.#isLoaded) this.#tokens = await this.#store.tokens(this.#server);
    this.#knownScopes = this.#tokens?.scopes ?? this.#knownScopes;
    this.#isLoaded = true;
    return this.#tokens;
  }

  async #save(server: URL, tokens: StoredTokens | undefined): Promise<void> {
    this.#tokens = tokens;
    this.#knownScopes = tokens?.scopes ?? this.#knownScopes;
    // The key of bound tokens is lost with the process.
    await this.#store.saveTokens(canonicalUri(server), tokens?.tokenType === "dpop" ? undefined : tokens);
  }

  #hasOtherToken(refused: string | undefined): boolean {
    return this.#tokens !== undefined && refused?.split(" ")[1] !== this.#tokens.accessToken;
  }

  /** Runs one change of the tokens at a time; others that want one wait for it. */
  #once(change: () => Promise<boolean>): Promise<boolean> {
    this.#inFlight ??= change().finally(() => (this.#inFlight = undefined));
    return this.#inFlight;
  }

  #takeNonce(nonce: string | null): boolean | Promise<boolean> {
    if (nonce === null || !this.#usesDpop) return false;
    return this.#key().then((key) => {
      const isNew = key.nonce !== nonce;
      key.nonce = nonce;
      return isNew;
    });
  }

  #key(): Promise<DpopKey> {
    return (this.#dpopKey ??= DpopKey.create());
  }

  // ── new tokens ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #renew({ status, server, retries }: AuthorizationChallenge, challenge: Challenge | undefined): Promise<boolean> {
    if (status === 403) return this.#stepUp(server, challenge, retries);
    // A token that was new for this request and was refused is not replaced by a third one.
    if (retries > 0 && this.#tokens !== undefined && !this.#isRefreshed) return false;
    return this.#obtain(server, challenge, []);
  }

  /** Requests the demanded scopes in addition to the earlier ones. */
  async #stepUp(server: URL, challenge: Challenge | undefined, retries: number): Promise<boolean> {
    const earlier = this.#tokens?.scopes ?? [];
    const demanded = splitScope(challenge?.parameters.scope);
    const key = [...new Set(demanded)].sort().join(" ");
    const count = this.#stepUps.get(key) ?? 0;
    const wasGranted = demanded.every((scope) => earlier.includes(scope));
    if (count >= MAX_SAME_STEP_UPS || (retries > 0 && wasGranted)) return false;
    this.#stepUps.set(key, count + 1);
    return this.#obtain(server, challenge, earlier);
  }

  /** Finds the authorization server, and obtains tokens by the refresh token or anew. */
  async #obtain(server: URL, challenge: Challenge | undefined, earlier: readonly string[]): Promise<boolean> {
    const policy = await NetworkPolicy.of(server);
    const fetch = guardedFetch(policy);
    const resource = await discoverResource(server, challenge?.parameters.resource_metadata, fetch);
    const issuer = this.#chooseIssuer(resource, server);
    const found = issuer === undefined ? await discoverAtOrigin(server, fetch, policy) : await discoverServer(issuer, fetch, policy);
    if (this.#tokens !== undefined && this.#tokens.issuer !== found.metadata.issuer) {
      this.#knownScopes = [];
      await this.#save(server, undefined);
    }
    const scopes = selectScopes({
      challenged: challenge?.parameters.scope,
      supportedByResource: resource.scopes,
      supportedByServer: found.metadata.scopes_supported,
      earlier: [...earlier, ...this.#knownScopes],
    });
    const context = await this.#context(found, { resource: resource.resource, scopes, policy });
    if (earlier.length === 0 && (await this.#refresh(server, context))) return true;
    await this.#accept(server, context, await this.#grant.obtain(context), false);
    return true;
  }

  #chooseIssuer({ issuers }: ProtectedResource, { origin }: URL): string | undefined {
    const { isBoundToIssuer } = this.#grant;
    const known = [this.#issuer, this.#tokens?.issuer].filter((issuer) => issuer !== undefined);
    const offered = issuers ?? [origin];
    const chosen = known.find((issuer) => offered.includes(issuer));
    if (isBoundToIssuer && this.#issuer !== undefined && chosen !== this.#issuer)
      throw new AuthorizationError(`The server does not accept tokens of ${this.#issuer}: expected it among its authorization servers`);
    if (isBoundToIssuer) this.#issuer ??= offered[0];
    return issuers === undefined ? undefined : (chosen ?? issuers[0]);
  }

  async #context(
    server: DiscoveredServer,
    { resource, scopes, policy }: Pick<GrantContext, "resource" | "scopes" | "policy">,
  ): Promise<GrantContext> {
    const algorithms = server.metadata.dpop_signing_alg_values_supported;
    const isBound = this.#usesDpop && Array.isArray(algorithms) && algorithms.includes(DPOP_ALGORITHM);
    const dpop = isBound ? (await this.#key()).handle : undefined;
    return { server, resource, scopes, policy, fetch: guardedFetch(policy), store: this.#store, dpop, signal: this.#closing.signal };
  }

  async #refreshExpiring(server: URL): Promise<boolean> {
    const tokens = this.#tokens;
    if (tokens === undefined) return false;
    const policy = await NetworkPolicy.of(server);
    const fetch = guardedFetch(policy);
    const found = await discoverServer(tokens.issuer, fetch, policy).catch(() => discoverAtOrigin(server, fetch, policy));
    return this.#refresh(server, await this.#context(found, { resource: tokens.resource, scopes: tokens.scopes, policy }));
  }

  async #refresh(server: URL, context: GrantContext): Promise<boolean> {
    const refresh = (): Promise<boolean> => this.#refreshNow(server, context);
    return await (this.#store.exclusively?.(refresh) ?? refresh());
  }

  /** False if there is no refresh token for this server, or it is no longer valid. */
  async #refreshNow(server: URL, context: GrantContext): Promise<boolean> {
    const stored = await this.#store.tokens(canonicalUri(server));
    const isNewer = stored !== undefined && this.#tokens !== undefined && stored.accessToken !== this.#tokens.accessToken;
    // Another process has refreshed them meanwhile; the refresh token of this one may have been replaced.
    if (isNewer) this.#tokens = stored;
    if (isNewer && (stored.expiresAt ?? Infinity) - EXPIRY_MARGIN_MS > Date.now()) return true;
    const tokens = this.#tokens;
    const { metadata } = context.server;
    const { refreshToken } = tokens ?? {};
    if (tokens === undefined || refreshToken === undefined || tokens.issuer !== metadata.issuer || tokens.resource !== context.resource)
      return false;
    try {
      const response = await refreshTokens(this.#grant, context, refreshToken);
      if (response === undefined) return false;
      // A server that does not rotate the refresh token keeps the old one valid.
      await this.#accept(server, { ...context, scopes: tokens.scopes }, { refresh_token: refreshToken, ...response }, true);
      return true;
    } catch (error) {
      // Without a code the server has refused nothing: it could not be reached, say, and the token stays valid.
      if (!(error instanceof AuthorizationError) || error.code === undefined) throw error;
      await this.#save(server, undefined);
      return false;
    }
  }

  async #accept(server: URL, context: GrantContext, response: TokenEndpointResponse, isRefreshed: boolean): Promise<void> {
    if (context.dpop !== undefined && response.token_type !== "dpop")
      throw new AuthorizationError("The authorization server has not bound the token to the key: expected the token type DPoP");
    await this.#save(server, toStoredTokens(context, response));
    this.#isRefreshed = isRefreshed;
  }
}
