// The switches that every server has. A later transport adds its rows here.
import { DEFAULT_LIMITS, type Limits } from "../endpoint/limits.ts";
import { LOG_LEVELS } from "../protocol/types.ts";
import type { Flags, Read } from "./flags.ts";

/** Hosts that `--print-config` writes an entry for. */
export const HOSTS = ["claude-desktop", "claude-code", "vscode", "cursor", "codex", "gemini", "zed", "json"] as const;
export type Host = (typeof HOSTS)[number];

export const SHARED = {
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
  printConfig: { type: "choice", choices: HOSTS, value: "HOST", help: "print the entry to paste into a host's settings" },
  help: { type: "boolean", short: "h", help: "print this text" },
  version: { type: "boolean", help: "print the version" },
} as const satisfies Flags;

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
