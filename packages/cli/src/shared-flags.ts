// Shared flags: the switches of every server.
import { DEFAULT_LIMITS, type Limits } from "@oarlock/server-kit";
import { LOG_LEVELS } from "@oarlock/server-kit/protocol";
import type { Environment } from "./process/environment.ts";
import type { Flags, FlagValues } from "./flags.ts";
import { StartError } from "./start/start-error.ts";

/** Hosts that `--print-config` knows. */
export const HOSTS = ["claude-desktop", "claude-code", "vscode", "cursor", "codex", "gemini", "zed", "json"] as const;
export type Host = (typeof HOSTS)[number];

export const SHARED = {
  http: { type: "boolean", help: "serve Streamable HTTP on /mcp instead of stdio" },
  host: {
    type: "text",
    value: "H",
    default: "127.0.0.1",
    help: "the address that HTTP listens on; any other than loopback needs authentication",
  },
  port: { type: "port", value: "N", default: 3920, help: "the port of HTTP; 0 takes a free one" },
  socket: { type: "path", value: "PATH", help: "a Unix socket or named pipe that HTTP listens on instead of a port; for this user only" },
  allowedHosts: { type: "names", value: "A,B", help: "accepted Host headers besides localhost, 127.0.0.1 and [::1]" },
  allowedOrigins: { type: "names", value: "A,B", help: "accepted web origins besides the server's own on loopback" },
  publicUrl: { type: "text", value: "URL", help: "the address of the endpoint that clients see, behind a proxy: https://mcp.example/mcp" },
  trustedProxies: {
    type: "names",
    value: "A,B",
    help: "addresses or networks of proxies whose X-Forwarded-For names the client; --socket counts as 127.0.0.1",
  },
  authTokenFile: { type: "path", value: "F", help: "bearer token required on HTTP; or the token itself in OARLOCK_AUTH_TOKEN" },
  oauthIssuer: { type: "text", value: "U", help: "authorization server whose tokens (JWT) are required on HTTP" },
  oauthAudience: { type: "text", value: "U", help: "the audience of those tokens; by default --public-url" },
  legacySse: { type: "boolean", help: "on HTTP also serve the endpoints of 2024-11-05: GET /sse, POST /messages" },
  dangerouslyAllowUnauthenticated: { type: "boolean", help: "allow HTTP beyond loopback without authentication" },
  readOnly: { type: "boolean", help: "register only tools that change nothing; beats all other switches" },
  toolsets: {
    type: "names",
    value: "A,B",
    help: "groups of tools to register; minimal: few tools with few arguments; default: the group default",
  },
  tools: { type: "names", value: "A,B", help: "register these tools only" },
  excludeTools: { type: "names", value: "A,B", help: "do not register these tools" },
  logLevel: {
    type: "choice",
    choices: LOG_LEVELS,
    default: "notice",
    value: "LEVEL",
    help: "the least severe level that is written to stderr",
  },
  logFormat: { type: "choice", choices: ["text", "json"], default: "text", help: "the format of stderr" },
  fence: { type: "boolean", help: "put what reading tools reply between random marks, so that content cannot pose as instructions" },
  maxResultBytes: { type: "count", value: "N", default: DEFAULT_LIMITS.resultBytes, help: "largest reply, in bytes" },
  timeout: { type: "count", value: "MS", default: DEFAULT_LIMITS.timeoutMs, help: "longest time for one request, in milliseconds" },
  maxConcurrency: {
    type: "count",
    value: "N",
    default: DEFAULT_LIMITS.concurrency,
    help: "requests of one connection or HTTP session that run at the same time",
  },
  taskAfter: {
    type: "count",
    value: "MS",
    default: 2000,
    zero: true,
    help: "time until a call becomes a task, for clients with tasks; 0 never",
  },
  taskTtl: { type: "count", value: "MS", default: 300_000, help: "how long an ended task is kept, in milliseconds" },
  rateLimit: {
    type: "rate",
    value: "N/s",
    default: DEFAULT_LIMITS.callsPerSecond,
    help: "tool calls per second of one client, over all its HTTP sessions",
  },
  sessionsPerUser: {
    type: "count",
    value: "N",
    default: 1000, // as CALLER_LIMITS, which is loaded with --http only
    help: "open HTTP sessions of one user; without a login, or with one token for all, of one address",
  },
  stateKey: {
    type: "names",
    value: "K,K",
    help: "secrets that encrypt the state that clients send back; the same for all processes of one service",
  },
  backplane: {
    type: "text",
    value: "URL",
    help: "engine that the nodes of one service share: valkey://, redis://, rediss:// or postgres://; needs --http and --state-key",
  },
  backplanePrefix: {
    type: "text",
    value: "TEXT",
    help: "begins the names of all that is stored there; by default oarlock: and the name of the server",
  },
  audit: { type: "path", value: "FILE", help: "append one JSON line for each call that may change something; rotated at 10 MB" },
  otel: { type: "boolean", help: "send traces and metrics with OpenTelemetry, as the OTEL_* variables say" },
  opsPort: {
    type: "port",
    value: "PORT",
    help: "with --http: a second port with /livez, /readyz and /metrics (Prometheus); 0 takes a free one",
  },
  opsHost: { type: "text", value: "H", default: "127.0.0.1", help: "the address of that port; requests there need no token" },
  drainMs: {
    type: "count",
    value: "MS",
    default: 5000,
    zero: true,
    help: "with --ops-port: how long a server that stops still takes requests after /readyz has turned to 503",
  },
  printConfig: { type: "choice", choices: HOSTS, value: "HOST", bare: "json", help: "print the entry for a host's settings" },
  help: { type: "boolean", short: "h", help: "print this text" },
  version: { type: "boolean", help: "print the version" },
} as const satisfies Flags;

