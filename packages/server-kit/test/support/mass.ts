// A bare client for masses of requests: one socket that is kept, one request after the other, as little work as can be.
import { connect, type Socket } from "node:net";

export interface Reply {
  status: number;
  headers: string;
  body: string;
}

export class MassSocket implements Disposable {
  readonly #socket: Socket;
  readonly #port: number;
  #came = "";
  #take: ((reply: Reply) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;

  private constructor(port: number, socket: Socket) {
    this.#port = port;
    this.#socket = socket.setNoDelay();
    const gone = (error?: Error | false): void => this.#fail?.(error instanceof Error ? error : new Error("the connection ended"));
    socket.setEncoding("latin1").on("error", gone).on("close", gone);
    socket.on("data", (text: string) => {
      this.#came += text;
      const reply = readReply(this.#came);
      if (reply === undefined) return;
      this.#came = "";
      this.#take?.(reply);
    });
  }

  static open(port: number): Promise<MassSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1").once("error", reject);
      socket.once("connect", () => resolve(new MassSocket(port, socket)));
    });
  }

  /** Sends one request, with these header lines; the answer must have an end. */
  send(method: string, headers: readonly string[], body = ""): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.#take = resolve;
      this.#fail = reject;
      const accept = method === "GET" ? "text/event-stream" : "application/json, text/event-stream";
      const type = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`];
      this.#socket.write(
        [`${method} /mcp HTTP/1.1`, `Host: 127.0.0.1:${this.#port}`, `Accept: ${accept}`, ...type, ...headers, "", body].join("\r\n"),
      );
    });
  }

  post(message: object, ...headers: string[]): Promise<Reply> {
    return this.send("POST", headers, JSON.stringify(message));
  }

  [Symbol.dispose](): void {
    this.#fail = undefined;
    this.#socket.destroy();
  }
}

/** The session's header line out of the answer to initialize. */
export const sessionLine = ({ headers }: Reply): string => /^Mcp-Session-Id: .*$/im.exec(headers)?.[0] ?? "X-None: 1";

/** One whole answer, as soon as it is there. */
function readReply(text: string): Reply | undefined {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const headers = text.slice(0, end);
  const rest = text.slice(end + 4);
  const status = Number(headers.slice(9, 12));
  const length = /^content-length: (\d+)/im.exec(headers)?.[1];
  if (/^transfer-encoding: chunked/im.test(headers)) {
    if (!rest.endsWith("0\r\n\r\n")) return undefined;
    return { status, headers, body: rest.replaceAll(/(?:\r\n|^)[0-9a-f]+\r\n/g, "") };
  }
  if (rest.length < Number(length ?? 0)) return undefined;
  return { status, headers, body: rest };
}

/** Runs `one` for 0 … count - 1, on `width` sockets at a time, each for one after the other. */
export async function onSockets(
  port: number,
  width: number,
  count: number,
  one: (socket: MassSocket, at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    using socket = await MassSocket.open(port);
    while (next < count) await one(socket, next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}
