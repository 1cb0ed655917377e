// Authorization of a program by its own credentials: a secret, or a key that signs assertions.
// https://www.rfc-editor.org/rfc/rfc6749.html#section-4.4
import { importPKCS8 } from "jose";
import {
  clientCredentialsGrantRequest,
  PrivateKeyJwt,
  processClientCredentialsResponse,
  type ClientAuth,
  type AuthorizationServer,
} from "oauth4webapi";
import { requestOptions, requestTokens, scopeAndResource, secretAuthentication, type Grant } from "./token-request.ts";

export type ClientCredentials = SecretCredentials | KeyCredentials;

export interface SecretCredentials {
  clientId: string;
  /** The secret. Sent by HTTP Basic if the server supports it, else in the form. */
  clientSecret: string;
  privateKey?: undefined;
  /** The authorization server that knows the client. The credentials are sent to no other. */
  issuer: string;
}

export interface KeyCredentials {
  clientId: string;
  clientSecret?: undefined;
  /** A private key in PKCS #8, as PEM, that signs an assertion for the authorization server. */
  privateKey: { pem: string; algorithm: string; keyId?: string };
  /** The authorization server that knows the client. Default: the first one that the MCP server names. */
  issuer?: string;
}

export function clientCredentials(credentials: ClientCredentials): Grant {
  const { clientId, clientSecret, privateKey, issuer } = credentials;
  if ((clientSecret === undefined) === (privateKey === undefined))
    throw new TypeError("Invalid client credentials: expected either clientSecret or privateKey");
  if (clientSecret !== undefined && typeof issuer !== "string")
    // a caller without types
    throw new TypeError("Invalid client credentials: expected issuer with clientSecret");
  const client = { client_id: clientId };
  return {
    issuer,
    isBoundToIssuer: true,
    usesRefreshTokens: false,
    identify: () => Promise.resolve(undefined),
    async obtain(context) {
      const { metadata } = context.server;
      const authentication = await authenticationOf(metadata, credentials);
      return requestTokens(
        () => clientCredentialsGrantRequest(metadata, client, authentication, scopeAndResource(context), requestOptions(context)),
        (response) => processClientCredentialsResponse(metadata, client, response),
      );
    },
  };
}

async function authenticationOf(server: AuthorizationServer, { clientSecret, privateKey }: ClientCredentials): Promise<ClientAuth> {
  if (privateKey === undefined) return secretAuthentication(server, clientSecret);
  const { pem, algorithm, keyId } = privateKey;
  const key = await importPKCS8(pem, algorithm).catch(() => {
    throw new TypeError(`Invalid private key: expected PKCS #8 in PEM for ${algorithm}`); // the cause could have a part of the key
  });
  return PrivateKeyJwt(keyId === undefined ? key : { key, kid: keyId });
}
