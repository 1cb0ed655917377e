// The authorization of the official client in the suite's scenarios, by the providers that its package has.
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
  StaticPrivateKeyJwtProvider,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from "@modelcontextprotocol/client";
import type { Json } from "@oarlock/server-kit/protocol";

/** The suite compares it; nothing is there to fetch. */
const CLIENT_METADATA_URL = "https://conformance-test.local/client-metadata.json";

export async function providerFor(scenario: string, context: Json): Promise<OAuthClientProvider> {
  const text = (name: string): string => String(context[name]);
  switch (scenario) {
    case "auth/client-credentials-jwt":
      return new PrivateKeyJwtProvider({
        clientId: text("client_id"),
        privateKey: text("private_key_pem"),
        algorithm: text("signing_algorithm"),
      });
    case "auth/client-credentials-basic":
      return new ClientCredentialsProvider({ clientId: text("client_id"), clientSecret: text("client_secret") });
    case "auth/wif-jwt-bearer":
      return new StaticPrivateKeyJwtProvider({ clientId: text("client_id"), jwtBearerAssertion: text("valid_jwt") });
    case "auth/enterprise-managed-authorization":
      return new CrossAppAccessProvider({
        clientId: text("client_id"),
        clientSecret: text("client_secret"),
        async assertion({ authorizationServerUrl, resourceUrl }) {
          const grant = await requestJwtAuthorizationGrant({
            tokenEndpoint: text("idp_token_endpoint"),
            audience: authorizationServerUrl,
            resource: resourceUrl,
            idToken: text("idp_id_token"),
            clientId: text("idp_client_id"),
          });
          return grant.jwtAuthGrant;
        },
      });
    default: {
      const registered = { client_id: text("client_id"), client_secret: text("client_secret") };
      return new LoginProvider(
        scenario === "auth/pre-registration" ? registered : undefined,
        scenario.startsWith("auth/dpop") ? await DpopSession.create() : undefined,
      );
    }
  }
}

/** A login without a person: the suite's login page redirects at once. Credentials are kept for each issuer, as the package advises. */
export class LoginProvider implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:3919/callback";
  readonly clientMetadataUrl = CLIENT_METADATA_URL;
  readonly clientMetadata = {
    client_name: "official client",
    redirect_uris: [this.redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
  };
  /** Of the last redirect. */
  parameters = new URLSearchParams();
  readonly #registered: StoredOAuthClientInformation | undefined;
  readonly #dpop: DpopSession | undefined;
  readonly #clients = new Map<string | undefined, StoredOAuthClientInformation>();
  readonly #tokens = new Map<string | undefined, StoredOAuthTokens>();
  #last: string | undefined;
  #verifier = "";

  constructor(registered: StoredOAuthClientInformation | undefined, dpop: DpopSession | undefined) {
    this.#registered = registered;
    this.#dpop = dpop;
  }

  dpop(): DpopSession | undefined {
    return this.#dpop;
  }

  clientInformation(context?: { issuer: string }): StoredOAuthClientInformation | undefined {
    return this.#registered ?? this.#clients.get(context?.issuer);
  }

  saveClientInformation(information: StoredOAuthClientInformation, context?: { issuer: string }): void {
    this.#clients.set(context?.issuer, information);
  }

  tokens(context?: { issuer: string }): StoredOAuthTokens | undefined {
    return this.#tokens.get(context === undefined ? this.#last : context.issuer);
  }

  saveTokens(tokens: StoredOAuthTokens, context?: { issuer: string }): void {
    this.#last = context?.issuer;
    this.#tokens.set(context?.issuer, tokens);
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const { headers } = await fetch(url, { redirect: "manual" });
    this.parameters = new URL(headers.get("location") ?? "", url).searchParams;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}
