// Workload identity federation (draft SEP-1933): a token of the platform, such as Kubernetes, authorizes a program.
// https://www.rfc-editor.org/rfc/rfc7523.html
import { genericTokenEndpointRequest, None, processGenericTokenEndpointResponse } from "oauth4webapi";
import { JWT_BEARER, scopeAndResource } from "./enterprise.ts";
import { requestOptions, requestTokens, type Grant } from "./token-request.ts";

export interface WorkloadIdentity {
  clientId: string;
  /** The authorization server that trusts the platform. Default: the first one that the MCP server names. */
  issuer?: string;
  /** The token of the platform, whose audience is the authorization server. Called for each access token. */
  assertion(): string | Promise<string>;
}

export function workloadIdentity({ clientId, issuer, assertion }: WorkloadIdentity): Grant {
  const client = { client_id: clientId };
  return {
    issuer,
    isBoundToIssuer: true,
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
