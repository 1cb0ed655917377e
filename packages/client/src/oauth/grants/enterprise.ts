// Enterprise-managed authorization: the identity provider of the organization grants access instead of a login at each server.
// https://github.com/modelcontextprotocol/ext-auth/blob/main/specification/draft/enterprise-managed-authorization.mdx
import { allowInsecureRequests, customFetch, genericTokenEndpointRequest, processGenericTokenEndpointResponse } from "oauth4webapi";
import { guardedFetch } from "../guarded-fetch.ts";
import { NetworkPolicy } from "../network-policy.ts";
import { AuthorizationError } from "../oauth-error.ts";
import { requestOptions, requestTokens, scopeAndResource, secretAuthentication, type Grant, type GrantContext } from "./token-request.ts";

export const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";
const ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token";

export interface EnterpriseCredentials {
  /** The client at the authorization server of the MCP server. */
  clientId: string;
  clientSecret?: string;
  /**
   * The authorization server that knows the client. The credentials are sent to no other. Required with `clientSecret`; default: the first
   * one that the MCP server names.
   */
  issuer?: string;
  identityProvider: {
    issuer: string;
    tokenEndpoint: string;
    /** The client at the identity provider. */
    clientId: string;
    clientSecret?: string;
    /** The identity token of the user who is logged in. */
    idToken(): string | Promise<string>;
  };
}

export function enterpriseManaged(credentials: EnterpriseCredentials): Grant {
  const { clientId, clientSecret, issuer } = credentials;
  if (clientSecret !== undefined && issuer === undefined)
    throw new TypeError("Invalid enterprise credentials: expected issuer with clientSecret");
  const client = { client_id: clientId };
  return {
    issuer,
    isBoundToIssuer: true,
    usesRefreshTokens: false,
    identify: () => Promise.resolve(undefined),
    async obtain(context) {
      const { metadata } = context.server;
      const parameters = { assertion: await exchange(context, credentials), ...scopeAndResource(context) };
      const authentication = secretAuthentication(metadata, clientSecret);
      return requestTokens(
        () => genericTokenEndpointRequest(metadata, client, authentication, JWT_BEARER, parameters, requestOptions(context)),
        (response) => processGenericTokenEndpointResponse(metadata, client, response),
      );
    },
  };
}

/** Exchanges the identity token for an assertion that grants access to the resource. https://www.rfc-editor.org/rfc/rfc8693.html */
async function exchange(context: GrantContext, { identityProvider }: EnterpriseCredentials): Promise<string> {
  const { issuer, tokenEndpoint, clientId, clientSecret } = identityProvider;
  const server = { issuer, token_endpoint: tokenEndpoint };
  const client = { client_id: clientId };
  const parameters = {
    requested_token_type: ID_JAG,
    subject_token: await identityProvider.idToken(),
    subject_token_type: ID_TOKEN,
    audience: context.server.metadata.issuer,
    ...scopeAndResource(context),
  };
  const options = {
    [customFetch]: guardedFetch(NetworkPolicy.configured()),
    [allowInsecureRequests]: true as const,
    ...(context.signal && { signal: context.signal }),
  };
  const response = await requestTokens(
    () => genericTokenEndpointRequest(server, client, secretAuthentication(server, clientSecret), TOKEN_EXCHANGE, parameters, options),
    (response) => processGenericTokenEndpointResponse(server, client, response, { recognizedTokenTypes: { n_a: () => undefined } }),
  );
  if (response.issued_token_type !== ID_JAG)
    throw new AuthorizationError("Invalid response of the identity provider: expected an identity assertion (id-jag)");
  return response.access_token;
}
