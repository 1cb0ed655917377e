// The login of a user: authorization code with PKCE, in a browser.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization
import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from "oauth4webapi";
import { openBrowser } from "../browser.ts";
import { doubtClient, findClient, forgetRefusedClient, registerClient, type RegistrationOptions } from "./client-registration.ts";
import { loopbackRedirect, type RedirectReceiver } from "../loopback-redirect.ts";
import { isLoopbackHost } from "../network-policy.ts";
import { AuthorizationError } from "../oauth-error.ts";
import { needsConsent } from "../scopes.ts";
import { requirePkce } from "../server-discovery.ts";
import { requestOptions, requestTokens, toAuthorizationError, type Grant, type GrantContext } from "./token-request.ts";

export interface LoginOptions extends RegistrationOptions {
  /** Shows the login page to the user. Default: the browser of the system. */
  openBrowser?(url: URL): void | Promise<void>;
  /** Receives the redirect. Default: a port on 127.0.0.1, with a page that says that it can be closed. */
  redirect?(earlierUri: string | undefined): Promise<RedirectReceiver>;
  /** Time for the user to log in, in milliseconds. Default 300,000. */
  loginTimeoutMs?: number;
}

const DEFAULT_LOGIN_TIMEOUT_MS = 300_000;

export function authorizationCode(options: LoginOptions): Grant {
  return {
    issuer: options.client?.issuer,
    isBoundToIssuer: false,
    usesRefreshTokens: true,
    identify: (context) => findClient(context, options),
    async obtain(context) {
      requirePkce(context.server);
      const earlier = await context.store.registration(context.server.metadata.issuer);
      const receiver = await (options.redirect ?? loopbackRedirect)(earlier?.redirectUri);
      try {
        checkRedirectUri(receiver.uri);
        return await logIn(context, options, receiver);
      } finally {
        receiver.close();
      }
    },
  };
}

async function logIn(context: GrantContext, options: LoginOptions, receiver: RedirectReceiver): ReturnType<Grant["obtain"]> {
  const { metadata } = context.server;
  const { client, authentication } =
    (await findClient(context, options, receiver.uri)) ?? (await registerClient(context, options, receiver.uri));
  const [state, verifier] = [generateRandomState(), generateRandomCodeVerifier()];
  const url = await loginUrl(context, { clientId: client.client_id, redirectUri: receiver.uri, state, verifier });
  const timeout = AbortSignal.timeout(options.loginTimeoutMs ?? DEFAULT_LOGIN_TIMEOUT_MS);
  const redirected = receiver.receive(state, context.signal === undefined ? timeout : AbortSignal.any([timeout, context.signal]));
  redirected.catch(() => undefined); // reported below, unless the browser cannot be opened
  await (options.openBrowser ?? openBrowser)(url);
  const parameters = await redirected.catch(async (error: unknown) => {
    if (timeout.aborted) await doubtClient(context);
    throw error;
  });
  const tokenOptions = { ...requestOptions(context), additionalParameters: { resource: context.resource } };
  return await forgetRefusedClient(context, async () => {
    const valid = validated(() => validateAuthResponse(metadata, client, parameters, state));
    return requestTokens(
      () => authorizationCodeGrantRequest(metadata, client, authentication, valid, receiver.uri, verifier, tokenOptions),
      (response) => processAuthorizationCodeResponse(metadata, client, response),
    );
  });
}

interface AuthorizationCodeRequest {
  clientId: string;
  redirectUri: string;
  state: string;
  verifier: string;
}

async function loginUrl(context: GrantContext, { clientId, redirectUri, state, verifier }: AuthorizationCodeRequest): Promise<URL> {
  const { server, scopes, resource, dpop } = context;
  const { authorization_endpoint } = server.metadata;
  if (authorization_endpoint === undefined)
    throw new AuthorizationError("The authorization server has no login page: expected authorization_endpoint");
  const url = new URL(authorization_endpoint);
  const parameters = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource,
    ...(scopes.length > 0 && { scope: scopes.join(" ") }),
    ...(needsConsent(scopes) && { prompt: "consent" }),
    ...(dpop !== undefined && { dpop_jkt: await dpop.calculateThumbprint() }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}

function validated<T>(validate: () => T): T {
  try {
    return validate();
  } catch (error) {
    throw toAuthorizationError(error, "Login failed");
  }
}

function checkRedirectUri(uri: string): void {
  const url = URL.parse(uri);
  const isAllowed = url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url)));
  if (!isAllowed) throw new TypeError("Invalid redirect URI: expected an https URL, or an http URL on loopback");
}
