// The switches that every server has.
import { DEFAULT_LIMITS, type Limits } from "@oarlock/server-kit";
import { LOG_LEVELS } from "@oarlock/server-kit/protocol";
import type { Flags, Read } from "./flags.ts";

/** Hosts that `--print-config` writes an entry for. */
export const HOSTS = ["claude-desktop", "claude-code", "vscode", "cursor", "codex", "gemini", "zed", "json"] as const;
export type Host = (typeof HOSTS)[number];

export const SHARED = {
  http: { type: "boolean", help: "serve Streamable HTTP on /mcp instead of stdio" },
  host: { type: "text", value: "H", default: "127.0.0.1", help: "where HTTP listens; anything but loopback needs authentication" },
  port: { type: "port", value: "N", default: 3920, help: "the port of HTTP; 0 takes a free one" },
  allowedHosts: { type: "names", value: "A,B", help: "Host headers let in besides localhost, 127.0.0.1 and [::1]" },
  allowedOrigins: { type: "names", value: "A,B", help: "web origins let in besides the server's own on loopback" },
  authTokenFile: { type: "path", value: "F", help: "bearer token required on HTTP; or the token itself in OARLOCK_AUTH_TOKEN" },
  oauthIssuer: { type: "text", value: "U", help: "authorization server whose tokens (JWT) are required on HTTP" },
  oauthAudience: { type: "text", value: "U", help: "what those tokens must be issued for: this server's public address" },
  legacySse: { type: "boolean", help: "on HTTP also serve the old endpoint pair: GET /sse, POST /messages" },
  dangerouslyAllowUnauthenticated: { type: "boolean", help: "let HTTP listen beyond loopback without authentication" },
  readOnly: { type: "boolean", help: "register only tools that change nothing, whatever other switches say" },
  toolsets: { type: "names", value: "A,B", help: "groups of tools to register; without it: default" },
  tools: { type: "names", value: "A,B", help: "tools to register, and no others" },
  excludeTools: { type: "names", value: "A,B", help: "tools not to register" },
  logLevel: { type: "choice", choices: LOG_LEVELS, default: "notice", value: "LEVEL", help: "the least severe messages on stderr" },
  logFormat: { type: "choice", choices: ["text", "json"], default: "text", help: "how messages on stderr look" },
  maxResultBytes: { type: "count", value: "N", default: DEFAULT_LIMITS.resultBytes, help: "largest answer, in bytes" },
  timeout: { type: "count", value: "MS", default: DEFAULT_LIMITS.timeoutMs, help: "longest run of one request, in milliseconds" },
  maxConcurrency: { type: "count", value: "N", default: DEFAULT_LIMITS.concurrency, help: "requests of one client that run side by side" },
  rateLimit: { type: "rate", value: "N/s", default: DEFAULT_LIMITS.callsPerSecond, help: "tool calls a second of one client" },
  stateKey: { type: "names", value: "K,K", help: "secrets that seal what clients carry between rounds; for several processes" },
  printConfig: { type: "choice", choices: HOSTS, value: "HOST", help: "print the entry to paste into a host's settings" },
  help: { type: "boolean", short: "h", help: "print this text" },
  version: { type: "boolean", help: "print the version" },
} as const satisfies Flags;

/** Those that mean nothing on stdio. */
export const HTTP_ONLY = [
  "host",
  "port",
  "allowedHosts",
  "allowedOrigins",
  "authTokenFile",
  "oauthIssuer",
  "oauthAudience",
  "legacySse",
  "dangerouslyAllowUnauthenticated",
] as const satisfies readonly (keyof typeof SHARED)[];

export type SharedOptions = Read<typeof SHARED>;

/** Which bound of the kit a switch sets. */
const BOUNDS = { maxResultBytes: "resultBytes", timeout: "timeoutMs", maxConcurrency: "concurrency", rateLimit: "callsPerSecond" } as const;

/** The bounds that were given; what was not given is left to the server's own definition. */
export function givenLimits(options: SharedOptions, isGiven: (key: string) => boolean): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const key of ["maxResultBytes", "timeout", "maxConcurrency", "rateLimit"] as const) {
    if (isGiven(key)) limits[BOUNDS[key]] = options[key];
  }
  return limits;
}
