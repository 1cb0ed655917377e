// A server that listens on a free port until the test stops it.
import { spawn } from "node:child_process";
import type { Program } from "./built-server.ts";
import type { End, ClientTransport } from "./client-transport.ts";

export interface Listening extends AsyncDisposable {
  /** Where Streamable HTTP is served. */
  readonly url: URL;
  /** Where `--legacy-sse` serves the older pair of endpoints. */
  readonly sse: URL;
  /** Asks it to go, as an operator does, and tells how it went. */
  end(): Promise<End>;
}

/** Starts it; resolves when it listens, and throws when it ends before. Port 0 is a free one. */
export async function startListening(
  { command, args, env: own }: Program,
  env: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<Listening> {
  const child = spawn(command, [...args, "--http", "--port", String(port)], {
    env: { ...process.env, ...own, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  // A test that hangs is left without disposing of anything.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<End>((resolve) =>
    child.once("close", (code, signal) => {
      process.off("exit", kill);
      resolve({ code, signal, stderr });
    }),
  );
  const url = await new Promise<URL>((resolve, reject) => {
    child.once("error", reject);
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const where = /^listening on (\S+)\n/m.exec(stderr)?.[1];
      if (where !== undefined) resolve(new URL(where));
    });
    void ended.then(() => reject(new Error(`It ended before it listened: ${stderr}`)));
  });
  return {
    url,
    sse: new URL("/sse", url),
    end() {
      child.kill("SIGTERM");
      return ended;
    },
    async [Symbol.asyncDispose]() {
      kill();
      await ended;
    },
  };
}

/** By a transport of its own to a server of its own. */
export async function overNetwork<Transport>(
  program: Program,
  connect: (listening: Listening) => Transport,
): Promise<ClientTransport<Transport>> {
  const listening = await startListening(program);
  return {
    transport: connect(listening),
    enter: () => () => listening.end(),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  };
}
