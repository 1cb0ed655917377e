/** Clients that are killed in the middle of their work. A server that was started for one must go with it, and all that it started. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { familyOf, kill, runs } from "../process-tree.ts";
import type { Lane } from "../load-generator.ts";
import { nodeArgs, type Program } from "../observed-server.ts";
import { must, SOON_MS, within } from "./expect.ts";

export interface Killing {
  on: Program | { url: string };
  revision: string;
  /** A call that is under way when the end comes. */
  call?: { name: string; args: object };
}

const VICTIM = fileURLToPath(new URL("victim.ts", import.meta.url));

export const killing =
  ({ on, revision, call = { name: "slow", args: { ms: 60_000 } } }: Killing): Lane =>
  async (pace) => {
    const to = "url" in on ? on : { command: process.execPath, args: nodeArgs(on) };
    while (!pace.over) {
      // The sessions that such clients leave over HTTP take time to end.
      if (!("url" in on && pace.warming)) await pace.act("client that is killed", () => killOne(JSON.stringify({ to, revision, call })));
      await pace.rest(pace.killEveryMs);
    }
  };

async function killOne(order: string): Promise<void> {
  const victim = spawn(process.execPath, ["--conditions=oarlock-source", VICTIM, order], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  victim.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  try {
    const gone = once(victim, "exit").then(() => Promise.reject(new Error(`it ended by itself: ${said.slice(-500)}`)));
    await within(SOON_MS, "its word that it is at work", Promise.race([once(victim.stdout, "data"), gone]));
    const family = familyOf(victim.pid ?? -1);
    victim.kill("SIGKILL");
    await gone.catch(() => undefined);
    const until = performance.now() + SOON_MS;
    while (family.some(runs) && performance.now() < until) await sleep(50);
    must(!family.some(runs), `of its processes, ${family.filter(runs).length} still run`);
  } finally {
    kill(victim);
  }
}
