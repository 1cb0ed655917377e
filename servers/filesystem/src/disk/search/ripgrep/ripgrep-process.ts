// Runs ripgrep's binary in a child process: without a shell, an environment or configuration files. Its directory and files are
// handed over as open handles, so it does not matter what has become of their names meanwhile.
import { FairSlots, systemErrorCode } from "@oarlock/domain-kit";
import type { SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { isWindows, platform } from "../../../platform.ts";
import { DiskError } from "../../errors.ts";

/** The errors of a tree of unreadable directories would fill a pipe; a message for the caller is short. */
const MAX_ERROR_BYTES = 4096;

/** Where the package of this platform has the binary; undefined when it is not installed. */
export function findRipgrep(): string | undefined {
  try {
    const packages = createRequire(fileURLToPath(import.meta.resolve("@vscode/ripgrep")));
    const found = packages.resolve(`@vscode/ripgrep-${platform}-${process.arch}/bin/${isWindows ? "rg.exe" : "rg"}`);
    return existsSync(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

export interface RipgrepRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin?: number;
  /** The text of standard input. */
  readonly input?: Buffer;
  /** Files that the child gets as its handles 3, 4, … */
  readonly fds?: readonly number[];
  readonly signal: AbortSignal;
  /** Returns true when it needs no more output. */
  onOutput(chunk: Buffer): boolean;
}

export interface RipgrepExit {
  /** 0: matches, 1: none, 2: an error, maybe beside matches. Undefined when it was ended from here. */
  readonly code: number | undefined;
  readonly errors: string;
}

const ENDED: RipgrepExit = { code: undefined, errors: "" };

/** One user with many searches must not take all cores. */
const slots = new FairSlots();

export async function runRipgrep(binary: string, run: RipgrepRun): Promise<RipgrepExit> {
  try {
    return await slots.run(() => runInSlot(binary, run), run.signal);
  } catch (error) {
    if (run.signal.aborted) return ENDED;
    throw error;
  }
}

async function runInSlot(binary: string, run: RipgrepRun): Promise<RipgrepExit> {
  const { signal } = run;
  // Loaded on first use: 3 ms of a start that most sessions never need.
  const { spawn } = await import("node:child_process");
  if (signal.aborted) return ENDED;
  const child = spawn(binary, run.args, optionsOf(run));
  const { promise, resolve, reject } = Promise.withResolvers<RipgrepExit>();
  let errors = "";
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill("SIGKILL");
  };
  signal.addEventListener("abort", stop, { once: true });
  // A child process outlives its parent unless it is killed.
  process.once("exit", stop);
  // It may end before it has read everything.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(run.input);
  child.stdout?.on("data", (chunk: Buffer) => {
    if (!isStopped && run.onOutput(chunk)) stop();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    if (errors.length < MAX_ERROR_BYTES) errors += chunk.toString().slice(0, MAX_ERROR_BYTES);
  });
  child.on("error", reject);
  child.on("close", (code) => {
    if (isStopped) resolve({ code: undefined, errors });
    else if (code === null) reject(killedBySystem());
    else resolve({ code, errors });
  });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
    process.removeListener("exit", stop);
  }
}

/** Whether the error says that the binary does not run here at all: another libc, or a mount without execution. */
export function isUnstartable(error: unknown): boolean {
  return ["ENOENT", "EACCES", "ENOEXEC", "EPERM"].includes(systemErrorCode(error) ?? "");
}

function optionsOf({ cwd, stdin, input, fds = [] }: RipgrepRun): SpawnOptions {
  return {
    cwd,
    env: environment(),
    stdio: [input === undefined ? (stdin ?? "ignore") : "pipe", "pipe", "pipe", ...fds],
    windowsHide: true,
    shell: false,
  };
}

/** No PATH and no HOME, so no configuration. Windows starts no program without its own directory. */
const environment = (): Record<string, string> => (isWindows ? { SystemRoot: process.env["SystemRoot"] ?? String.raw`C:\Windows` } : {});

/** The rest of the files was not searched, so the matches so far must not pass for all. */
const killedBySystem = (): DiskError =>
  new DiskError("io", "Search failed: the operating system ended ripgrep, most likely for lack of memory. Search a smaller directory.");
