// HTTP set-up: the checks of the switches of HTTP that need no network, shared by the start and `doctor`.
import { readFileSync } from "node:fs";
import type { Backplane } from "@oarlock/cluster/backplane";
import { bearerToken, checkAllowed, isLoopback, type Authenticator, type ServeHttpOptions } from "@oarlock/server-kit/node";
import { prepareBackplane } from "./backplane.ts";
import { clientAddressBehind } from "./client-address.ts";
import type { Environment } from "../process/environment.ts";
import { addressOfHost, isPortShared, type SharedOptions } from "../shared-flags.ts";
import { quoted, StartError } from "./start-error.ts";

export interface HttpSetup {
  /** As an address, not as in a URL. */
  readonly host: string;
  readonly auth: Authenticator | undefined;
  /** Everyone who reaches the address can use the server. */
  readonly isOpen: boolean;
  readonly openBackplane: (() => Promise<Backplane>) | undefined;
  /** What proxies in front of the server change. */
  readonly behindProxies: Pick<ServeHttpOptions, "allowedHosts" | "clientAddress">;
}

export interface HttpSwitches {
  /** The name of the server. */
  readonly name: string;
  readonly options: SharedOptions;
  readonly stateKeys: readonly string[];
  readonly env: Environment;
}

/** Throws a StartError for switches that do not fit together, an invalid value, and a missing package. */
export async function httpSetup({ name, options, stateKeys, env }: HttpSwitches): Promise<HttpSetup> {
  const host = addressOfHost(options.host);
  const { trustedProxies, allowedHosts } = options;
  const publicUrl = publicUrlOf(options);
  const auth = await authenticatorOf(options, env);
  const isOpen = auth === undefined && !isLoopback(host.includes(":") ? `[${host}]` : host);
  if (isOpen && !options.dangerouslyAllowUnauthenticated) {
    const reason = "everyone who reaches that address could use this server. Add --auth-token-file or --oauth-issuer, or remove --host.";
    throw new StartError(`Cannot listen on ${quoted(host)} without authentication: ${reason}`, 2);
  }
  if (isPortShared(options))
    throw new StartError(`--port and --ops-port are both ${options.port}. Choose another port with --ops-port.`, 2);
  try {
    checkAllowed(options);
  } catch (error) {
    throw new StartError(`${messageOf(error)} Correct it, or leave it out.`, 2);
  }
  const behindProxies = {
    allowedHosts: publicUrl === undefined ? allowedHosts : [...allowedHosts, publicUrl.host],
    ...(trustedProxies.length > 0 && { clientAddress: clientAddressBehind(trustedProxies) }),
  };
  return { host, auth, isOpen, behindProxies, openBackplane: await backplaneOf(name, options, stateKeys) };
}

function publicUrlOf({ publicUrl }: SharedOptions): URL | undefined {
  if (publicUrl === undefined) return undefined;
  const url = URL.parse(publicUrl);
  const isFolder = url !== null && url.pathname.length > 1 && url.pathname.endsWith("/");
  if (isFolder)
    throw new StartError(
      `Invalid value for --public-url: ${quoted(publicUrl)} is a folder. Clients call exactly this address: add the path of the endpoint, as in ${new URL("mcp", url).href}.`,
      2,
    );
  if (url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.search}${url.hash}` === "") return url;
  throw new StartError(
    `Invalid value for --public-url: expected the address of the endpoint, such as https://mcp.example/mcp, got ${quoted(publicUrl)}.`,
    2,
  );
}

async function backplaneOf(
  name: string,
  { backplane: url, backplanePrefix: prefix, legacySse }: SharedOptions,
  stateKeys: readonly string[],
): Promise<HttpSetup["openBackplane"]> {
  if (url === undefined) {
    if (prefix === undefined) return undefined;
    throw new StartError("--backplane-prefix needs --backplane. Add the URL of the engine, or remove the prefix.", 2);
  }
  if (legacySse)
    throw new StartError("--legacy-sse cannot be combined with --backplane: its clients are bound to one node. Remove one of them.", 2);
  return await prepareBackplane({ name, url, prefix, stateKeys });
}

async function authenticatorOf(
  { authTokenFile, oauthIssuer, publicUrl, ...options }: SharedOptions,
  env: Environment,
): Promise<Authenticator | undefined> {
  const inherited = env.OARLOCK_AUTH_TOKEN;
  const oauthAudience = options.oauthAudience ?? publicUrl;
  if (oauthIssuer === undefined && options.oauthAudience === undefined) {
    if (authTokenFile !== undefined) return tokenAuthenticator(readToken(authTokenFile), `Token file ${quoted(authTokenFile)}`);
    return inherited === undefined ? undefined : tokenAuthenticator(inherited, "OARLOCK_AUTH_TOKEN");
  }
  if (authTokenFile !== undefined || inherited !== undefined) {
    throw new StartError(
      "A fixed token cannot be combined with --oauth-issuer: a server accepts one kind of token. Remove one of them.",
      2,
    );
  }
  if (oauthIssuer === undefined) throw new StartError("--oauth-audience needs --oauth-issuer. Add the URL of the authorization server.", 2);
  if (oauthAudience === undefined)
    throw new StartError("--oauth-issuer needs --oauth-audience or --public-url. Add the public URL of this server.", 2);
  const { oauth } = await import("@oarlock/oauth");
  try {
    return oauth({ issuer: oauthIssuer, audience: oauthAudience });
  } catch (error) {
    throw new StartError(`Invalid value for --oauth-issuer or --oauth-audience: ${messageOf(error)}`, 2);
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StartError(`Token file ${quoted(file)} cannot be read: ${messageOf(error)}. Check --auth-token-file.`, 2);
  }
}

function tokenAuthenticator(token: string, source: string): Authenticator {
  if (token === "") throw new StartError(`${source} is empty: expected a bearer token. Write the token there, or remove the setting.`, 2);
  try {
    return bearerToken(token);
  } catch {
    // Worded so that the redaction of secrets, which replaces the word after "bearer", leaves the sentence complete.
    throw new StartError(`${source} has an invalid access token. Expected 1 to 4,096 visible ASCII characters without spaces.`, 2);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
