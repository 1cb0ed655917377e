// Checks of what --http uses: the port, tokens, state keys and the backplane.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { systemErrorCode } from "@oarlock/domain-kit";
import { isLoopback } from "@oarlock/server-kit/node";
import { stateKeysOf, type SharedOptions } from "../shared-flags.ts";
import { quoted } from "../start/start-error.ts";
import { tokenFileExposure } from "../start/file-mode.ts";
import { failed, failedBy, passed, type Check } from "./check.ts";
import { checkFile } from "./file-checks.ts";
import { checkPort } from "./port-check.ts";

const CONNECT_MS = 3000;
const MIN_TOKEN_LENGTH = 16;

/** `isGiven`: whether a switch was given, so that defaults are not checked without `--http`. */
export async function httpChecks(options: SharedOptions, isGiven: (key: string) => boolean): Promise<Check[]> {
  const { http, authTokenFile, backplane } = options;
  return [
    ...(http || isGiven("port") ? [await checkPort({ name: "port", hostSwitch: "--host", host: options.host, port: options.port })] : []),
    ...(http ? checkAuthentication(options) : []),
    ...(authTokenFile === undefined ? [] : [checkTokenFile(authTokenFile)]),
    ...(process.env.OARLOCK_AUTH_TOKEN === undefined
      ? []
      : [checkToken("auth-token", process.env.OARLOCK_AUTH_TOKEN, "OARLOCK_AUTH_TOKEN")]),
    ...checkStateKeys(options),
    ...(backplane === undefined ? [] : [await checkBackplane(backplane)]),
  ];
}

function checkAuthentication({ host, authTokenFile, oauthIssuer, oauthAudience, dangerouslyAllowUnauthenticated }: SharedOptions): Check[] {
  const name = "authentication";
  const token = authTokenFile ?? process.env.OARLOCK_AUTH_TOKEN;
  if ((oauthIssuer === undefined) !== (oauthAudience === undefined))
    return [failed(name, "Only one of --oauth-issuer and --oauth-audience is set.", "Set both, or neither.")];
  if (token !== undefined && oauthIssuer !== undefined)
    return [failed(name, "Both a fixed token and --oauth-issuer are set: a server accepts one kind of token.", "Remove one of them.")];
  if (token !== undefined) return [];
  if (oauthIssuer !== undefined) return [passed(name, "Tokens of the authorization server are required.")];
  if (isLoopback(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host))
    return [passed(name, "None; only this machine can connect.")];
  if (dangerouslyAllowUnauthenticated) return [passed(name, "None, as --dangerously-allow-unauthenticated says.")];
  return [
    failed(
      name,
      `Everyone who reaches ${quoted(host)} could use this server.`,
      "Add --auth-token-file FILE or --oauth-issuer, or remove --host.",
    ),
  ];
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

function checkStateKeys({ stateKey }: SharedOptions): Check[] {
  try {
    const keys = stateKeysOf(stateKey);
    return keys.length === 0 ? [] : [passed("state-key", `${keys.length === 1 ? "1 key" : `${keys.length} keys`} of sufficient length.`)];
  } catch (error) {
    return [failedBy("state-key", error, "Make one with: openssl rand -hex 32")];
  }
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "valkey:": 6379,
  "redis:": 6379,
  "rediss:": 6379,
  "postgres:": 5432,
  "postgresql:": 5432,
};

/** Whether the engine accepts connections. Nothing is sent: logging in could create tables. */
async function checkBackplane(url: string): Promise<Check> {
  const name = "backplane";
  const { protocol, hostname, port } = URL.parse(url) ?? { protocol: "", hostname: "", port: "" };
  const defaultPort = DEFAULT_PORTS[protocol];
  if (defaultPort === undefined)
    return failed(
      name,
      "The value of --backplane is not the URL of an engine.",
      "Write valkey://, redis://, rediss:// or postgres:// and the host.",
    );
  const target = { host: hostname.replace(/^\[(.+)\]$/, "$1") || "127.0.0.1", port: Number(port) || defaultPort };
  const code = await connectCode(target);
  const place = `${target.host}:${target.port}`;
  return code === undefined
    ? passed(name, `The engine at ${place} accepts connections.`)
    : failed(
        name,
        `The engine at ${place} cannot be reached (${code}).`,
        "Start it, or correct host and port in --backplane; check firewalls between this machine and it.",
      );
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
