// One git process: an argument list without a shell, bounded output, a deadline, and an end together with the request.
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { systemErrorCode, tracedWork } from "@oarlock/domain-kit";
import { isWindows } from "../../platform.ts";
import { GitError } from "../errors.ts";
import { reportMessages } from "../messages/git-messages.ts";
import { blockingFile, findBlockingFile } from "../safety/blocking-files.ts";
import { messageText } from "../text/file-names.ts";
import { commandLine } from "./byte-arguments.ts";
import type { Environment } from "./environment.ts";
import { gitMissing } from "./git-program.ts";
import { inSlot, subcommandOf } from "../limits/process-slots.ts";
import type { HookRun } from "../messages/hook-trace.ts";
import type { RepositoryPaths } from "./repository-paths.ts";
import { endProcess, endProcessAtExit, hasEnded, markWithoutGroup, processEnd } from "./process-end.ts";

/** An argument; bytes for a file name that is not UTF-8. */
export type GitArgument = string | Buffer;

export interface GitContext {
  /** Absolute path of the git program. */
  readonly git: string;
  readonly env: Environment;
  readonly cwd: string;
  /** Undefined where there is no repository yet. */
  readonly paths?: RepositoryPaths | undefined;
}

export interface GitCommand {
  readonly args: readonly GitArgument[];
  readonly input?: string | Buffer | undefined;
  /** Output beyond this is dropped and the process is stopped. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Receives the output in place of `stdout` of the result; returns false to stop the process. */
  readonly onStdout?: ((chunk: Buffer) => boolean | undefined) | undefined;
  readonly onStderr?: ((chunk: Buffer) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Default 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Removes what git has begun, after it was killed before it could do so itself. Must not reject. */
  readonly onKilled?: (() => Promise<void>) | undefined;
}

export interface GitResult {
  /** Undefined when a signal ended the process. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** The output was longer than `maxBytes`, or `onStdout` returned false. */
  readonly isTruncated: boolean;
  /** The hook over which the command failed. */
  readonly failedHook?: HookRun | undefined;
}

/** git was stopped at its deadline. */
export class GitTimeout extends GitError {
  readonly seconds: number;

  constructor(timeoutMs: number) {
    const seconds = timeoutMs / 1000;
    super(
      "failed",
      `git did not finish within ${seconds} seconds and was stopped. Narrow the call: give paths, a smaller range or a limit.`,
    );
    this.seconds = seconds;
  }
}

export interface SpawnOptions {
  /**
   * Runs in a process group of its own, so that programs which git starts end with it. Costs time where many commands run side by side,
   * as each group is a new session.
   */
  readonly ownGroup: boolean;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 30_000;
/** A command that takes longer may wait for a file of the work tree. */
const LOOK_AFTER_MS = 1000;
const MAX_STDERR_BYTES = 64 * 1024;
/** After SIGTERM git removes its lock files; a process that does not end in time gets SIGKILL. */
const GRACE_MS = 400;

/** Killed when the server exits. */
const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) endProcessAtExit(child);
});

/** One for each process that received SIGTERM: resolved when it has ended and nothing is left to remove. */
const stopping = new Set<Promise<void>>();

/** Waits for processes that received SIGTERM. A git that is killed while the server exits leaves lock files, and half of a clone. */
export async function waitForStoppedProcesses(): Promise<void> {
  await Promise.allSettled(stopping);
  // The code that started them cleans up in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
}

export async function spawnGit(context: GitContext, command: GitCommand, { ownGroup }: SpawnOptions): Promise<GitResult> {
  return inSlot(command, () => {
    const [program, args] = commandLine(context.git, command.args);
    const child = spawn(program, args, spawnSettings(context, command, { ownGroup }));
    if (!ownGroup) markWithoutGroup(child);
    return superviseProcess(child, command, context);
  });
}

/** How a process is started. */
export const spawnSettings = ({ cwd, env }: GitContext, { input }: GitCommand, { ownGroup }: SpawnOptions) => ({
  cwd,
  env,
  stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] satisfies StdioOptions,
  detached: ownGroup && !isWindows,
  windowsHide: true,
});

