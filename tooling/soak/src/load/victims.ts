/** Clients that are killed during a call. Their server must exit with them, and so must its child processes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { familyOf, killTree, runs } from "@oarlock-tooling/test-support/process-tree";
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
  async (load) => {
    const to = "url" in on ? on : { command: process.execPath, args: nodeArgs(on) };
    while (!load.isFinished) {
      // Over HTTP the sessions of such clients take time to end; over stdio they have servers of their own, which need no warm-up.
      if (!load.warming) await load.act("client that is killed", () => killOne(JSON.stringify({ to, revision, call })));
      await load.rest(load.killEveryMs);
    }
  };

async function killOne(order: string): Promise<void> {
  const victim = spawn(process.execPath, ["--conditions=oarlock-source", VICTIM, order], { stdio: ["ignore", "pipe", "pipe"] });
  let stderr = "";
  victim.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  try {
    const gone = once(victim, "exit").then(() => Promise.reject(new Error(`it ended by itself: ${stderr.slice(-500)}`)));
    await within(SOON_MS, "the line that it works", Promise.race([once(victim.stdout, "data"), gone]));
    const family = familyOf(victim.pid ?? -1);
    victim.kill("SIGKILL");
    await gone.catch(() => undefined);
    const until = performance.now() + SOON_MS;
    while (family.some(runs) && performance.now() < until) await sleep(50);
    must(!family.some(runs), `of its processes, ${family.filter(runs).length} still run`);
  } finally {
    killTree(victim);
  }
}
