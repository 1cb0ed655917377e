/** Listening server: a server process on a free port. Tooling starts every server over HTTP by it. */
import { spawn, type ChildProcess } from "node:child_process";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a server ended, and what it wrote to stderr. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Characters of stderr that are kept. */
const KEPT_STDERR = 20_000;

export class ListeningServer implements AsyncDisposable {
  readonly exited: Promise<ServerExit>;
  readonly #child: ChildProcess;
  #stderr = "";
  #url: URL | undefined;

  private constructor({ command, args, env }: Program) {
    this.#child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
    // A run that is interrupted leaves no process behind.
    const onExit = (): void => this.signal("SIGKILL");
    process.once("exit", onExit);
    this.exited = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => {
        process.off("exit", onExit);
        resolve({ code, signal, stderr: this.#stderr });
      }),
    );
  }

  /** Starts a program that prints `listening on URL`, and resolves when it has. Rejects with its stderr when it exits before. */
  static async start(program: Program): Promise<ListeningServer> {
    const server = new ListeningServer(program);
    await server.#listening(program);
    return server;
  }

  get url(): URL {
    if (this.#url === undefined) throw new Error("The server does not listen yet.");
    return this.#url;
  }

  get port(): number {
    return Number(this.url.port);
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get stderr(): string {
    return this.#stderr;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ends it at once, as a crash does. */
  kill(): Promise<ServerExit> {
    this.signal("SIGKILL");
    return this.exited;
  }

  /** Asks it to finish its requests and exit, as an operator does. */
  terminate(): Promise<ServerExit> {
    this.signal("SIGTERM");
    return this.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #listening({ command, args }: Program): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
        this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
        const [, url] = /^listening on (http\S+)\n/m.exec(this.#stderr) ?? [];
        if (url === undefined || this.#url !== undefined) return;
        this.#url = new URL(url);
        resolve();
      });
      void this.exited.then(() => reject(new Error(`${command} ${args.join(" ")} exited before it listened: ${this.#stderr}`)));
    });
  }
}

/** Starts a server with the switches of every server. Port 0 is a free one. */
export const startOverHttp = ({ args, ...rest }: Program, port = 0): Promise<ListeningServer> =>
  ListeningServer.start({ ...rest, args: [...args, "--http", "--port", String(port)] });

/** A program that the Node of this process runs. */
export const nodeProgram = (args: readonly string[], env?: Readonly<Record<string, string>>): Program => ({
  command: process.execPath,
  args,
  ...(env !== undefined && { env }),
});