/** Takes care of a process from its start to its end: input, bounded output, deadline and cancellation. */
export async function superviseProcess(child: ChildProcess, command: GitCommand, { cwd, paths }: GitContext): Promise<GitResult> {
  const attributes = { "process.executable.name": "git", ...(child.pid !== undefined && { "process.pid": child.pid }) };
  const workTree = paths?.isBare === false ? paths.top : undefined;
  const result = await tracedWork({ name: `git ${subcommandOf(command)}`, isRemote: true, attributes }, () =>
    untilEnd(child, command, workTree),
  );
  // What a failed command prints is for its caller, who decides whether that is an answer or an error.
  if (result.exitCode === 0) reportMessages(paths ?? { top: cwd, gitDir: cwd, commonDir: cwd, isBare: false }, result.stderr);
  return result;
}

async function untilEnd(child: ChildProcess, command: GitCommand, workTree: string | undefined): Promise<GitResult> {
  const { input, onStdout, onStderr, signal, maxBytes = DEFAULT_MAX_BYTES, timeoutMs = DEFAULT_TIMEOUT_MS, onKilled } = command;
  running.add(child);
  const end = processEnd(child);

  const stopped = Promise.withResolvers<void>();
  // Windows knows no other way to end a process.
  let isKilled = false;
  let killTimer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    if (killTimer !== undefined) return;
    stopping.add(stopped.promise);
    isKilled = isWindows;
    endProcess(child, "SIGTERM");
    killTimer = setTimeout(() => {
      isKilled = true;
      endProcess(child, "SIGKILL");
    }, GRACE_MS);
  };
  signal?.addEventListener("abort", stop, { once: true });
  let isLate = false;
  const deadline = setTimeout(() => {
    // What git has done is done, although a program that it left behind holds its pipes.
    if (hasEnded(child)) return;
    isLate = true;
    stop();
  }, timeoutMs);
  let blockedBy: string | undefined;
  // Made only where it is needed: to abort one makes an error with its stack, in each command.
  let search: AbortController | undefined;
  const look = async (top: string): Promise<void> => {
    search = new AbortController();
    blockedBy = await findBlockingFile(top, search.signal);
    if (blockedBy !== undefined) stop();
  };
  const lookTimer = workTree === undefined ? undefined : setTimeout(() => void look(workTree), LOOK_AFTER_MS);

  const stdout = new OutputCollector(maxBytes, onStdout);
  const stderr: Buffer[] = [];
  let stderrBytes = 0;
  child.stdout?.on("data", (chunk: Buffer) => {
    if (stdout.isTruncated || stdout.push(chunk)) return;
    child.stdout?.destroy();
    stop();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    onStderr?.(chunk);
    if (stderrBytes < MAX_STDERR_BYTES) stderr.push(chunk);
    stderrBytes += chunk.length;
  });
  if (input !== undefined) {
    // A git that ends early does not read all of its input; stderr says why.
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  }
  try {
    const exitCode = await end;
    signal?.throwIfAborted();
    if (blockedBy !== undefined) throw blockingFile(blockedBy);
    if (isLate) throw new GitTimeout(timeoutMs);
    return { exitCode, stdout: stdout.bytes, stderr: messageText(Buffer.concat(stderr)), isTruncated: stdout.isTruncated };
  } catch (error) {
    throw systemErrorCode(error) === "ENOENT" ? gitMissing() : error;
  } finally {
    signal?.removeEventListener("abort", stop);
    clearTimeout(deadline);
    clearTimeout(lookTimer);
    search?.abort();
    clearTimeout(killTimer);
    // Programs that git started may still run.
    if (killTimer !== undefined) endProcess(child, "SIGKILL");
    running.delete(child);
    if (isKilled && child.exitCode !== 0) await onKilled?.();
    stopped.resolve();
    stopping.delete(stopped.promise);
  }
}

/** Keeps output up to a limit, or hands it on. */
class OutputCollector {
  isTruncated = false;
  readonly #maxBytes: number;
  readonly #onChunk: GitCommand["onStdout"];
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number, onChunk: GitCommand["onStdout"]) {
    this.#maxBytes = maxBytes;
    this.#onChunk = onChunk;
  }

  /** False when nothing more is wanted. */
  push(chunk: Buffer): boolean {
    if (this.#onChunk !== undefined) this.isTruncated = this.#onChunk(chunk) === false;
    else {
      const room = this.#maxBytes - this.#size;
      this.isTruncated = chunk.length > room;
      this.#chunks.push(this.isTruncated ? chunk.subarray(0, room) : chunk);
      this.#size += chunk.length;
    }
    return !this.isTruncated;
  }

  get bytes(): Buffer {
    const [only] = this.#chunks;
    return only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
  }
}
