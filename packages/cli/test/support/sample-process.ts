/** Starts the sample server as a host would, and talks to it over its pipes. */
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { SampleClient, type Ended } from "./sample-client.ts";

export const SERVER = fileURLToPath(new URL("../fixtures/server.ts", import.meta.url));
export const HOME = fileURLToPath(new URL("home", import.meta.url)); // need not exist

/** Our packages are loaded from their sources. */
const SOURCES = "--conditions=oarlock-source";

export interface StartOptions {
  env?: Record<string, string>;
  cwd?: string;
  node?: readonly string[];
}

export class Sample extends SampleClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;

  constructor(args: readonly string[], { env = {}, cwd, node = [] }: StartOptions = {}, command = process.execPath, script = [SERVER]) {
    super();
    const { PATH = "", NODE_COMPILE_CACHE } = process.env;
    this.child = spawn(command, [...node, ...script, ...args], {
      cwd,
      env: { PATH, HOME, NODE_OPTIONS: SOURCES, NODE_COMPILE_CACHE, ...env },
    });
    this.child.stdin.on("error", () => undefined); // it may be gone already
    for (const stream of ["stdout", "stderr"] as const)
      this.child[stream].setEncoding("utf8").on("data", (text: string) => this.receive(stream, text));
    this.ended = once(this.child, "close").then(([code]) => ({ code: code as number | null, stdout: this.stdout, stderr: this.stderr }));
  }

  /** Closes stdin, unless that is to stay open, and waits for the end. */
  async end(): Promise<Ended> {
    this.child.stdin.end();
    return this.ended;
  }

  protected sendLine(text: string): void {
    this.child.stdin.write(`${text}\n`);
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
