// A free port of 127.0.0.1 that stays free while an engine restarts.
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections, so that none of those takes it while the engine is down. */
const FIRST = 20_000;
const COUNT = 9_000;

/** @param distances Ports at these distances from it must be free too: a node of a cluster listens on a second port. */
export async function freePort(distances: readonly number[] = []): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const free = await Promise.all([port, ...distances.map((distance) => port + distance)].map(isFree));
    if (free.every(Boolean)) return port;
  }
  throw new Error("No free port was found.");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return true;
  } catch {
    return false;
  }
}
