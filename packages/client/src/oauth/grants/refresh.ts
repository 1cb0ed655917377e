// New tokens by a refresh token.
import { processRefreshTokenResponse, refreshTokenGrantRequest, type TokenEndpointResponse } from "oauth4webapi";
import { requestOptions, requestTokens, type Grant, type GrantContext } from "./token-request.ts";

/** Undefined where the authorization server does not know this client. Throws an AuthorizationError when it refuses. */
export async function refreshTokens(grant: Grant, context: GrantContext, refreshToken: string): Promise<TokenEndpointResponse | undefined> {
  const identified = await grant.identify(context);
  if (identified === undefined) return undefined;
  const { client, authentication } = identified;
  const { metadata } = context.server;
  const options = { ...requestOptions(context), additionalParameters: { resource: context.resource } };
  return await requestTokens(
    () => refreshTokenGrantRequest(metadata, client, authentication, refreshToken, options),
    (response) => processRefreshTokenResponse(metadata, client, response),
  );
}
