// Requests to a token endpoint, and their errors without secrets.
import { isObject } from "@oarlock/server-kit/protocol";
import {
  allowInsecureRequests,
  AuthorizationResponseError,
  ClientSecretPost,
  customFetch,
  isDPoPNonceError,
  None,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  type DPoPHandle,
  type TokenEndpointResponse,
} from "oauth4webapi";
import type { CredentialStore, StoredTokens } from "../credential-store.ts";
import type { GuardedFetch } from "../guarded-fetch.ts";
import { AuthorizationError } from "../oauth-error.ts";
import { withoutNulls } from "../resource-discovery.ts";
import { splitScope } from "../scopes.ts";
import type { DiscoveredServer } from "../server-discovery.ts";

/** What a grant needs to know of the servers. */
export interface GrantContext {
  /** The identifier of the resource. */
  resource: string;
  server: DiscoveredServer;
  scopes: readonly string[];
  fetch: GuardedFetch;
  store: CredentialStore;
  /** Bound tokens (draft). */
  dpop: DPoPHandle | undefined;
  /** Ends a login. */
  signal: AbortSignal | undefined;
}

/** A client with its way to authenticate. */
export interface IdentifiedClient {
  client: Client;
  authentication: ClientAuth;
}

/** A way to obtain tokens. */
export interface Grant {
  obtain(context: GrantContext): Promise<TokenEndpointResponse>;
  readonly usesRefreshTokens: boolean;
  /** The client that refreshes tokens; undefined if the authorization server does not know one. */
  identify(context: GrantContext): Promise<IdentifiedClient | undefined>;
  /** The authorization server that knows the client. */
  readonly issuer?: string | undefined;
  /** Whether the credentials of the client were made for one authorization server, so that no other may receive them. */
  readonly isBoundToIssuer: boolean;
}

/** The options of the library's requests. The policy decides about HTTP, not the library. */
export function requestOptions({ fetch, dpop, signal }: GrantContext): {
  [customFetch]: GuardedFetch;
  [allowInsecureRequests]: true;
  signal?: AbortSignal;
  DPoP?: DPoPHandle;
} {
  return { [customFetch]: fetch, [allowInsecureRequests]: true, ...(signal && { signal }), ...(dpop !== undefined && { DPoP: dpop }) };
}

/** Sends a token request, once more when the server demands a nonce. */
export async function requestTokens<T>(send: () => Promise<Response>, process: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await process(await usablePart(await send())).catch(async (error: unknown) => {
      if (isDPoPNonceError(error)) return process(await usablePart(await send()));
      if (error instanceof WWWAuthenticateChallengeError) return process(withoutChallenge(error.response));
      throw error;
    });
  } catch (error) {
    throw toAuthorizationError(error, "Token request failed");
  }
}

/** Without members that are null, and without an identity of the user, which the library would validate. */
async function usablePart(response: Response): Promise<Response> {
  const text = await response.text();
  const { status, headers } = response;
  try {
    const body: unknown = JSON.parse(text);
    if (!response.ok || !isObject(body)) return new Response(text, { status, headers });
    const { id_token: _identity, ...rest } = withoutNulls(body);
    return new Response(JSON.stringify(rest), { status, headers });
  } catch {
    return new Response(text === "" ? null : text, { status, headers });
  }
}

/** A challenge to the client hides the error in the body. */
function withoutChallenge({ body, status, headers }: Response): Response {
  const others = new Headers(headers);
  others.delete("www-authenticate");
  return new Response(body, { status, headers: others });
}

export const scopeAndResource = ({ scopes, resource }: GrantContext): Record<string, string> => ({
  resource,
  ...(scopes.length > 0 && { scope: scopes.join(" ") }),
});

const BASIC = "client_secret_basic";

/** The authentication of a client with or without a secret, by the registered method or one that the server supports. */
export function secretAuthentication(server: AuthorizationServer, secret: string | undefined, method?: string): ClientAuth {
  const supported = server.token_endpoint_auth_methods_supported ?? [BASIC];
  if (secret === undefined) return None();
  const chosen = method ?? [BASIC, "client_secret_post", "none"].find((name) => supported.includes(name)) ?? BASIC;
  if (chosen === "none") return None();
  return chosen === "client_secret_post" ? ClientSecretPost(secret) : basic(secret);
}

/** Encodes only what forms encode: many servers do not decode the identifier, whose punctuation the library would encode too. */
function basic(secret: string): ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    headers.set("authorization", `Basic ${Buffer.from(`${formEncode(client_id)}:${formEncode(secret)}`).toString("base64")}`);
  };
}

const formEncode = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);

/** An error without secrets: a server could repeat a code or a token in its description, and a cause has the complete response. */
export function toAuthorizationError(error: unknown, subject: string): AuthorizationError {
  if (error instanceof AuthorizationError) return error;
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const code = /^[\x21-\x7e]{1,64}$/.test(error.error) ? error.error : "invalid_error";
    const description = error.error_description === undefined ? "" : ` (${withoutSecrets(error.error_description)})`;
    return new AuthorizationError(`${subject}: ${withoutSecrets(code)}${description}`, withoutSecrets(code));
  }
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new AuthorizationError(`${subject}: ${error.message}`); // a text of the library
  return new AuthorizationError(`${subject}: ${error instanceof Error ? withoutSecrets(error.message) : "unknown error"}`);
}

const MAX_DESCRIPTION = 200;

/** Words as long as a token are left out, unless they are plain lower case. */
const withoutSecrets = (text: string): string =>
  text
    .slice(0, MAX_DESCRIPTION)
    .replace(/[\p{Cc}]/gu, " ")
    .replace(/(?![a-z_]+(?:[\s."',:;)]|$))[^\s"',:;()]{12,}/g, "[hidden]");

/** What is kept of a response with tokens. */
export function toStoredTokens({ server, resource, scopes }: GrantContext, response: TokenEndpointResponse): StoredTokens {
  const { access_token: accessToken, token_type: tokenType, expires_in: expiresIn, refresh_token: refreshToken, scope } = response;
  return {
    issuer: server.metadata.issuer,
    resource,
    accessToken,
    tokenType,
    ...(expiresIn !== undefined && { expiresAt: Date.now() + expiresIn * 1000 }),
    ...(refreshToken !== undefined && { refreshToken }),
    scopes: [...new Set([...scopes, ...splitScope(scope)])],
  };
}
