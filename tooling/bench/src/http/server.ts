/** A server over Streamable HTTP, started as a process on a free port of this machine, which `$PORT` and `{port}` tell it. */
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { ServerProcess } from "@oarlock-tooling/test-support/server-process";
import { Connection } from "./connection.ts";

const START_MS = 20_000;
const RETRY_MS = 5;

export class HttpServer extends ServerProcess {
  readonly port: number;

  private constructor([command = "", ...words]: readonly string[], env: Readonly<Record<string, string>>, port: number) {
    const args = words.map((word) => word.replaceAll("{port}", String(port)));
    super({ command, args, env: { ...env, PORT: String(port) } });
    this.port = port;
  }

  /** Starts a server, waits until it takes connections, lets `work` use it and ends it. */
  static async with<T>(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    work: (server: HttpServer) => Promise<T>,
  ): Promise<T> {
    await using server = new HttpServer(command, env, await freePort());
    try {
      await server.#ready();
      return await work(server);
    } catch (error) {
      if (server.isRunning) throw error;
      const { stderr } = await server.exited;
      throw new Error(`the server ended; stderr: ${stderr.slice(0, 400)}`, { cause: error });
    }
  }

  async #ready(): Promise<void> {
    for (const from = performance.now(); ;) {
      try {
        (await Connection.to(this.port)).end();
        return;
      } catch (error) {
        if (!this.isRunning || performance.now() - from > START_MS) throw error;
        await sleep(RETRY_MS);
      }
    }
  }
}
