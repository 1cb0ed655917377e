// New tokens by a refresh token.
import { processRefreshTokenResponse, refreshTokenGrantRequest, type TokenEndpointResponse } from "oauth4webapi";
import { AuthorizationError } from "../oauth-error.ts";
import { forgetRefusedClient } from "./client-registration.ts";
import { requestOptions, requestTokens, type Grant, type GrantContext } from "./token-request.ts";

/** Undefined where the authorization server does not know this client. Throws an AuthorizationError when it refuses. */
export async function refreshTokens(grant: Grant, context: GrantContext, refreshToken: string): Promise<TokenEndpointResponse | undefined> {
  const identified = await grant.identify(context);
  if (identified === undefined) return undefined;
  const { client, authentication } = identified;
  const { metadata } = context.server;
  const options = { ...requestOptions(context), additionalParameters: { resource: context.resource } };
  return await forgetRefusedClient(context, () =>
    requestTokens(
      () => refreshTokenGrantRequest(metadata, client, authentication, refreshToken, options),
      (response) => processRefreshTokenResponse(metadata, client, response),
    ),
  );
}

const INVALID = ["invalid_grant", "invalid_client", "unauthorized_client"];
const TRANSIENT = ["slow_down", "temporarily_unavailable", "server_error"];

const codeOf = (error: unknown): string | undefined => (error instanceof AuthorizationError ? error.code : undefined);

/** Whether the refresh token can never be used again. */
export const isTokenInvalid = (error: unknown): boolean => INVALID.includes(codeOf(error) ?? "");

/** Whether the same refresh may succeed later. Without a code the server has refused nothing: it could not be reached, say. */
export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code === undefined || TRANSIENT.includes(code);
}
