// A server as a child process, with one message per line of its stdin and stdout.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio (and lifecycle#shutdown)
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { endProgram, mergeVariables, programStart } from "@oarlock/domain-kit";
import { LineReader, type Wire } from "@oarlock/server-kit/protocol";
import { platform } from "../../platform.ts";

export interface Command {
  /** A program in PATH, or a path. On Windows also a batch file such as `npx`. */
  command: string;
  args?: readonly string[];
  /** Added to the environment of this process; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

export interface SpawnOptions {
  /** Time for the server to exit after the end of stdin, in milliseconds. Default 5,000. */
  graceMs?: number;
  /** Time for the server to exit after SIGTERM, in milliseconds; then it is killed. Default 2,000. */
  termMs?: number;
  /** Receives stderr. Text on stderr is not an error. */
  onStderr?: ((text: string) => void) | undefined;
  /** Receives descriptions of ignored lines of stdout: too long, or not UTF-8. */
  onFault?: ((message: string) => void) | undefined;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running server. Its wire closes when the process exits. */
export interface ServerProcess extends Wire {
  readonly pid: number | undefined;
  /** The last 64 KiB of stderr. */
  readonly stderr: string;
  /** Exit code and signal; both null if the process could not be started. */
  readonly exited: Promise<Exit>;
}

/** A server process that exited by itself. `summary` is the message without the end of stderr. */
export class ServerExitError extends Error {
  override readonly name = "ServerExitError";
  readonly summary: string;

  constructor(name: string, { code, signal }: Exit, stderr: string) {
    const summary = `The server process (${name}) exited ${signal === null ? `with code ${code}` : `by ${signal}`}`;
    const lastLines = stderr.trim().split("\n").slice(-REPORTED_STDERR_LINES).join("\n");
    super(`${summary}${lastLines === "" ? "" : `; the end of its stderr:\n${lastLines}`}`);
    this.summary = summary;
  }
}

const DEFAULT_GRACE_MS = 5000;
const DEFAULT_TERM_MS = 2000;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_STDERR_CHARACTERS = 64 * 1024;
/** Lines of stderr in the error of a process that exited by itself. */
const REPORTED_STDERR_LINES = 5;
/** A grandchild may keep the pipes open after the server has exited; they are closed after this time. */
const PIPE_GRACE_MS = 500;

/**
 * Starts a server process. Pass the result to `connect`, or use it as a raw wire. Throws for an argument with a line break that a batch file
 * of Windows would get.
 * @example
 * const server = spawnServer({ command: "node", args: ["server.js"] });
 * const client = await connect(server);
 */
export function spawnServer(command: Command, options: SpawnOptions = {}): ServerProcess {
  const { cwd } = command;
  const env = mergeVariables(process.env, command.env ?? {}, platform);
  const start = programStart(command.command, command.args ?? [], { platform, env, cwd });
  const child = spawn(start.file, start.args, { cwd, env, stdio: "pipe", ...start.options });
  return new ChildServerProcess(child, command, options);
}

/** What follows the error of a program that was not found: Node has the same error for a missing folder. */
function startAdvice(error: Error, name: string, cwd: string | undefined): string {
  if (!("code" in error) || error.code !== "ENOENT") return "";
  if (/\s/.test(name)) return ". Pass the arguments of the program in args.";
  return cwd === undefined ? "" : `. Check that the program and the folder ${cwd} (cwd) exist.`;
}

class ChildServerProcess implements ServerProcess {
  onText: Wire["onText"];
  onClose: Wire["onClose"];
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: SpawnOptions;
  #stderr = "";
  #closing: Promise<void> | undefined;
  #hasExited = false;

  constructor(child: ChildProcessWithoutNullStreams, { command: name, cwd }: Command, options: SpawnOptions) {
    this.#child = child;
    this.#options = options;
    const reader = new LineReader(
      { line: (text) => this.onText?.(text), fault: (problem) => options.onFault?.(`Ignored a line of stdout: ${problem}`) },
      MAX_LINE_BYTES,
    );
    child.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARACTERS);
      options.onStderr?.(text);
    });
    // The exit of the process reports a failed write.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    this.exited = new Promise((resolve) => {
      let exit: Exit = { code: null, signal: null };
      const finish = (error?: Error): void => {
        if (this.#hasExited) return;
        this.#hasExited = true;
        reader.end();
        // The text of a process that is started next must not continue this line.
        if (this.#stderr !== "" && !this.#stderr.endsWith("\n")) options.onStderr?.("\n");
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        resolve(exit);
        this.onClose?.(this.#closing === undefined ? (error ?? new ServerExitError(name, exit, this.#stderr)) : undefined);
      };
      child.on("error", (error) =>
        finish(new Error(`Cannot start ${name}: ${error.message}${startAdvice(error, name, cwd)}`, { cause: error })),
      );
      child.on("exit", (code, signal) => {
        exit = { code, signal };
        setTimeout(finish, PIPE_GRACE_MS).unref();
      });
      child.on("close", () => finish());
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr(): string {
    return this.#stderr;
  }

  send(text: string): void {
    if (!this.#hasExited && this.#child.stdin.writable) this.#child.stdin.write(`${text}\n`);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#shutDown());
  }

  /** Ends stdin, waits, sends SIGTERM, waits, sends SIGKILL. On Windows both end the tree of processes by force. */
  async #shutDown(): Promise<void> {
    const { graceMs = DEFAULT_GRACE_MS, termMs = DEFAULT_TERM_MS } = this.#options;
    this.#child.stdin.end();
    if (await this.#exitsWithin(graceMs)) return;
    endProgram(this.#child, "SIGTERM", platform);
    if (await this.#exitsWithin(termMs)) return;
    endProgram(this.#child, "SIGKILL", platform);
    await this.exited;
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
    const hasExited = await Promise.race([this.exited.then(() => true as const), timeout]);
    clearTimeout(timer);
    return hasExited;
  }
}