/** Switches without an effect on stdio. */
export const HTTP_ONLY = [
  "host",
  "port",
  "socket",
  "allowedHosts",
  "allowedOrigins",
  "publicUrl",
  "trustedProxies",
  "authTokenFile",
  "oauthIssuer",
  "oauthAudience",
  "legacySse",
  "dangerouslyAllowUnauthenticated",
  "sessionsPerUser",
  "backplane",
  "backplanePrefix",
  "opsPort",
  "opsHost",
  "drainMs",
] as const satisfies readonly (keyof typeof SHARED)[];

export type SharedOptions = FlagValues<typeof SHARED>;

/** A host as an address. An IPv6 address stands in brackets in a URL, but not in an address. */
export const addressOfHost = (host: string): string => host.replace(/^\[(.+)\]$/, "$1");

/** Whether clients and operators were given the same port. Port 0 takes a free one for each. */
export const isPortShared = ({ port, opsPort }: SharedOptions): boolean => port !== 0 && port === opsPort;

/** The switch that sets a limit of the kit. */
export const LIMIT_SWITCHES = {
  resultBytes: "maxResultBytes",
  timeoutMs: "timeout",
  concurrency: "maxConcurrency",
  callsPerSecond: "rateLimit",
} as const satisfies Partial<Record<keyof Limits, keyof typeof SHARED>>;

/** The limits that were given. The server's own definition sets the others. */
export function givenLimits(options: SharedOptions, isGiven: (key: string) => boolean): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const limit of Object.keys(LIMIT_SWITCHES) as (keyof typeof LIMIT_SWITCHES)[]) {
    const flag = LIMIT_SWITCHES[limit];
    if (isGiven(flag)) limits[limit] = options[flag];
  }
  return limits;
}

/** The keys of `--state-key`, or of the variable that other servers use. Throws a StartError on a short one. */
export function stateKeysOf(given: readonly string[], env: Environment): readonly string[] {
  const keys = given.length > 0 ? given : (env.MCP_STATE_KEY ?? "").split(",").filter((key) => key !== "");
  if (keys.some((key) => key.length < 16))
    throw new StartError("A state key is too short: expected at least 16 random characters. Make one with: openssl rand -hex 32", 2);
  return keys;
}
