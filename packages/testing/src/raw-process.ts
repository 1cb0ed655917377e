// A stdio server as bytes: what a careful, hostile or clumsy peer would write, and exactly what came back.
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Command, Exit } from "@oarlock/client";
import { NEWEST_HANDSHAKE, type Json } from "@oarlock/server-kit/protocol";
import { Arrivals } from "./arrivals.ts";

/** How long a test waits for what must come. Generous: it is only used up by a test that fails. */
const DEADLINE_MS = 20_000;
const KEPT_STDERR = 1024 * 1024;
/** How long the end of a process waits for the end of its pipes. */
const PIPES_MS = 500;

export class RawProcess implements AsyncDisposable {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: Arrivals<string>;
  #partial: Buffer[] = [];
  #stderr = "";

  constructor(to: Command) {
    const child = spawn(to.command, [...(to.args ?? [])], { cwd: to.cwd, env: { ...process.env, ...to.env }, stdio: "pipe" });
    this.#child = child;
    this.#lines = new Arrivals<string>(() => `; stderr: ${this.#stderr.slice(-2000)}`);
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stdout.on("end", () => this.#lines.end("its output ended"));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR)));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    this.exited = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal }));
      // Output that nobody reads would put off `close` for ever.
      child.on("exit", (code, signal) => setTimeout(() => resolve({ code, signal }), PIPES_MS).unref());
    });
    this.exited.catch(() => undefined); // whoever awaits it hears of it
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get stderr(): string {
    return this.#stderr;
  }

  // ── in ────────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Writes these bytes as they are; resolves when the pipe has taken them (or the process has gone). */
  write(bytes: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => void this.#child.stdin.write(bytes, () => resolve()));
  }

  /** Writes a message as one line. A string is taken as it is. */
  send(message: unknown): Promise<void> {
    return this.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  }

  /** End of input. */
  end(): void {
    this.#child.stdin.end();
  }

  // ── out ───────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The next line of stdout. Throws after the deadline, or when the output ended. */
  line(deadlineMs = DEADLINE_MS): Promise<string> {
    return this.#lines.next(deadlineMs);
  }

  /** The next line as JSON. */
  async message(deadlineMs?: number): Promise<Json> {
    return JSON.parse(await this.line(deadlineMs));
  }

  /** Sends a request and gives the answer with its id; what comes before it is dropped. */
  async ask(message: Json, deadlineMs?: number): Promise<Json> {
    void this.send(message);
    return this.until((came) => came.id === message.id && came.method === undefined, deadlineMs);
  }

  /** The first message that fits; those before it are dropped. */
  async until(fits: (message: Json) => boolean, deadlineMs = DEADLINE_MS): Promise<Json> {
    const end = performance.now() + deadlineMs;
    for (;;) {
      const message = await this.message(Math.max(1, end - performance.now()));
      if (fits(message)) return message;
    }
  }

  /** Lines that have come and were not taken yet. */
  get waiting(): readonly string[] {
    return this.#lines.waiting;
  }

  /** initialize and initialized; gives the answer. */
  async handshake(revision: string = NEWEST_HANDSHAKE, capabilities: Json = {}): Promise<Json> {
    const params = { protocolVersion: revision, capabilities, clientInfo: { name: "raw", version: "0" } };
    const answer = await this.ask({ jsonrpc: "2.0", id: "raw-initialize", method: "initialize", params });
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return answer;
  }

  /** Stops reading, so that the server's output piles up in the pipe. */
  stopReading(): void {
    this.#child.stdout.pause();
  }

  readOn(): void {
    this.#child.stdout.resume();
  }

  /** Closes our end of its output: what it writes next finds nobody. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  // ── process ───────────────────────────────────────────────────────────────────────────────────────────────────────

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** How it ended; throws when it is still there at the deadline. */
  async exit(deadlineMs = DEADLINE_MS): Promise<Exit> {
    return within(this.exited, deadlineMs, () => `still running after ${deadlineMs} ms; stderr: ${this.#stderr.slice(-2000)}`);
  }

  /** Resident memory in bytes (Linux; elsewhere undefined). `peak` is the most that it ever was. */
  memory(): { now: number; peak: number } | undefined {
    if (process.platform !== "linux") return undefined;
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const kib = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
    return { now: kib("VmRSS"), peak: kib("VmHWM") };
  }

  /** Kills what is left of it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await this.exited.catch(() => undefined);
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#partial.push(chunk.subarray(from, end));
      this.#lines.push(Buffer.concat(this.#partial).toString("utf8"));
      this.#partial = [];
      from = end + 1;
    }
    if (from < chunk.length) this.#partial.push(chunk.subarray(from));
  }
}

/**
 * Starts a stdio server for raw talk; killed at the end of the block.
 * @example
 * await using server = startRaw(fixture(new URL("echo.ts", import.meta.url)));
 * await server.write("{nonsense\n");
 * expect(await server.message()).toEqual({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
 */
export const startRaw = (to: Command): RawProcess => new RawProcess(to);

async function within<T>(promise: Promise<T>, ms: number, what: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(what())), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
