// What a process holds once everything that can be collected is: heap, what keeps it alive, and who listens.
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export interface Retained {
  /** Bytes. */
  heap: number;
  /** Timers, pipes, children …: how many of each kind keep the process alive. */
  resources: Record<string, number>;
  /** On the process and its streams. */
  listeners: number;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

export async function retained(): Promise<Retained> {
  // Reading the streams of a process opens them.
  const emitters = [process, process.stdin, process.stdout, process.stderr];
  const listeners = emitters.reduce((sum, one) => sum + one.eventNames().reduce((count, name) => count + one.listenerCount(name), 0), 0);
  for (let time = 0; time < 3; time++) {
    await sleep(20);
    collect();
  }
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return { heap: process.memoryUsage().heapUsed, resources, listeners };
}
