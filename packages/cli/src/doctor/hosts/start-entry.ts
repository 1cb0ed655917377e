// Starts the command of a host's entry as the host would, and does the handshake, with a time limit.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { BatchWordError, endWindowsTree, mergeVariables, programStart, type ProgramStart } from "@oarlock/domain-kit";
import { platform } from "../../platform.ts";

export interface EntryCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  /** The user wants it read-only. Default: as the arguments and variables say. */
  readonly isReadOnly?: boolean;
  /** How long the answer may take. Default: 10 seconds. */
  readonly limitMs?: number;
}

export type StartResult =
  | { readonly kind: "started"; readonly name: string; readonly version: string; readonly ms: number }
  | { readonly kind: "not-cached" }
  /** It starts only with the right to write, which it does not get here. */
  | { readonly kind: "needs-writing" }
  | { readonly kind: "failed" | "too-slow"; readonly reason: string };

/** The shortest time that a host waits (Codex). */
const LIMIT_MS = 10_000;
const KILL_AFTER_MS = 1500;
const MAX_OUTPUT = 65_536;
/** Five paths with their reasons and remedies fit. */
const MAX_CAUSE_LENGTH = 2000;

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "oarlock-doctor", version: "1" } },
};

/**
 * The server starts with `--read-only`, by its variable, so that it also opens no audit file; it sends nothing, and npx downloads nothing.
 * Its errors are lines of text, unless a switch says otherwise.
 */
const VARIABLES: NodeJS.ProcessEnv = {
  OARLOCK_READ_ONLY: "1",
  OARLOCK_HTTP: "0",
  OARLOCK_AUDIT: undefined,
  OARLOCK_OTEL: undefined,
  OARLOCK_LOG_FORMAT: "text",
  npm_config_offline: "true",
  // Where npm is configured to be silent, npx would not say that the package is not in its cache.
  npm_config_loglevel: "error",
  npm_config_json: "false",
};

/** npm reads its settings in any case, so that one in capitals could beat ours. */
function childVariables(env: EntryCommand["env"]): NodeJS.ProcessEnv {
  const others = Object.entries(env).filter(([name]) => !(/^npm_config_/i.test(name) && name.toLowerCase() in VARIABLES));
  return mergeVariables(Object.fromEntries(others), VARIABLES, platform);
}

/** Starts it, so that nothing is changed by this. Not for a command line with `--otel`, which beats its variable. */
export async function startEntry({ command, args, env, cwd, limitMs = LIMIT_MS, ...options }: EntryCommand): Promise<StartResult> {
  const started = performance.now();
  const variables = childVariables(env);
  const start = attemptStart(() => programStart(command, args, { platform, env: variables, cwd }));
  if ("reason" in start) return { kind: "failed", reason: start.reason };
  const child = spawn(start.file, start.args, {
    cwd,
    env: variables,
    stdio: ["pipe", "pipe", "pipe"],
    detached: platform !== "win32", // npx starts further processes, which are ended with it
    ...start.options,
  });
  child.stdin.on("error", () => undefined);
  const output = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.out = (output.out + text).slice(0, MAX_OUTPUT)));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.err = (output.err + text).slice(0, MAX_OUTPUT)));
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  try {
    const end = await firstOf(child, () => output.out.includes("\n"), limitMs);
    if (end === "answer") return readAnswer(output.out, performance.now() - started);
    if (/ENOTCACHED|cache mode is 'only-if-cached'/.test(output.err)) return { kind: "not-cached" };
    const isReadOnly = options.isReadOnly ?? (args.includes("--read-only") || isTrue(env["OARLOCK_READ_ONLY"]));
    if (!isReadOnly && /--read-only/.test(causeIn(output.err))) return { kind: "needs-writing" };
    const reason = [end ?? `it did not answer within ${limitMs / 1000} s`, causeIn(output.err)].filter((part) => part !== "").join(": ");
    return { kind: end === undefined ? "too-slow" : "failed", reason };
  } finally {
    await stop(child);
  }
}

function attemptStart(start: () => ProgramStart): ProgramStart | { reason: string } {
  try {
    return start();
  } catch (error) {
    if (error instanceof BatchWordError) return { reason: error.message };
    throw error;
  }
}

/** Resolves to `answer`, to the reason why there is none, or after the time limit to undefined. */
async function firstOf(child: ChildProcess, hasAnswer: () => boolean, limitMs: number): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), limitMs);
    const settle = (result: string): void => {
      clearTimeout(timer);
      resolve(result);
    };
    child.once("error", (error) => settle("code" in error && error.code === "ENOENT" ? "the command was not found" : error.message));
    child.once("close", (code, signal) => settle(hasAnswer() ? "answer" : `it ended with ${signal ?? `code ${code}`}`));
    child.stdout?.on("data", () => hasAnswer() && settle("answer"));
  });
}

function readAnswer(output: string, ms: number): StartResult {
  try {
    const { result } = JSON.parse(output.split("\n", 1)[0] ?? "") as { result?: { serverInfo?: { name?: unknown; version?: unknown } } };
    const { name, version } = result?.serverInfo ?? {};
    if (typeof name === "string") return { kind: "started", name, version: String(version), ms: Math.round(ms) };
  } catch {
    // Reported below.
  }
  return {
    kind: "failed",
    reason: "it wrote something else than the answer to the handshake: no MCP server, or its stdout is not kept clean",
  };
}

/** The whole sentence of the error, with its indented further lines but without a stack; without an error, the last line. */
function causeIn(text: string): string {
  const lines = text.split("\n").map(messageOf);
  const start = lines.findIndex((line) => /^(?:error|critical)/i.test(line.trim()));
  if (start === -1) return (lines.findLast((line) => line.trim() !== "") ?? "").trim().slice(0, MAX_CAUSE_LENGTH);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !/^\s+\S/.test(line) || /^\s+at /.test(line));
  const cause = [lines[start] ?? "", ...(end === -1 ? rest : rest.slice(0, end))];
  return cause
    .map((line) => line.trim())
    .join(" ")
    .slice(0, MAX_CAUSE_LENGTH);
}

/** The message of a line of `--log-format json`, as a line of text would have it; any other line unchanged. */
function messageOf(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const { level, msg } = JSON.parse(line) as { level?: unknown; msg?: unknown };
    return typeof level === "string" && typeof msg === "string" ? `${level}: ${msg}` : line;
  } catch {
    return line;
  }
}

const isTrue = (value: string | undefined): boolean => value === "1" || value === "true";

async function stop(child: ChildProcess): Promise<void> {
  const { pid } = child;
  child.stdin?.end();
  if (pid !== undefined && !(await hasEnded(child))) {
    endGroup(pid);
    await hasEnded(child);
  }
  // A process that the child leaves behind may hold its pipes open.
  for (const stream of child.stdio) stream?.destroy();
}

/** Waits for the end, but not for long. */
async function hasEnded(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  return await once(child, "exit", { signal: AbortSignal.timeout(KILL_AFTER_MS) }).then(
    () => true,
    () => false,
  );
}

function endGroup(pid: number): void {
  if (platform === "win32") return endWindowsTree(pid);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}
