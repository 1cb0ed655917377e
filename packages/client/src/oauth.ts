// @oarlock/client/oauth: authorization of a client over HTTP, for users and for programs. Pass the result as `authorize` to `connect`.
import type { AuthorizationOptions, LoginRequest } from "./oauth/authorization-options.ts";
import { authorizationCode, type LoginOptions } from "./oauth/grants/authorization-code.ts";
import {
  clientCredentials,
  type ClientCredentials,
  type KeyCredentials,
  type SecretCredentials,
} from "./oauth/grants/client-credentials.ts";
import { enterpriseManaged, type EnterpriseCredentials } from "./oauth/grants/enterprise.ts";
import { workloadIdentity, type WorkloadIdentity } from "./oauth/grants/workload-identity.ts";
import { OAuthAuthorization } from "./oauth/oauth-authorization.ts";

/**
 * Authorizes a user, who logs in in a browser when the server demands it. Create one for each server.
 * @example
 * const authorize = authorizeUser({ store: fileStore("/home/ada/.config/agent/credentials.json") });
 * await using client = await connect({ url: "https://mcp.example.com/mcp", authorize });
 */
export const authorizeUser = (options: LoginOptions & AuthorizationOptions = {}): OAuthAuthorization =>
  new OAuthAuthorization(authorizationCode(options), options);

/** Authorizes a program by a secret or a private key of its own. */
export const authorizeProgram = (credentials: ClientCredentials, options: AuthorizationOptions = {}): OAuthAuthorization =>
  new OAuthAuthorization(clientCredentials(credentials), options);

/** Authorizes a user by the identity provider of an organization, without a login at each server. */
export const authorizeEnterprise = (credentials: EnterpriseCredentials, options: AuthorizationOptions = {}): OAuthAuthorization =>
  new OAuthAuthorization(enterpriseManaged(credentials), options);

/** Draft SEP-1933: authorizes a program by a token of the platform that it runs on. May change with the draft. */
export const draftAuthorizeWorkload = (identity: WorkloadIdentity, options: AuthorizationOptions = {}): OAuthAuthorization =>
  new OAuthAuthorization(workloadIdentity(identity), options);

export { memoryStore, type CredentialStore, type StoredRegistration, type StoredTokens } from "./oauth/credential-store.ts";
export { fileStore } from "./oauth/file-store.ts";
export type { RegisteredClient, RegistrationOptions } from "./oauth/grants/client-registration.ts";
export type {
  AuthorizationOptions,
  ClientCredentials,
  EnterpriseCredentials,
  KeyCredentials,
  LoginOptions,
  LoginRequest,
  SecretCredentials,
  WorkloadIdentity,
};
export { loopbackRedirect, type RedirectReceiver } from "./oauth/loopback-redirect.ts";
export { AuthorizationError } from "./oauth/oauth-error.ts";
export { OAuthAuthorization };
