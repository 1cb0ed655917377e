// --http: the switches of HTTP, checked, and the server listening. Loaded only when asked for.
import { readFileSync } from "node:fs";
import type { Limits, Server } from "@oarlock/server-kit";
import { bearerToken, isLoopback, serveHttp, type Authenticator, type HttpServer } from "@oarlock/server-kit/node";
import { leanProcess } from "./lean-process.ts";
import type { SharedOptions } from "./shared-flags.ts";
import { quoted, StartError } from "./start-error.ts";
import type { LogSink } from "./stderr-log.ts";

export interface HttpOrder {
  name: string;
  options: SharedOptions;
  limits: Partial<Limits>;
  log: LogSink;
  graceMs: number;
  stateKeys: readonly string[];
}

/** Listens and gives the running server; throws a StartError with the remedy when it cannot. */
export async function startHttp(server: Server, { name, options, limits, log, graceMs, stateKeys }: HttpOrder): Promise<HttpServer> {
  const { port, allowedHosts, allowedOrigins, legacySse, dangerouslyAllowUnauthenticated } = options;
  const host = options.host.replace(/^\[(.+)\]$/, "$1"); // as an address has it in a URL
  const auth = await authenticator(options);
  const isOpen = auth === undefined && !isLoopback(host.includes(":") ? `[${host}]` : host);
  const danger = `Whoever reaches ${quoted(host)} could use this server`;
  if (isOpen && !dangerouslyAllowUnauthenticated)
    throw new StartError(`${danger}: give it --auth-token-file or --oauth-issuer, or leave out --host`, 2);
  leanProcess();
  try {
    const served = await serveHttp(server, {
      host,
      port,
      allowedHosts,
      allowedOrigins,
      legacySse,
      dangerouslyAllowUnauthenticated,
      scope: name.replace(/^oarlock-/, ""),
      limits,
      log,
      graceMs,
      stateKeys,
      ...(auth !== undefined && { auth }),
    });
    // Only now: where it cannot listen, the reason is the first line.
    if (isOpen) log("warning", `${danger}: it asks for no authentication`);
    return served;
  } catch (error) {
    throw startError(error, host, port);
  }
}

async function authenticator({ authTokenFile, oauthIssuer, oauthAudience }: SharedOptions): Promise<Authenticator | undefined> {
  const inherited = process.env.OARLOCK_AUTH_TOKEN;
  if (oauthIssuer === undefined && oauthAudience === undefined) {
    if (authTokenFile !== undefined) return tokenAuth(readToken(authTokenFile), `the token in ${quoted(authTokenFile)}`);
    return inherited === undefined ? undefined : tokenAuth(inherited, "OARLOCK_AUTH_TOKEN");
  }
  if (authTokenFile !== undefined || inherited !== undefined) {
    throw new StartError("A fixed token and --oauth-issuer rule each other out: leave one of them out", 2);
  }
  if (oauthIssuer === undefined) throw new StartError("--oauth-audience needs --oauth-issuer: the authorization server's address", 2);
  if (oauthAudience === undefined) throw new StartError("--oauth-issuer needs --oauth-audience: this server's public address", 2);
  const { oauth } = await import("@oarlock/oauth");
  try {
    return oauth({ issuer: oauthIssuer, audience: oauthAudience });
  } catch (error) {
    throw new StartError(`--oauth-issuer and --oauth-audience: ${reason(error)}`, 2);
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new StartError(`The token file ${quoted(file)} cannot be read: ${reason(error)}`, 2);
  }
}

function tokenAuth(token: string, source: string): Authenticator {
  if (token === "") throw new StartError(`${source} is empty: put the token there, or leave it out`, 2);
  try {
    return bearerToken(token);
  } catch (error) {
    throw new StartError(`${source} cannot be sent as a header: ${reason(error)}`, 2);
  }
}

function startError(error: unknown, host: string, port: number): unknown {
  if (error instanceof TypeError) return new StartError(error.message, 2);
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new StartError(`Port ${port} is in use: choose another with --port, or --port 0 for a free one`, 3);
    case "EACCES":
      return new StartError(`Port ${port} is not open to this user: choose one above 1023 with --port`, 3);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
    case "EINVAL": // as an address of a link without the name of that link
    case "EAFNOSUPPORT":
      return new StartError(`${quoted(host)} is no address of this machine: correct --host`, 2);
    default:
      return error;
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
