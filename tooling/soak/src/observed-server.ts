/** Observed server: a server process with the gauge loaded. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { killTree } from "@oarlock-tooling/test-support/process-tree";
import type { Inside } from "./gauge.ts";
import { Pipe } from "./pipe.ts";

export interface Program {
  file: string;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}

const GAUGE = fileURLToPath(import.meta.resolve("./gauge.ts"));

/** For a source file and for a built one alike. */
export const nodeArgs = ({ file, args = [] }: Program): string[] => ["--conditions=oarlock-source", file, ...args];

const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach(killTree));

export class Started implements AsyncDisposable {
  readonly pid: number;
  readonly pipe: Pipe;
  readonly #child: ChildProcess;
  readonly #asked = new Map<number, (inside: Inside) => void>();
  #stderr = "";
  #ids = 0;

  constructor(program: Program) {
    const args = ["--expose-gc", `--import=${GAUGE}`, ...nodeArgs(program)];
    const child = spawn(process.execPath, args, { env: { ...process.env, ...program.env }, stdio: ["pipe", "pipe", "pipe", "ipc"] });
    running.add(child);
    this.#child = child;
    this.pid = child.pid ?? -1;
    this.pipe = new Pipe(child);
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#stderr = (this.#stderr + text).slice(-4000)));
    child.on("message", ({ id, inside }: { id: number; inside: Inside }) => {
      this.#asked.get(id)?.(inside);
      this.#asked.delete(id);
    });
    child.once("exit", () => running.delete(child));
  }

  get stderr(): string {
    return this.#stderr;
  }

  get alive(): boolean {
    return running.has(this.#child);
  }

  inside(): Promise<Inside> {
    return new Promise((resolve, reject) => {
      const id = ++this.#ids;
      this.#asked.set(id, resolve);
      this.#child.send(id, (error) => error !== null && reject(new Error(`the server exited: ${this.#stderr}`)));
    });
  }

  /** The address that it listens on, after it has printed it. */
  async origin(): Promise<string> {
    for (;;) {
      const [, origin] = /listening on (http:\/\/[^/\s]+)/.exec(this.#stderr) ?? [];
      if (origin !== undefined) return origin;
      if (!this.alive) throw new Error(`the server does not listen: ${this.#stderr}`);
      await Promise.race([once(this.#child.stderr ?? this.#child, "data"), once(this.#child, "exit")]);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.alive) return;
    const gone = once(this.#child, "exit");
    killTree(this.#child);
    await gone;
  }
}
