// Server process: a built server for one show, over stdio or HTTP.
import { spawn } from "node:child_process";
import { once } from "node:events";
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
  const child = spawn(command.command, [...(command.args ?? []), "--http", "--port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  const exited = once(child, "exit").then(([code, signal]): Exit => ({ code: code as Exit["code"], signal: signal as Exit["signal"] }));
  const stop = (): void => void child.kill("SIGTERM");
  process.once("exit", stop);
  void exited.then(() => process.off("exit", stop));
  const url = await new Promise<string>((resolve, reject) => {
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const [, address] = /listening on (\S+)/.exec(stderr) ?? [];
      if (address !== undefined) resolve(address);
    });
    void exited.then(() => reject(new Error(`The server does not listen: ${stderr}`)));
  });
  return { to: { url }, exited, stop };
}
