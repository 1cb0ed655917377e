// Workload identity federation (draft SEP-1933): a token of the platform, such as Kubernetes, authorizes a program.
// https://www.rfc-editor.org/rfc/rfc7523.html
import { genericTokenEndpointRequest, None, processGenericTokenEndpointResponse } from "oauth4webapi";
import { JWT_BEARER } from "./enterprise.ts";
import { requestOptions, requestTokens, scopeAndResource, type Grant } from "./token-request.ts";

export interface WorkloadIdentity {
  clientId: string;
  /** The authorization server that trusts the platform. The assertion is sent to no other. */
  issuer: string;
  /** The token of the platform, whose audience is the authorization server. Called for each access token. */
  assertion(): string | Promise<string>;
}

export function workloadIdentity({ clientId, issuer, assertion }: WorkloadIdentity): Grant {
  if (typeof issuer !== "string") throw new TypeError("Invalid workload identity: expected issuer"); // a caller without types
  const client = { client_id: clientId };
  return {
    issuer,
    isBoundToIssuer: true,
    usesRefreshTokens: false,
    identify: () => Promise.resolve(undefined),
    async obtain(context) {
      const { metadata } = context.server;
      const parameters = { assertion: await assertion(), ...scopeAndResource(context) };
      return requestTokens(
        () => genericTokenEndpointRequest(metadata, client, None(), JWT_BEARER, parameters, requestOptions(context)),
        (response) => processGenericTokenEndpointResponse(metadata, client, response),
      );
    },
  };
}
