// HTTP server: checks the switches of --http and listens. Loaded with --http only.
import { existsSync, readFileSync } from "node:fs";
import type { Extension, Limits, Observer, Server } from "@oarlock/server-kit";
import type { Backplane } from "@oarlock/server-kit/backplane";
import { bearerToken, isLoopback, serveHttp, type Authenticator, type HttpServer, type ServerCard } from "@oarlock/server-kit/node";
import { openBackplane } from "./backplane.ts";
import { leanProcess } from "./lean-process.ts";
import { observeAll } from "./operations/observers.ts";
import type { OperationsServer } from "./operations/operations-server.ts";
import { isPortShared, type SharedOptions } from "./shared-flags.ts";
import { quoted, StartError } from "./start/start-error.ts";
import type { LogSink } from "./stderr-log.ts";
import { tokenFileExposure } from "./start/file-mode.ts";

export interface HttpStart {
  name: string;
  options: SharedOptions;
  serverJson?: URL | undefined;
  limits: Partial<Limits>;
  extensions: readonly Extension[];
  observer?: Observer;
  log: LogSink;
  graceMs?: number;
  stateKeys: readonly string[];
}

/**
 * Listens.
 * @throws StartError when the switches or the machine do not allow it.
 */
export async function startHttp(server: Server, { name, options, serverJson, ...start }: HttpStart): Promise<HttpServer> {
  const { port, allowedHosts, allowedOrigins, legacySse, dangerouslyAllowUnauthenticated } = options;
  const host = options.host.replace(/^\[(.+)\]$/, "$1"); // a URL writes an IPv6 address in brackets, an address does not
  const auth = await authenticatorOf(options);
  const isOpen = auth === undefined && !isLoopback(host.includes(":") ? `[${host}]` : host);
  if (isOpen && !dangerouslyAllowUnauthenticated) {
    const reason = "everyone who reaches that address could use this server. Add --auth-token-file or --oauth-issuer, or remove --host.";
    throw new StartError(`Cannot listen on ${quoted(host)} without authentication: ${reason}`, 2);
  }
  if (isPortShared(options)) throw new StartError(`--port and --ops-port are both ${port}. Choose another port with --ops-port.`, 2);
  const backplane = await backplaneOf(name, options, start.stateKeys);
  leanProcess();
  let operations: OperationsServer | undefined;
  try {
    operations = await operationsOf(options);
    const http = await serveHttp(server, {
      host,
      port,
      allowedHosts,
      allowedOrigins,
      legacySse,
      dangerouslyAllowUnauthenticated,
      scope: name.replace(/^oarlock-/, ""),
      ...start,
      ...(auth !== undefined && { auth }),
      ...(backplane !== undefined && { backplane }),
      ...(operations !== undefined && { observer: withMetrics(start.observer, operations) }),
      ...cardOf(serverJson, options.oauthAudience),
    });
    // Logged after the start: the first line of a failed start is its reason.
    if (isOpen)
      start.log("warning", `Listening on ${quoted(host)} without authentication: everyone who reaches that address can use this server.`);
    const exposure = options.authTokenFile === undefined ? undefined : tokenFileExposure(options.authTokenFile);
    if (exposure !== undefined) start.log("warning", `${exposure.problem} ${exposure.remedy}`);
    const stop = operations === undefined ? http.stop : drainFirst(http, operations, options.drainMs);
    operations?.started({ http, backplane });
    if (operations !== undefined) start.log("notice", `health and metrics on ${operations.url}`);
    return { ...http, stop, ended: endOf(http, operations, backplane) };
  } catch (error) {
    operations?.close();
    await backplane?.close();
    throw listenError(error, host, port);
  }
}

/** The backplane is closed last: a node that stops leaves it. */
async function endOf({ ended }: HttpServer, operations: OperationsServer | undefined, backplane: Backplane | undefined): Promise<void> {
  await ended;
  operations?.close();
  await backplane?.close();
}

async function operationsOf({ opsPort, opsHost }: SharedOptions): Promise<OperationsServer | undefined> {
  if (opsPort === undefined) return undefined;
  const { startOperations } = await import("./operations/operations-server.ts");
  const host = opsHost.replace(/^\[(.+)\]$/, "$1");
  try {
    return await startOperations(host, opsPort);
  } catch (error) {
    throw listenError(error, host, opsPort, OPERATIONS_SWITCHES);
  }
}

function withMetrics(observer: Observer | undefined, { metrics }: OperationsServer): Observer {
  if (observer === undefined) return metrics;
  return observeAll([observer, metrics]);
}

/** Takes requests until load balancers have seen that the server is not ready, then stops. */
function drainFirst(http: HttpServer, operations: OperationsServer, drainMs: number): () => Promise<void> {
  return async () => {
    operations.draining();
    await new Promise((resolve) => setTimeout(resolve, drainMs));
    return http.stop();
  };
}

async function backplaneOf(name: string, options: SharedOptions, stateKeys: readonly string[]): Promise<Backplane | undefined> {
  const { backplane: url, backplanePrefix: prefix } = options;
  if (url !== undefined) return openBackplane({ name, url, prefix, stateKeys });
  if (prefix === undefined) return undefined;
  throw new StartError("--backplane-prefix needs --backplane. Add the URL of the engine, or remove the prefix.", 2);
}

const CARD_MEMBERS = ["name", "description", "version", "title", "websiteUrl", "repository", "icons"];

/** The server card: the members of `server.json` that describe the server. A copy of a server need not have that file. */
function cardOf(file: URL | undefined, publicUrl: string | undefined): { card?: ServerCard } {
  if (file === undefined || !existsSync(file)) return {};
  const members = Object.entries(JSON.parse(readFileSync(file, "utf8")) as object).filter(([key]) => CARD_MEMBERS.includes(key));
  const card = Object.fromEntries(members) as unknown as ServerCard; // our own file, which tests validate
  return { card: publicUrl === undefined ? card : { ...card, url: publicUrl } };
}

async function authenticatorOf({ authTokenFile, oauthIssuer, oauthAudience }: SharedOptions): Promise<Authenticator | undefined> {
  const inherited = process.env.OARLOCK_AUTH_TOKEN;
  if (oauthIssuer === undefined && oauthAudience === undefined) {
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
  if (oauthAudience === undefined) throw new StartError("--oauth-issuer needs --oauth-audience. Add the public URL of this server.", 2);
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

const HTTP_SWITCHES = { port: "--port", host: "--host" };
const OPERATIONS_SWITCHES = { port: "--ops-port", host: "--ops-host" };

function listenError(error: unknown, host: string, port: number, switches = HTTP_SWITCHES): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof TypeError) return new StartError(error.message, 2);
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(
        `Port ${port} is already in use. Choose another one with ${switches.port}, or ${switches.port} 0 for any free port.`,
        3,
      );
    case "EACCES":
      return new StartError(`Port ${port} is not allowed for this user. Choose one above 1023 with ${switches.port}.`, 3);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL": // a link-local address without its interface
    case "EAFNOSUPPORT":
      return new StartError(`Cannot listen on ${quoted(host)}: not an address of this machine. Check ${switches.host}.`, 2);
    default:
      return error;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
