/** A server over Streamable HTTP, started as a process on a free port of this machine, which `$PORT` and `{port}` tell it. */
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { ServerProcess } from "@oarlock-tooling/test-support/server-process";

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
      await server.accepts(server.port);
      return await work(server);
    } catch (error) {
      if (server.isRunning) throw error;
      const { stderr } = await server.exited;
      throw new Error(`the server ended; stderr: ${stderr.slice(0, 400)}`, { cause: error });
    }
  }
}
