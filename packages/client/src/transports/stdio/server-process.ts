// Runs a server as a child process and speaks with it over its stdin and stdout, one message a line.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio (and lifecycle#shutdown)
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { LineReader, type Wire } from "@oarlock/server-kit/protocol";

export interface Command {
  command: string;
  args?: readonly string[];
  /** Added to our own environment; undefined takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

export interface SpawnOptions {
  /** After the end of its input, how long the server may take to go by itself. Default 5,000. */
  graceMs?: number;
  /** How long it may take after SIGTERM before it is killed. Default 2,000. */
  termMs?: number;
  /** Its stderr as it comes. It never counts as a failure. */
  onStderr?: ((text: string) => void) | undefined;
  /** Lines that are too long or not UTF-8; they are dropped. */
  onFault?: ((what: string) => void) | undefined;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running server; its wire ends when the process does. */
export interface ServerProcess extends Wire {
  readonly pid: number | undefined;
  /** The last of what it wrote to stderr. */
  readonly stderr: string;
  /** How it ended; both members null when it could not be started. */
  readonly exited: Promise<Exit>;
}

/** Longest line taken from a server, in bytes. */
const LONGEST_LINE = 64 * 1024 * 1024;
const KEPT_STDERR = 64 * 1024;
/** A grandchild may hold the pipes open after the server is gone; nobody waits longer than this for them. */
const PIPES_MS = 500;

/**
 * Starts a server. Its wire is handed to `connect`, or used raw.
 * @example
 * const server = spawnServer({ command: "node", args: ["server.js"] });
 * const client = await connect(server);
 */
export function spawnServer(to: Command, options: SpawnOptions = {}): ServerProcess {
  const child = spawn(to.command, [...(to.args ?? [])], { cwd: to.cwd, env: { ...process.env, ...to.env }, stdio: "pipe" });
  return new Spawned(child, to.command, options);
}

class Spawned implements ServerProcess {
  onText: Wire["onText"];
  onClose: Wire["onClose"];
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: SpawnOptions;
  #stderr = "";
  #closing: Promise<void> | undefined;
  #gone = false;

  constructor(child: ChildProcessWithoutNullStreams, name: string, options: SpawnOptions) {
    this.#child = child;
    this.#options = options;
    const reader = new LineReader(
      { line: (text) => this.onText?.(text), fault: (why) => options.onFault?.(`a line of stdout is ${why}`) },
      LONGEST_LINE,
    );
    child.stdout.on("data", (chunk: Buffer) => reader.push(chunk));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
      options.onStderr?.(text);
    });
    // Writing to a process that has gone is told by its exit.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    this.exited = new Promise((resolve) => {
      let exit: Exit = { code: null, signal: null };
      const finish = (error?: Error): void => {
        if (this.#gone) return;
        this.#gone = true;
        reader.end();
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        resolve(exit);
        this.onClose?.(this.#closing === undefined ? (error ?? new Error(this.#epitaph(name, exit))) : undefined);
      };
      child.on("error", (error) => finish(new Error(`Cannot start ${name}: ${error.message}`, { cause: error })));
      child.on("exit", (code, signal) => {
        exit = { code, signal };
        setTimeout(finish, PIPES_MS).unref();
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
    if (!this.#gone && this.#child.stdin.writable) this.#child.stdin.write(`${text}\n`);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#shutDown());
  }

  /** Ends its input, waits, asks it to terminate, waits, kills it. */
  async #shutDown(): Promise<void> {
    const { graceMs = 5000, termMs = 2000 } = this.#options;
    this.#child.stdin.end();
    if (await this.#goneWithin(graceMs)) return;
    this.#child.kill("SIGTERM");
    if (await this.#goneWithin(termMs)) return;
    this.#child.kill("SIGKILL");
    await this.exited;
  }

  async #goneWithin(ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
    const gone = await Promise.race([this.exited.then(() => true as const), late]);
    clearTimeout(timer);
    return gone;
  }

  #epitaph(name: string, { code, signal }: Exit): string {
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    const last = this.#stderr.trim().split("\n").slice(-5).join("\n");
    return `The server (${name}) ended ${how}${last === "" ? "" : `; the last of its stderr:\n${last}`}`;
  }
}
