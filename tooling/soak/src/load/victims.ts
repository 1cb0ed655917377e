/** Clients that are killed during a call. Their server must exit with them, and so must its child processes. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { familyOf, runs } from "@oarlock-tooling/test-support/process-tree";
import { ServerProcess, sourceProgram, type Program } from "@oarlock-tooling/test-support/server-process";
import type { Lane } from "../load-generator.ts";
import { must, SOON_MS, within } from "./expect.ts";

export interface Killing {
  on: Program | { url: string };
  revision: string;
  /** A call that is under way when the end comes. */
  call?: { name: string; args: object };
}

/** Says on its first line that it works. */
class Victim extends ServerProcess {
  readonly works = once(this.child.stdout ?? this.child, "data");

  constructor(order: string) {
    super(sourceProgram(new URL("victim.ts", import.meta.url), [order]), ["ignore", "pipe", "pipe"]);
  }
}

export const killing =
  ({ on, revision, call = { name: "wait", args: { ms: 60_000 } } }: Killing): Lane =>
  async (load) => {
    while (!load.isFinished) {
      // Over HTTP the sessions of such clients take time to end; over stdio they have servers of their own, which need no warm-up.
      if (!load.warming) await load.act("client that is killed", () => killOne(JSON.stringify({ to: on, revision, call })));
      await load.rest(load.killEveryMs);
    }
  };

async function killOne(order: string): Promise<void> {
  await using victim = new Victim(order);
  const ended = victim.exited.then(({ stderr }) => Promise.reject(new Error(`it ended by itself: ${stderr.slice(-500)}`)));
  await within(SOON_MS, "the line that it works", Promise.race([victim.works, ended]));
  const family = familyOf(victim.pid);
  victim.signal("SIGKILL");
  ended.catch(() => undefined);
  const until = performance.now() + SOON_MS;
  while (family.some(runs) && performance.now() < until) await sleep(50);
  const left = family.filter(runs);
  for (const pid of left) process.kill(pid, "SIGKILL");
  must(left.length === 0, `of its processes, ${left.length} still run`);
}
