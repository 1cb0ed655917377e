/** One node: a server process that listens on a free port. */
import { spawn, type ChildProcess } from "node:child_process";

export interface NodeCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface NodeExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Characters of stderr that are kept for error messages. */
const KEPT_STDERR = 20_000;

export class NodeProcess implements AsyncDisposable {
  readonly name: string;
  readonly exited: Promise<NodeExit>;
  readonly #child: ChildProcess;
  #stderr = "";
  #port = 0;

  private constructor(name: string, { file, args, env }: NodeCommand) {
    this.name = name;
    this.#child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    // A run that is interrupted leaves no process behind.
    const onExit = (): void => void this.#child.kill("SIGKILL");
    process.once("exit", onExit);
    this.exited = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => {
        process.off("exit", onExit);
        resolve({ code, signal });
      }),
    );
  }

  /** Starts a node; resolves when it listens. Rejects with its stderr when it exits before. */
  static async start(name: string, command: NodeCommand): Promise<NodeProcess> {
    const node = new NodeProcess(name, command);
    await node.#listening();
    return node;
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The end of what the node wrote to stderr. */
  get stderr(): string {
    return this.#stderr;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends the node at once, as a crash does. */
  kill(): Promise<NodeExit> {
    this.#child.kill("SIGKILL");
    return this.exited;
  }

  /** Asks the node to finish its requests and exit. */
  terminate(): Promise<NodeExit> {
    this.#child.kill("SIGTERM");
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #listening(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
        const port = /^listening on http:\/\/[^/\s]+:(\d+)/m.exec(this.#stderr)?.[1];
        if (port === undefined || this.#port !== 0) return;
        this.#port = Number(port);
        resolve();
      });
      void this.exited.then(() => reject(new Error(`Node ${this.name} exited before it listened: ${this.#stderr}`)));
    });
  }
}
