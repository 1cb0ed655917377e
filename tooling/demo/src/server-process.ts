// Server process: a built server for one show, over stdio or HTTP.
import { startOverHttp } from "@oarlock-tooling/test-support/listening-server";
import { spawnServer, type Command, type Exit, type ServerProcess } from "@oarlock/client";

export type Transport = "stdio" | "HTTP";

export interface Running {
  /** What a client connects to. */
  readonly to: ServerProcess | { url: string };
  readonly exited: Promise<Exit>;
  /** What ends it besides its client: over HTTP a client's leaving ends nothing. */
  stop(): void;
}

export async function run(command: Command, transport: Transport): Promise<Running> {
  if (transport === "stdio") {
    const server = spawnServer(command);
    return { to: server, exited: server.exited, stop: () => undefined };
  }
  const server = await startOverHttp({ command: command.command, args: command.args ?? [] });
  const exited = server.exited.then(({ code, signal }): Exit => ({ code, signal }));
  return { to: { url: server.url.href }, exited, stop: () => void server.terminate() };
}
