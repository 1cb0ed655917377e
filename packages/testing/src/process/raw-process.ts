// A stdio server process driven byte by byte: for invalid input, partial lines and exact output.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Command, Exit } from "@oarlock/client";
import { endProgram, mergeVariables, programStart } from "@oarlock/domain-kit";
import { NEWEST_HANDSHAKE, type Json } from "@oarlock/server-kit/protocol";
import { isLinux, platform } from "../platform.ts";
import { MessageQueue } from "./message-queue.ts";

/** Default deadline of a read. Generous, as only a failing test uses it up. */
const DEADLINE_MS = 20_000;
const MAX_STDERR_CHARACTERS = 1024 * 1024;
const STDERR_EXCERPT_CHARACTERS = 2000;
/** After the exit of a process, its pipes may stay open for this long. */
const PIPE_GRACE_MS = 500;

export class RawProcess implements AsyncDisposable {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: MessageQueue<string>;
  #partialLine: Buffer[] = [];
  #stderr = "";

  constructor(command: Command) {
    const { cwd } = command;
    const env = mergeVariables(process.env, command.env ?? {}, platform);
    const start = programStart(command.command, command.args ?? [], { platform, env, cwd });
    const child = spawn(start.file, start.args, { cwd, env, stdio: "pipe", ...start.options });
    this.#child = child;
    this.#lines = new MessageQueue<string>(() => `; stderr: ${this.#stderrExcerpt}`);
    child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stdout.on("end", () => this.#lines.end("the process closed its output"));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARACTERS)));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    this.exited = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
      // Unread output would delay `close` forever.
      child.on("exit", (code, signal) => setTimeout(() => resolve({ code, signal }), PIPE_GRACE_MS).unref());
    });
    this.exited.catch(() => undefined); // reported to callers that await `exited`
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** The last 1 MiB of stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  get #stderrExcerpt(): string {
    return this.#stderr.slice(-STDERR_EXCERPT_CHARACTERS);
  }

  // ── input of the process ──────────────────────────────────────────────────────────────────────────────────────────

  /** Writes bytes to stdin; resolves when the pipe has taken them or the process has exited. */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => void this.#child.stdin.write(bytes, () => resolve()));
  }

  /** Writes one line: a message as JSON, or a string unchanged. */
  send(message: unknown): Promise<void> {
    return this.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  /** Ends stdin. */
  end(): void {
    this.#child.stdin.end();
  }

  // ── output of the process ─────────────────────────────────────────────────────────────────────────────────────────

  /** The next line of stdout. Throws after the deadline (default 20 s), or when stdout has ended. */
  line(deadlineMs = DEADLINE_MS): Promise<string> {
    return this.#lines.next(deadlineMs);
  }

  /** The next line of stdout, parsed as JSON. */
  async message(deadlineMs?: number): Promise<Json> {
    return JSON.parse(await this.line(deadlineMs));
  }

  /** Sends a request and returns its response; discards messages received before it. */
  async request(message: Json, deadlineMs?: number): Promise<Json> {
    void this.send(message);
    return this.until((received) => received.id === message.id && received.method === undefined, deadlineMs);
  }

  /** The first message that `accepts` returns true for; discards messages received before it. */
  async until(accepts: (message: Json) => boolean, deadlineMs = DEADLINE_MS): Promise<Json> {
    const end = performance.now() + deadlineMs;
    for (;;) {
      const message = await this.message(Math.max(1, end - performance.now()));
      if (accepts(message)) return message;
    }
  }

  /** Lines of stdout that were received and not read yet. */
  get unread(): readonly string[] {
    return this.#lines.unread;
  }

  /** Sends `initialize` and `notifications/initialized`; returns the response to `initialize`. */
  async handshake(revision: string = NEWEST_HANDSHAKE, capabilities: Json = {}): Promise<Json> {
    const params = { protocolVersion: revision, capabilities, clientInfo: { name: "raw", version: "0" } };
    const response = await this.request({ jsonrpc: "2.0", id: "raw-initialize", method: "initialize", params });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return response;
  }

  /** Stops reading stdout, so that output accumulates in the pipe. */
  stopReading(): void {
    this.#child.stdout.pause();
  }

  resumeReading(): void {
    this.#child.stdout.resume();
  }

  /** Closes the reading end of stdout: the next write of the process fails with EPIPE. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  // ── process ───────────────────────────────────────────────────────────────────────────────────────────────────────

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Exit code and signal. Throws when the process still runs at the deadline (default 20 s). */
  async exit(deadlineMs = DEADLINE_MS): Promise<Exit> {
    return withDeadline(this.exited, deadlineMs, () => `Process still running after ${deadlineMs} ms; stderr: ${this.#stderrExcerpt}`);
  }

  /** Current and peak resident memory in bytes. Undefined on systems other than Linux. */
  memory(): { now: number; peak: number } | undefined {
    if (!isLinux) return undefined;
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
    return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
  }

  /** Kills the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    endProgram(this.#child, "SIGKILL", platform);
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await this.exited.catch(() => undefined);
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.#partialLine.push(chunk.subarray(start, end));
      this.#lines.push(Buffer.concat(this.#partialLine).toString("utf8"));
      this.#partialLine = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#partialLine.push(chunk.subarray(start));
  }
}

/**
 * Starts a stdio server for exchanges that a client library would not send. The process is killed at the end of the block.
 * @example
 * await using server = startRaw(nodeCommand(new URL("echo.ts", import.meta.url)));
 * await server.write("{nonsense\n");
 * expect(await server.message()).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
 */
export const startRaw = (command: Command): RawProcess => new RawProcess(command);

async function withDeadline<T>(promise: Promise<T>, ms: number, message: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(message())), ms)));
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
