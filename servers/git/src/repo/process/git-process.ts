// One git process: an argument list and no shell, nothing to read but what is given, output within bounds, a process group of its
// own that ends with the request.
import { spawn, type ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { GitError, systemCode } from "../errors.ts";
import { gitMissing } from "./git-program.ts";
import type { Environment } from "./environment.ts";

/** An argument; bytes where it is a file name that is no text. */
export type Argument = string | Buffer;

export interface Run {
  readonly args: readonly Argument[];
  readonly input?: string | Buffer | undefined;
  /** More output than this is cut off, and the process with it. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Takes the output as it comes, instead of the result; false ends the process. */
  readonly onStdout?: ((chunk: Buffer) => boolean | undefined) | undefined;
  readonly onStderr?: ((chunk: Buffer) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** It is ended when it takes longer. Default 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** It starts no other process, and needs no group to be ended with: a new session costs time where much runs at once. */
  readonly alone?: boolean | undefined;
}

export interface Spawning {
  readonly git: string;
  readonly env: Environment;
  readonly cwd: string;
}

export interface Ran {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** The output was longer than was asked for. */
  readonly cut: boolean;
}

const MOST_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MOST_STDERR = 64 * 1024;
/** A git that was asked to end removes its lock files; one that does not end is killed. */
const GRACE_MS = 400;

/** All that run: a server that ends takes them along, also those that do not end when they are asked to. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) endGroup(child, "SIGKILL");
});

/** Those that were asked to end. */
const stopping = new Set<Promise<unknown>>();

/** Waits for those that were asked to end: a git that is killed on the way out leaves its locks behind, and half of a clone. */
export async function stopped(): Promise<void> {
  await Promise.allSettled(stopping);
  // What they were run for clears away in its turn.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Processes without a group of their own. */
const loners = new WeakSet<ChildProcess>();

export async function runGit({ git, env, cwd }: Spawning, run: Run): Promise<Ran> {
  const { signal, onStdout, maxBytes = MOST_BYTES, timeoutMs = TIMEOUT_MS } = run;
  signal?.throwIfAborted();
  const [command, args] = commandOf(git, run.args);
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: [run.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    // A group of its own, with no terminal to ask on.
    detached: run.alone !== true && process.platform !== "win32",
    windowsHide: true,
  });
  if (run.alone === true) loners.add(child);
  running.add(child);
  const ended = Promise.withResolvers<number | undefined>();
  const chunks: Buffer[] = [];
  const said: Buffer[] = [];
  let size = 0;
  let saidSize = 0;
  let cut = false;
  let killer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (killer !== undefined) return;
    stopping.add(ended.promise);
    endGroup(child, "SIGTERM");
    killer = setTimeout(() => endGroup(child, "SIGKILL"), GRACE_MS);
  };
  const tooMuch = (): void => {
    cut = true;
    child.stdout?.destroy();
    stop();
  };
  child.once("error", (error) => ended.reject(systemCode(error) === "ENOENT" ? gitMissing() : error));
  child.once("close", (code) => ended.resolve(code ?? undefined));
  child.stdout?.on("data", (chunk: Buffer) => {
    if (cut) return;
    if (onStdout !== undefined) {
      if (onStdout(chunk) === false) tooMuch();
      return;
    }
    const room = maxBytes - size;
    size += chunk.length;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (chunk.length > room) tooMuch();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    run.onStderr?.(chunk);
    if (saidSize < MOST_STDERR) said.push(chunk);
    saidSize += chunk.length;
  });
  if (run.input !== undefined) {
    // A git that ends early does not read all of it; its own words say why.
    child.stdin?.on("error", () => {});
    child.stdin?.end(run.input);
  }
  signal?.addEventListener("abort", stop, { once: true });
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    stop();
  }, timeoutMs);
  try {
    const code = await ended.promise;
    signal?.throwIfAborted();
    if (late)
      throw new GitError(
        "failed",
        `git did not finish within ${timeoutMs / 1000} seconds, and was ended. Narrow it down: paths, a smaller range, a limit.`,
      );
    return {
      code,
      stdout: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks),
      stderr: Buffer.concat(said).toString(),
      cut,
    };
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(deadline);
    clearTimeout(killer);
    // Whatever a child of it may have left behind.
    if (killer !== undefined) endGroup(child, "SIGKILL");
    running.delete(child);
    stopping.delete(ended.promise);
  }
}

/** Node hands arguments over as UTF-8 only; names that are not go by way of a shell that puts the very bytes in their place. */
function commandOf(git: string, args: readonly Argument[]): [string, string[]] {
  if (args.every((arg) => typeof arg === "string" || Buffer.from(arg.toString("utf8")).equals(arg)))
    return [git, args.map((arg) => (typeof arg === "string" ? arg : arg.toString("utf8")))];
  if (process.platform === "win32") throw new GitError("invalid", "A name that is not well-formed text cannot be used on Windows.");
  const names: string[] = [];
  const words = args.map((arg) => {
    const octal = [...Buffer.from(arg)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
    names.push(`a${names.length}=$(printf '${octal}_')`);
    return `"\${a${names.length - 1}%_}"`;
  });
  // Nothing but octal numbers stands in the script.
  return ["/bin/sh", ["-c", `${names.join(";")};exec "$0" ${words.join(" ")}`, git]];
}

export function endGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32" || loners.has(child)) child.kill(signal);
    else process.kill(-child.pid, constants.signals[signal]);
  } catch {
    // It has ended already.
  }
}
