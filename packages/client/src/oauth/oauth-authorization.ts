// OAuthAuthorization: answers the challenges of one MCP server with tokens of its authorization server.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
import type { TokenEndpointResponse } from "oauth4webapi";
import type { Authorization, AuthorizationChallenge, AuthorizationRequest } from "../transports/http/authorization.ts";
import type { AuthorizationOptions, LoginRequest } from "./authorization-options.ts";
import { demandsToken, requestChallenge, type ServerAnswer } from "./challenge-request.ts";
import { tokenChallenge, type Challenge } from "./challenge.ts";
import { memoryStore, type CredentialStore } from "./credential-store.ts";
import { DPOP_ALGORITHM, DpopKey } from "./dpop-key.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { isTokenInvalid, isTransient, refreshTokens } from "./grants/refresh.ts";
import { toStoredTokens, type Grant, type GrantContext } from "./grants/token-request.ts";
import { isHttpsOrLoopback, NetworkPolicy } from "./network-policy.ts";
import { AuthorizationError } from "./oauth-error.ts";
import { discoverResource, type ProtectedResource } from "./resource-discovery.ts";
import { selectScopes, splitScope } from "./scopes.ts";
import { discoverAtOrigin, discoverFirst, discoverServer, isSameIssuer, type DiscoveredServer } from "./server-discovery.ts";
import { isExpiring, ServerTokens } from "./server-tokens.ts";

/** How new tokens are obtained. */
interface Renewal {
  challenge: Challenge | undefined;
  /** Whether a refresh token may be used instead of a login. */
  canRefresh: boolean;
  signal?: AbortSignal | undefined;
  /** Of an explicit login: the answer to a request before it, and the scopes that it is limited to. */
  login?: { answer: ServerAnswer; scopes: readonly string[] | undefined };
}

/** How often a server may demand the same scopes. */
const MAX_SAME_STEP_UPS = 2;

export class OAuthAuthorization implements Authorization {
  readonly #grant: Grant;
  readonly #store: CredentialStore;
  readonly #tokens: ServerTokens;
  readonly #usesDpop: boolean;
  #dpopKey: Promise<DpopKey> | undefined;
  #isRefreshed = false;
  /** The issuer that received the client's credentials first. */
  #issuer: string | undefined;
  #inFlight: { kind: string; result: Promise<boolean> } | undefined;
  readonly #stepUps = new Map<string, number>();

  constructor(grant: Grant, { store = memoryStore(), draftDpop = false }: AuthorizationOptions) {
    this.#grant = grant;
    this.#store = store;
    this.#tokens = new ServerTokens(store);
    this.#usesDpop = draftDpop;
    this.#issuer = grant.issuer;
  }

  async headers({ method, url, server }: AuthorizationRequest): Promise<Record<string, string>> {
    if (!isHttpsOrLoopback(server) || url.origin !== server.origin) return {};
    let tokens = await this.#tokens.load(server);
    if (tokens?.refreshToken !== undefined && isExpiring(tokens)) {
      // A failure is left to the server's challenge, which leads to a login.
      await this.#once("refresh", () => this.#refreshExpiring(server)).catch(() => undefined);
      tokens = this.#tokens.current;
    }
    if (tokens === undefined) return {};
    if (tokens.tokenType !== "dpop") return { authorization: `Bearer ${tokens.accessToken}` };
    const key = await this.#key();
    return { authorization: `DPoP ${tokens.accessToken}`, dpop: await key.prove(method, url, tokens.accessToken) };
  }

  async answer(refused: AuthorizationChallenge): Promise<boolean> {
    const { status, server, headers, authorization } = refused;
    await this.#tokens.load(server);
    const challenge = tokenChallenge(headers.get("www-authenticate"));
    if (challenge?.parameters.error === "use_dpop_nonce") return this.#takeNonce(headers.get("dpop-nonce"));
    if (status === 403 && challenge?.parameters.error !== "insufficient_scope") return false;
    const kind = `${status} ${challenge?.parameters.scope}`;
    return this.#once(kind, async () => (this.#hasOtherToken(authorization) ? true : this.#renew(refused, challenge)));
  }

