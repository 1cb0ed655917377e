/** A server over Streamable HTTP, started as a process on a free port of this machine, which `$PORT` and `{port}` tell it. */
import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { killTree } from "@oarlock-tooling/test-support/process-tree";
import { running } from "../process.ts";
import { Connection } from "./connection.ts";

const START_MS = 20_000;
const RETRY_MS = 5;

export class HttpServer {
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;
  #stderr = "";
  #ended = false;

  private constructor([file = "", ...args]: readonly string[], env: NodeJS.ProcessEnv, port: number) {
    this.port = port;
    const words = args.map((word) => word.replaceAll("{port}", String(port)));
    this.#child = spawn(file, words, { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...env, PORT: String(port) } });
    this.pid = this.#child.pid ?? -1;
    running.add(this.#child);
    this.#child.on("exit", () => (this.#ended = true));
    this.#child.on("error", (error) => {
      this.#ended ||= this.#child.pid === undefined;
      this.#stderr += error.message;
    });
    this.#child.stderr?.on("data", (chunk: Buffer) => {
      if (this.#stderr.length < 4000) this.#stderr += chunk.toString();
    });
  }

  /** Starts a server, waits until it takes connections, lets `work` use it and ends it. */
  static async with<T>(command: readonly string[], env: NodeJS.ProcessEnv, work: (server: HttpServer) => Promise<T>): Promise<T> {
    const server = new HttpServer(command, env, await freePort());
    try {
      await server.#ready();
      return await work(server);
    } catch (error) {
      if (!server.#ended) throw error;
      throw new Error(`the server ended; stderr: ${server.#stderr.slice(0, 400)}`, { cause: error });
    } finally {
      await server.#stop();
    }
  }

  async #ready(): Promise<void> {
    for (const from = performance.now(); ;) {
      try {
        (await Connection.to(this.port)).end();
        return;
      } catch (error) {
        if (this.#ended || performance.now() - from > START_MS) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #stop(): Promise<void> {
    if (!this.#ended) {
      const gone = once(this.#child, "exit");
      killTree(this.#child);
      await gone;
    }
    running.delete(this.#child);
  }
}
