// The authorization of the conformance client: by the credentials in the context of the scenario, else by a login without a person.
import type { Authorization } from "@oarlock/client";
import { authorizeEnterprise, authorizeProgram, authorizeUser, draftAuthorizeWorkload } from "@oarlock/client/oauth";
import type { Json } from "@oarlock/server-kit/protocol";

/** The suite compares it; nothing is there to fetch. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";

export async function authorizationFor(scenario: string, context: Json, url: string): Promise<Authorization | undefined> {
  if (!scenario.startsWith("auth/")) return undefined;
  const text = (name: string): string => String(context[name]);
  switch (scenario) {
    case "auth/client-credentials-jwt":
      return authorizeProgram({
        clientId: text("client_id"),
        privateKey: { pem: text("private_key_pem"), algorithm: text("signing_algorithm") },
      });
    case "auth/client-credentials-basic":
      return authorizeProgram({ clientId: text("client_id"), clientSecret: text("client_secret"), issuer: await issuerOf(url) });
    case "auth/enterprise-managed-authorization":
      return authorizeEnterprise({
        clientId: text("client_id"),
        clientSecret: text("client_secret"),
        issuer: await issuerOf(url),
        identityProvider: {
          issuer: text("idp_issuer"),
          tokenEndpoint: text("idp_token_endpoint"),
          clientId: text("idp_client_id"),
          idToken: () => text("idp_id_token"),
        },
      });
    case "auth/wif-jwt-bearer":
      return draftAuthorizeWorkload({ clientId: text("client_id"), issuer: await issuerOf(url), assertion: () => text("valid_jwt") });
    default:
      return authorizeUser({
        ...(scenario === "auth/pre-registration" && {
          client: { clientId: text("client_id"), clientSecret: text("client_secret"), issuer: text("issuer") },
        }),
        clientMetadataUrl: CLIENT_METADATA_URL,
        openBrowser: followLogin,
        draftDpop: scenario.startsWith("auth/dpop"),
        loginTimeoutMs: 5000,
      });
  }
}

/** The issuer that a user of the client would configure. The suite names it in the metadata of its server only. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const { authorization_servers: issuers } = (await response.json()) as { authorization_servers: [string] }; // RFC 9728
  return issuers[0];
}

/** Does what a browser does; the suite's login page redirects at once. */
async function followLogin(url: URL): Promise<void> {
  await (await fetch(url)).text();
}
