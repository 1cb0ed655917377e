// A server in a process of its own that serves HTTP on a free port.
import { spawnServer, type Command } from "@oarlock/client";

export interface HttpProcess extends AsyncDisposable {
  readonly url: string;
  readonly pid: number | undefined;
  /** All that the process has written to stderr. */
  readonly stderr: string;
  stop(): Promise<void>;
}

/** Starts the command with `--http`; rejects with its stderr when it ends before it listens. */
export async function startHttp(command: Command, args: readonly string[] = []): Promise<HttpProcess> {
  const listening = Promise.withResolvers<string>();
  const server = spawnServer(
    { ...command, args: [...(command.args ?? []), "--http", "--port", "0", ...args] },
    {
      graceMs: 0,
      onStderr() {
        const [, url] = /\blistening on (http\S+)\s/.exec(server.stderr) ?? [];
        if (url !== undefined) listening.resolve(url);
      },
    },
  );
  void server.exited.then(() => listening.reject(new Error(server.stderr)));
  const url = await listening.promise;
  const stop = (): Promise<void> => server.close();
  return {
    url,
    pid: server.pid,
    get stderr() {
      return server.stderr;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
