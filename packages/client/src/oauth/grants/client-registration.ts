// Which client a user logs in with: registered beforehand, by a metadata document, or dynamically.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#client-registration-approaches
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import type { AuthorizationServer } from "oauth4webapi";
import type { StoredRegistration } from "../credential-store.ts";
import { AuthorizationError, BY_CLIENT_OPTION, BY_HEADER } from "../oauth-error.ts";
import { isLoopbackHost } from "../network-policy.ts";
import { isSameIssuer } from "../server-discovery.ts";
import { secretAuthentication, type GrantContext, type IdentifiedClient } from "./token-request.ts";

/** A client that was registered beforehand. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string;
  /** The authorization server that knows the client. The credentials are sent to no other. */
  issuer: string;
}

export interface RegistrationOptions {
  /** A client that was registered beforehand. */
  client?: RegisteredClient;
  /** The https URL of the client's metadata document, for servers that support such documents. */
  clientMetadataUrl?: string;
  /** The name that the login page shows. Default "Oarlock client". */
  clientName?: string;
}

/** The client that was registered by hand or by an earlier login. Undefined if this authorization server has none. */
export async function findClient(
  context: GrantContext,
  { client, clientMetadataUrl }: RegistrationOptions,
  redirectUri?: string,
): Promise<IdentifiedClient | undefined> {
  const { metadata } = context.server;
  if (client !== undefined && isSameIssuer(client.issuer, metadata.issuer)) {
    return { client: { client_id: client.clientId }, authentication: secretAuthentication(metadata, client.clientSecret) };
  }
  if (clientMetadataUrl !== undefined && metadata.client_id_metadata_document_supported === true) {
    return { client: { client_id: checkedDocumentUrl(clientMetadataUrl) }, authentication: secretAuthentication(metadata, undefined) };
  }
  const stored = await context.store.registration(metadata.issuer);
  if (stored?.issuer !== metadata.issuer || isExpired(stored)) return undefined;
  const fitsLogin = redirectUri === undefined || (stored.redirectUri === redirectUri && stored.isDoubtful !== true);
  return fitsLogin ? identified(stored, metadata) : undefined;
}

/** Registers a client for logins that redirect to this URI. */
export async function registerClient(context: GrantContext, options: RegistrationOptions, redirectUri: string): Promise<IdentifiedClient> {
  return identified(await register(context, options, redirectUri), context.server.metadata);
}

function identified({ clientId, clientSecret, authMethod }: StoredRegistration, server: AuthorizationServer): IdentifiedClient {
  return { client: { client_id: clientId }, authentication: secretAuthentication(server, clientSecret, authMethod) };
}

/** Lets the next login register again when the authorization server does not know the client any more. */
export async function forgetRefusedClient<T>({ server, store }: GrantContext, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const isRefused = error instanceof AuthorizationError && ["invalid_client", "unauthorized_client"].includes(error.code ?? "");
    if (isRefused) await store.saveRegistration(server.metadata.issuer, undefined);
    throw error;
  }
}

/** Lets the next login register again. Until then the registration is kept, as other tokens may depend on it. */
export async function doubtClient({ server, store }: GrantContext): Promise<void> {
  const stored = await store.registration(server.metadata.issuer);
  if (stored !== undefined) await store.saveRegistration(server.metadata.issuer, { ...stored, isDoubtful: true });
}

const isExpired = ({ secretExpiresAt }: StoredRegistration): boolean => secretExpiresAt !== undefined && secretExpiresAt <= Date.now();

function checkedDocumentUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== "https:" || url.pathname === "/")
    throw new TypeError("Invalid clientMetadataUrl: expected an https URL with a path");
  return text;
}

async function register(
  { server, fetch, store, signal }: GrantContext,
  { clientName = "Oarlock client" }: RegistrationOptions,
  redirectUri: string,
): Promise<StoredRegistration> {
  const { metadata } = server;
  const endpoint = metadata.registration_endpoint;
  if (endpoint === undefined)
    throw new AuthorizationError(`The authorization server ${metadata.issuer} does not register clients by itself. ${BY_CLIENT_OPTION}`);
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: registeredMethod(metadata, server.isAssumed),
      application_type: isLoopbackHost(new URL(redirectUri)) ? "native" : "web",
    }),
    signal,
  });
  if (server.isAssumed && response.status === 404)
    throw new AuthorizationError(
      `The server ${metadata.issuer} demands an access token and names no authorization server. Pass a token from its operator ${BY_HEADER}`,
    );
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || !isObject(body) || typeof body.client_id !== "string")
    throw new AuthorizationError(
      `The authorization server ${metadata.issuer} refused to register the client: HTTP status ${response.status}`,
    );
  const registration = toRegistration(body, metadata.issuer, redirectUri);
  await store.saveRegistration(metadata.issuer, registration);
  return registration;
}

function toRegistration(body: Json, issuer: string, redirectUri: string): StoredRegistration {
  const { client_id, client_secret, client_secret_expires_at: expiry, token_endpoint_auth_method: method } = body;
  return {
    issuer,
    clientId: String(client_id),
    redirectUri,
    ...(typeof client_secret === "string" && { clientSecret: client_secret }),
    ...(typeof expiry === "number" && expiry > 0 && { secretExpiresAt: expiry * 1000 }), // 0: never
    ...(typeof method === "string" && { authMethod: method }),
  };
}

/** A program on the user's machine cannot keep a secret, so it prefers none. */
function registeredMethod({ token_endpoint_auth_methods_supported: supported = [] }: AuthorizationServer, isAssumed: boolean): string {
  if (isAssumed) return "none";
  return ["none", "client_secret_basic", "client_secret_post"].find((method) => supported.includes(method)) ?? "client_secret_basic";
}
