// A real authorization server (oidc-provider) on loopback: dynamic registration, PKCE, resource indicators and signed access tokens.
import { createServer } from "node:http";
import { closeServer, listenOn } from "@oarlock-tooling/test-support/loopback";
import { Provider, type Configuration } from "oidc-provider";

export interface AuthorizationServerOptions {
  /** The scopes that resources have. */
  scopes: readonly string[];
  /** How long an access token lasts, in seconds. Default an hour. */
  tokenSeconds?: number;
}

export class AuthorizationServer implements AsyncDisposable {
  readonly issuer: string;
  /** The grant types of the tokens that were issued, in order. */
  readonly grants: string[] = [];
  /** The scopes of the logins that users were asked for, in order. */
  readonly logins: string[] = [];
  readonly #server: ReturnType<typeof createServer>;

  private constructor(issuer: string, server: ReturnType<typeof createServer>, provider: Provider) {
    this.issuer = issuer;
    this.#server = server;
    provider.on("grant.success", (ctx) => void this.grants.push(String(ctx.oidc.params?.["grant_type"])));
    provider.on("interaction.started", (ctx, prompt) => {
      if (prompt.name === "login" || prompt.name === "consent") this.logins.push(`${prompt.name}: ${String(ctx.oidc.params?.["scope"])}`);
    });
  }

  static async start(options: AuthorizationServerOptions): Promise<AuthorizationServer> {
    const server = createServer();
    const issuer = `http://127.0.0.1:${await listenOn(server)}`;
    const provider = new Provider(issuer, configurationOf(options));
    const answer = provider.callback();
    server.on("request", (request, response) => void answer(request, response));
    return new AuthorizationServer(issuer, server, provider);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return closeServer(this.#server);
  }
}

function configurationOf({ scopes, tokenSeconds = 3600 }: AuthorizationServerOptions): Configuration {
  return {
    clientDefaults: { grant_types: ["authorization_code", "refresh_token"], token_endpoint_auth_method: "none" },
    cookies: { keys: ["a key for the cookies of tests"] },
    scopes: ["openid", "offline_access", ...scopes],
    issueRefreshToken: () => Promise.resolve(true),
    ttl: { AccessToken: tokenSeconds, Grant: 3600, Interaction: 600, Session: 3600, RefreshToken: 3600, IdToken: 600 },
    pkce: { required: () => true },
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: scopes.join(" "),
          audience: resource,
          accessTokenFormat: "jwt",
          accessTokenTTL: tokenSeconds,
          jwt: { sign: { alg: "RS256" } },
        }),
        useGrantedResource: () => true,
      },
    },
  };
}
