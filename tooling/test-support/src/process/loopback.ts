/** Listening on loopback: the one place where servers of tooling bind and close. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

/** Listens on a port of 127.0.0.1, by default a free one; resolves with it. */
export async function listenOn(server: Server, port = 0): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return portOf(server);
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port; // a TCP server that listens has one

/** Closes a server with its connections. */
export async function closeServer(server: Server & { closeAllConnections?(): void }): Promise<void> {
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections?.();
  await closed;
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOn(server);
  await closeServer(server);
  return port;
}
