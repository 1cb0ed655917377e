/** Loaded into a server by `--import`: sends its resources after a garbage collection when the parent process requests them. */
import { setImmediate as turn } from "node:timers/promises";

export interface Inside {
  /** Bytes that live. */
  heap: number;
  /** What keeps the process alive: timers, sockets, pipes, children …, how many of each. */
  resources: Record<string, number>;
  /** What the server itself counts: sessions, streams, requests. */
  counts: Record<string, number>;
}

let counts = (): object => ({});

/** For a server that can tell. */
export function countBy(own: () => object): void {
  counts = own;
}

async function tell(): Promise<Inside> {
  for (let time = 0; time < 2; time++) {
    globalThis.gc?.();
    await turn();
  }
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return { heap: process.memoryUsage().heapUsed, resources, counts: counts() as Record<string, number> };
}

process.on("message", (id) => void tell().then((inside) => process.send?.({ id, inside })));
// The gauge does not keep the server running.
process.channel?.unref();
