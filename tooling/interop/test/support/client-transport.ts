// The transport from a client to a server of its own, and the exit of that server once the client has closed.
import { ChildProcess } from "node:child_process";
import type { Stream } from "node:stream";

/** How the server process ended, and all that it wrote to stderr. */
export interface End {
  code: number | null;
  signal: string | null;
  stderr: string;
}

export interface ClientTransport<Transport> extends AsyncDisposable {
  readonly transport: Transport;
  /** To be called once the client has connected; what it gives, once the client has closed: it waits for the server's end. */
  enter(): () => Promise<End>;
}

interface OverStdio {
  readonly stderr: Stream | null;
  close(): Promise<void>;
}

/** By a transport that runs the server itself, and ends it by the end of its input. */
export function throughPipes<Transport extends OverStdio>(transport: Transport): ClientTransport<Transport> {
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString("utf8")));
  return {
    transport,
    enter() {
      const child = processOf(transport);
      const ended = new Promise<End>((resolve) => child.once("close", (code, signal) => resolve({ code, signal, stderr })));
      return () => ended;
    },
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** Both generations keep the process in a member of their own, and have no other word for how it ended. */
function processOf(transport: object): ChildProcess {
  const child: unknown = Reflect.get(transport, "_process");
  if (!(child instanceof ChildProcess)) throw new TypeError("The transport shows no process: the official client has changed inside");
  return child;
}
