// A TCP proxy in front of a server that breaks its connections on command.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface BreakableProxy extends AsyncDisposable {
  /** The server, by this line. */
  readonly url: URL;
  /** Breaks every connection that is open now. */
  breakDown(): void;
}

export async function startBreakableProxy(to: URL): Promise<BreakableProxy> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => undefined).on("close", () => void (open.delete(socket), other.destroy()));
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const breakDown = () => {
    for (const socket of open) socket.destroy();
  };
  const { port } = server.address() as AddressInfo; // not undefined while it listens, and no pipe
  return {
    url: new URL(to.pathname, `http://127.0.0.1:${port}`),
    breakDown,
    async [Symbol.asyncDispose]() {
      breakDown();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