  async cacheIdentity(server: URL): Promise<string | undefined> {
    return (await this.#tokens.load(server))?.accessToken;
  }

  /**
   * Logs in before the first request, so that no request has to wait for the user. With stored tokens it does nothing, unless `force`
   * is set. False if the server needs no login.
   */
  async login(server: string | URL, { force = false, scopes, signal }: LoginRequest = {}): Promise<boolean> {
    const url = new URL(server);
    await this.#tokens.load(url);
    try {
      return await this.#once(`login ${force} ${scopes?.join(" ")}`, async () => {
        if (this.#tokens.current !== undefined && !force) return true;
        const answer = await requestChallenge(url, guardedFetch(await NetworkPolicy.of(url), signal));
        return this.#obtain(url, { challenge: answer.challenge, canRefresh: false, signal, login: { answer, scopes } });
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  /** Forgets the tokens for a server. Registrations are kept. */
  async logout(server: string | URL): Promise<void> {
    const url = new URL(server);
    await this.#tokens.load(url);
    await this.#tokens.forget(url);
  }

  #hasOtherToken(refused: string | undefined): boolean {
    const { current } = this.#tokens;
    return current !== undefined && refused?.split(" ")[1] !== current.accessToken;
  }

  /** Runs one change of the tokens at a time. Changes of the same kind share it, others wait and then decide again. */
  async #once(kind: string, change: () => Promise<boolean>): Promise<boolean> {
    while (this.#inFlight !== undefined && this.#inFlight.kind !== kind) await this.#inFlight.result.catch(() => false);
    this.#inFlight ??= { kind, result: change().finally(() => (this.#inFlight = undefined)) };
    return this.#inFlight.result;
  }

  /** The request is repeated even if another request has stored the nonce meanwhile. */
  async #takeNonce(nonce: string | null): Promise<boolean> {
    if (nonce === null || !this.#usesDpop) return false;
    (await this.#key()).nonce = nonce;
    return true;
  }

  #key(): Promise<DpopKey> {
    return (this.#dpopKey ??= DpopKey.create());
  }

  // ── new tokens ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #renew({ status, server, retries }: AuthorizationChallenge, challenge: Challenge | undefined): Promise<boolean> {
    if (status === 403) return this.#stepUp(server, challenge, retries);
    // A refreshed token that was refused leads to a login; a token from a login that was refused is final.
    const isRefusedNew = retries > 0 && this.#tokens.current !== undefined;
    if (isRefusedNew && !this.#isRefreshed) return false;
    return this.#obtain(server, { challenge, canRefresh: !isRefusedNew });
  }

  /** Requests the demanded scopes in addition to the earlier ones. */
  async #stepUp(server: URL, challenge: Challenge | undefined, retries: number): Promise<boolean> {
    const earlier = this.#tokens.current?.scopes ?? [];
    const demanded = splitScope(challenge?.parameters.scope);
    await this.#tokens.demand(server, demanded);
    const key = [...new Set(demanded)].sort().join(" ");
    const count = this.#stepUps.get(key) ?? 0;
    const wasRequested = demanded.every((scope) => earlier.includes(scope));
    if (count >= MAX_SAME_STEP_UPS || (retries > 0 && wasRequested)) return false;
    this.#stepUps.set(key, count + 1);
    return this.#obtain(server, { challenge, canRefresh: false });
  }

  /** Finds the authorization server, and obtains tokens by the refresh token or a new login. False if the server demands none. */
  async #obtain(server: URL, { challenge, canRefresh, signal, login }: Renewal): Promise<boolean> {
    const policy = await NetworkPolicy.of(server);
    const fetch = guardedFetch(policy, signal);
    const resource = await discoverResource(server, challenge?.parameters.resource_metadata, fetch);
    if (resource.issuers === undefined && login !== undefined && !demandsToken(login.answer)) return false;
    const issuers = this.#chooseIssuers(resource, server);
    const found = issuers === undefined ? await discoverAtOrigin(server, fetch, policy) : await discoverFirst(issuers, fetch, policy);
    if (this.#tokens.current !== undefined && this.#tokens.current.issuer !== found.metadata.issuer) await this.#tokens.forget(server);
    const scopes = selectScopes({
      only: login?.scopes,
      isLogin: login !== undefined,
      challenged: challenge?.parameters.scope,
      supportedByResource: resource.scopes,
      supportedByServer: found.metadata.scopes_supported,
      earlier: this.#tokens.knownScopes,
      usesRefreshTokens: this.#grant.usesRefreshTokens,
    });
    const context = await this.#context(found, policy, { resource: resource.resource, scopes, signal });
    if (canRefresh && (await this.#refresh(server, context))) return true;
    await this.#accept(server, context, await this.#grant.obtain(context), false);
    return true;
  }

  /** The authorization servers to try: the one that was used before, else all that the server offers. Undefined if it names none. */
  #chooseIssuers({ issuers }: ProtectedResource, { origin }: URL): readonly string[] | undefined {
    const { isBoundToIssuer } = this.#grant;
    const known = [this.#issuer, this.#tokens.current?.issuer].filter((issuer) => issuer !== undefined);
    const offered = issuers ?? [origin];
    const [chosen] = known.flatMap((one) => offered.find((issuer) => isSameIssuer(one, issuer)) ?? []);
    if (isBoundToIssuer && this.#issuer !== undefined && (chosen === undefined || !isSameIssuer(chosen, this.#issuer)))
      throw new AuthorizationError(`The server does not accept tokens of ${this.#issuer}: expected it among its authorization servers`);
    if (isBoundToIssuer) this.#issuer ??= offered[0];
    if (issuers === undefined) return undefined;
    return chosen === undefined && !isBoundToIssuer ? issuers : [chosen ?? issuers[0] ?? origin];
  }

  async #context(
    server: DiscoveredServer,
    policy: NetworkPolicy,
    request: Pick<GrantContext, "resource" | "scopes" | "signal">,
  ): Promise<GrantContext> {
    const algorithms = server.metadata.dpop_signing_alg_values_supported;
    const isBound = this.#usesDpop && Array.isArray(algorithms) && algorithms.includes(DPOP_ALGORITHM);
    const dpop = isBound ? (await this.#key()).handle : undefined;
    return { ...request, server, fetch: guardedFetch(policy), store: this.#store, dpop };
  }

  async #refreshExpiring(server: URL): Promise<boolean> {
    const tokens = this.#tokens.current;
    if (tokens === undefined || !isExpiring(tokens)) return false;
    const policy = await NetworkPolicy.of(server);
    const fetch = guardedFetch(policy);
    const found = await discoverServer(tokens.issuer, fetch, policy).catch(() => discoverAtOrigin(server, fetch, policy));
    const { resource, scopes } = tokens;
    return this.#refresh(server, await this.#context(found, policy, { resource, scopes, signal: undefined }));
  }

  async #refresh(server: URL, context: GrantContext): Promise<boolean> {
    const refresh = (): Promise<boolean> => this.#refreshNow(server, context);
    return await (this.#store.exclusively?.(refresh) ?? refresh());
  }

  /** False if there is no refresh token for this server, or the authorization server rejects it. */
  async #refreshNow(server: URL, context: GrantContext): Promise<boolean> {
    // Another process may have refreshed them meanwhile, and replaced the refresh token of this one.
    const isNewer = await this.#tokens.takeNewer(server);
    const tokens = this.#tokens.current;
    if (tokens === undefined) return false;
    if (isNewer && !isExpiring(tokens)) return true;
    const { refreshToken, issuer, resource } = tokens;
    if (refreshToken === undefined || issuer !== context.server.metadata.issuer || resource !== context.resource) return false;
    try {
      const response = await refreshTokens(this.#grant, context, refreshToken);
      if (response === undefined) return false;
      // A server that does not rotate the refresh token keeps the old one valid.
      await this.#accept(server, { ...context, scopes: tokens.scopes }, { refresh_token: refreshToken, ...response }, true);
      return true;
    } catch (error) {
      if (isTransient(error)) throw error;
      if (isTokenInvalid(error)) await this.#tokens.save(server, undefined);
      return false;
    }
  }

  async #accept(server: URL, context: GrantContext, response: TokenEndpointResponse, isRefreshed: boolean): Promise<void> {
    const expected = context.dpop === undefined ? "Bearer" : "DPoP";
    if (response.token_type !== expected.toLowerCase())
      throw new AuthorizationError(`Invalid token of the authorization server: expected the token type ${expected}, which was requested`);
    const demandedScopes = isRefreshed ? this.#tokens.current?.demandedScopes : undefined;
    await this.#tokens.save(server, { ...toStoredTokens(context, response), ...(demandedScopes !== undefined && { demandedScopes }) });
    this.#isRefreshed = isRefreshed;
  }
}
