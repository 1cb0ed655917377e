/** Starts the sample server as a host would, and talks to it over its pipes. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const SERVER = fileURLToPath(new URL("fixtures/server.ts", import.meta.url));
export const HOME = fileURLToPath(new URL("home", import.meta.url)); // need not exist

/** Our packages are loaded from their sources. */
const SOURCES = "--conditions=oarlock-source";

export interface StartOptions {
  env?: Record<string, string>;
  cwd?: string;
  node?: readonly string[];
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Answer {
  id?: unknown;
  result?: { content?: { text: string }[]; tools?: { name: string }[] };
  error?: { code: number; message: string };
}

export class Sample {
  readonly child: ChildProcessWithoutNullStreams;
  stdout = "";
  stderr = "";
  #id = 0;
  readonly #ended: Promise<Ended>;

  constructor(args: readonly string[], { env = {}, cwd, node = [] }: StartOptions = {}, command = process.execPath, script = [SERVER]) {
    const { PATH = "", NODE_COMPILE_CACHE } = process.env;
    this.child = spawn(command, [...node, ...script, ...args], {
      cwd,
      env: { PATH, HOME, NODE_OPTIONS: SOURCES, NODE_COMPILE_CACHE, ...env },
    });
    this.child.stdin.on("error", () => undefined); // it may be gone already
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => (this.stdout += text));
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => (this.stderr += text));
    this.#ended = once(this.child, "close").then(([code]) => ({ code: code as number | null, stdout: this.stdout, stderr: this.stderr }));
  }

  /** Closes stdin, unless that is to stay open, and waits for the end. */
  async end(): Promise<Ended> {
    this.child.stdin.end();
    return this.#ended;
  }

  get ended(): Promise<Ended> {
    return this.#ended;
  }

  async until(stream: "stdout" | "stderr", pattern: RegExp): Promise<void> {
    while (!pattern.test(this[stream])) {
      const gone = await Promise.race([once(this.child[stream], "data").then(() => false), this.#ended.then(() => true)]);
      if (gone && !pattern.test(this[stream])) throw new Error(`ended without ${pattern} on ${stream}: ${this.stderr}`);
    }
  }

  send(method: string, params: object = {}): number {
    const id = ++this.#id;
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return id;
  }

  async request(method: string, params: object = {}): Promise<Answer> {
    const id = this.send(method, params);
    await this.until("stdout", new RegExp(`"id":${id}[,}].*\n`));
    const line = this.stdout.split("\n").find((text) => text.includes(`"id":${id},`) || text.includes(`"id":${id}}`));
    return JSON.parse(line ?? "") as Answer; // what the tests look into
  }

  async handshake(): Promise<this> {
    await this.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0" } });
    this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return this;
  }

  async tools(): Promise<string[]> {
    return ((await this.request("tools/list")).result?.tools ?? []).map(({ name }) => name);
  }

  /** What the server made of its command line. */
  async options(): Promise<Record<string, unknown>> {
    const { result } = await this.request("tools/call", { name: "show_options" });
    return JSON.parse(result?.content?.[0]?.text ?? "") as Record<string, unknown>; // the fixture prints an object
  }
}

/** Runs to the end without a word on stdin. */
export const run = (args: readonly string[], options?: StartOptions): Promise<Ended> => new Sample(args, options).end();

/** Starts, shakes hands, looks, ends. */
export async function look<T>(args: readonly string[], seen: (sample: Sample) => Promise<T>, options?: StartOptions): Promise<T> {
  const sample = new Sample(args, options);
  try {
    return await seen(await sample.handshake());
  } finally {
    await sample.end();
  }
}
