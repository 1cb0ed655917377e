/** Server process: starts a server and watches it. All servers of tooling are started here, and none outlives this process. */
import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { killTree } from "./process-tree.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** User and group. Default: those of this process. */
  readonly user?: number | undefined;
}

/** How a server ended, and what it wrote to stderr. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Characters of stderr that are kept. */
const KEPT_STDERR = 20_000;

/** How long a server may take until it accepts connections, and the pause between two attempts. */
const [START_MS, RETRY_MS] = [20_000, 5];

const running = new Set<ChildProcess>();

/** Ends all servers with what they started, without waiting. */
export function killServers(): void {
  running.forEach(killTree);
}

// A run that is interrupted leaves no process behind.
process.once("exit", killServers);

export class ServerProcess implements AsyncDisposable {
  readonly exited: Promise<ServerExit>;
  protected readonly child: ChildProcess;
  #stderr = "";
  #hasEnded = false;

  constructor({ command, args, env, cwd, user }: Program, stdio: StdioOptions = ["ignore", "ignore", "pipe"]) {
    this.child = spawn(command, args, { env: { ...process.env, ...env }, cwd, stdio, ...(user !== undefined && { uid: user, gid: user }) });
    running.add(this.child);
    const keep = (text: string): void => void (this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR));
    this.child.stderr?.setEncoding("utf8").on("data", keep);
    this.child.once("error", (error) => keep(error.message)); // it has not started
    this.exited = new Promise((resolve) =>
      this.child.once("close", (code, signal) => {
        this.#hasEnded = true;
        running.delete(this.child);
        resolve({ code, signal, stderr: this.#stderr });
      }),
    );
  }

  get pid(): number {
    return this.child.pid ?? -1;
  }

  get isRunning(): boolean {
    return !this.#hasEnded && this.child.exitCode === null && this.child.signalCode === null;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** The address that it prints as `listening on URL`. Rejects with its stderr when it exits before. */
  async listening(): Promise<URL> {
    for (;;) {
      const [, url] = /^listening on (http\S+)\n/m.exec(this.#stderr) ?? [];
      if (url !== undefined) return new URL(url);
      if (this.#hasEnded) throw new Error(`${this.child.spawnargs.join(" ")} exited before it listened: ${this.#stderr}`);
      await Promise.race([once(this.child.stderr ?? this.child, "data"), this.exited]);
    }
  }

  /** Resolves once it accepts connections on a port of 127.0.0.1, for a server that prints no address. */
  async accepts(port: number): Promise<void> {
    for (const end = performance.now() + START_MS; ; await sleep(RETRY_MS)) {
      const socket = connect(port, "127.0.0.1");
      try {
        await once(socket, "connect");
        return;
      } catch (error) {
        if (!this.isRunning || performance.now() > end) throw new Error(`It does not listen: ${this.#stderr}`, { cause: error });
      } finally {
        socket.destroy();
      }
    }
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
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

  /** Ends it with what it started. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.isRunning) killTree(this.child);
    await this.exited;
  }
}

/** A server that has printed its address. */
export class ListeningServer extends ServerProcess {
  #url: URL | undefined;

  static async start(program: Program): Promise<ListeningServer> {
    const server = new ListeningServer(program);
    server.#url = await server.listening();
    return server;
  }

  get url(): URL {
    if (this.#url === undefined) throw new Error("The server does not listen yet.");
    return this.#url;
  }

  get port(): number {
    return Number(this.url.port);
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

/** A source file as a program; what it imports of this repository is source too. */
export const sourceProgram = (file: URL, args: readonly string[] = [], env?: Readonly<Record<string, string>>): Program =>
  nodeProgram(["--conditions=oarlock-source", fileURLToPath(file), ...args], env);
