// Checks of what --http uses: the port, tokens, state keys and the backplane.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { systemErrorCode } from "@oarlock/domain-kit";
import type { Environment } from "../process/environment.ts";
import { engineOf } from "../start/backplane.ts";
import { addressOfHost, stateKeysOf, type SharedOptions } from "../shared-flags.ts";
import { quoted } from "../start/start-error.ts";
import { tokenFileExposure } from "../start/file-mode.ts";
import { httpSetup } from "../start/http-setup.ts";
import { failed, failedBy, noted, passed, type Check } from "./check.ts";
import { checkFile } from "./file-checks.ts";
import { checkPort } from "./port-check.ts";
import { checkIssuer } from "./issuer-check.ts";
import { isFine } from "./report.ts";
import { isInCatalog } from "./running-server.ts";

const CONNECT_MS = 3000;
const MIN_TOKEN_LENGTH = 16;

export interface HttpQuestion {
  /** The name of the server. */
  readonly name: string;
  readonly options: SharedOptions;
  readonly env: Environment;
  /** Whether a switch was given, so that defaults are not checked without `--http`. */
  isGiven(key: string): boolean;
  /** The `server.json` of the server. */
  readonly serverJson: URL | undefined;
}

export async function httpChecks({ name, options, env, isGiven, serverJson }: HttpQuestion): Promise<Check[]> {
  const { http, host, port, authTokenFile, backplane } = options;
  const token = env.OARLOCK_AUTH_TOKEN;
  const isOwn = (origin: string): Promise<boolean> => isInCatalog(origin, serverJson);
  const own = [
    ...(authTokenFile === undefined ? [] : [checkTokenFile(authTokenFile)]),
    ...(token === undefined ? [] : [checkToken("auth-token", token, "OARLOCK_AUTH_TOKEN")]),
    ...checkStateKeys(options, env),
    ...(backplane === undefined ? [] : [await checkBackplane(backplane)]),
  ];
  // Where one of these is wrong, the set-up would only repeat it.
  const setUp = http && isFine(own) ? [await checkSetup(name, options, env)] : [];
  const { oauthIssuer } = options;
  return [
    ...(http || isGiven("port") ? [await checkPort({ name: "port", hostSwitch: "--host", host, port, isOwn })] : []),
    ...own,
    ...setUp,
    ...(oauthIssuer !== undefined && isFine(setUp) ? [await checkIssuer(oauthIssuer)] : []),
  ];
}

/** Makes the checks of the start. */
async function checkSetup(server: string, options: SharedOptions, env: Environment): Promise<Check> {
  const name = "http";
  try {
    const { auth, isOpen } = await httpSetup({ name: server, options, stateKeys: stateKeysOf(options.stateKey, env), env });
    if (isOpen) return passed(name, "Everyone who reaches the address can use this server, as --dangerously-allow-unauthenticated says.");
    return passed(name, auth === undefined ? "No token is needed, as only this machine can connect." : "Clients need a token.");
  } catch (error) {
    return failedBy(name, error, `Correct it, or see ${server} --help.`);
  }
}

function checkTokenFile(file: string): Check {
  const name = "auth-token-file";
  const readable = checkFile(name, file);
  if (!readable.ok) return readable;
  const exposure = tokenFileExposure(file);
  if (exposure !== undefined) return failed(name, exposure.problem, exposure.remedy);
  return checkToken(name, readFileSync(file, "utf8").trim(), quoted(file));
}

function checkToken(name: string, token: string, source: string): Check {
  const remedy = "Write a random token there, made with: openssl rand -hex 32";
  if (token === "") return failed(name, `${source} holds no token: it is empty.`, remedy);
  if (!/^[\x21-\x7e]+$/.test(token))
    return failed(name, `The token in ${source} has blanks, line breaks or characters that HTTP headers cannot hold.`, remedy);
  if (token.length < MIN_TOKEN_LENGTH)
    return failed(name, `The token in ${source} is too short to be safe: ${token.length} characters.`, remedy);
  return passed(name, `${source} holds a token of ${token.length} characters.`);
}

function checkStateKeys({ stateKey }: SharedOptions, env: Environment): Check[] {
  try {
    const keys = stateKeysOf(stateKey, env);
    return keys.length === 0 ? [] : [passed("state-key", `${keys.length === 1 ? "1 key" : `${keys.length} keys`} of sufficient length.`)];
  } catch (error) {
    return [failedBy("state-key", error, "Make one with: openssl rand -hex 32")];
  }
}

/** Whether the engine accepts connections. Nothing is sent: logging in could create tables. */
async function checkBackplane(url: string): Promise<Check> {
  const name = "backplane";
  try {
    const { defaultPort } = engineOf(url);
    const { hostname, port, searchParams } = new URL(url);
    const host = addressOfHost(hostname) || searchParams.get("host") || "localhost";
    if (host.startsWith("/")) return noted(name, "not checked", `The engine is reached over a socket in ${quoted(host)}.`);
    const target = { host, port: Number(port || searchParams.get("port")) || defaultPort };
    const code = await connectCode(target);
    const place = `${target.host}:${target.port}`;
    if (code === undefined) return passed(name, `The engine at ${place} accepts connections.`);
    const remedy = "Start it, or correct host and port in --backplane; check firewalls between this machine and it.";
    return failed(name, `The engine at ${place} cannot be reached (${code}).`, remedy);
  } catch (error) {
    return failedBy(name, error, "Write valkey://, redis://, rediss:// or postgres:// and the host.");
  }
}

async function connectCode(target: { host: string; port: number }): Promise<string | undefined> {
  const socket = connect(target);
  try {
    return await new Promise((resolve) => {
      socket.setTimeout(CONNECT_MS, () => resolve("no answer"));
      socket.once("connect", () => resolve(undefined));
      socket.once("error", (error) => resolve(systemErrorCode(error) ?? "unknown"));
    });
  } finally {
    socket.destroy();
  }
}
