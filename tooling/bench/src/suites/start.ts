/** Cold start: from the spawn to the answer to `initialize`, and what that took. */
import { execFileSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "../client.ts";
import { rowsIn } from "../database.ts";
import { cpuMs, memory } from "../process.ts";
import type { Kind } from "../target.ts";
import { ALL, filled, inScratch, type Suite } from "./suite.ts";

/** What a server of this kind has to find in its folder. */
function furnish(kind: Kind, folder: string): void {
  if (kind === "sqlite") copyFileSync(rowsIn(10), join(folder, "bench.db"));
  if (kind === "memory") writeFileSync(join(folder, "memory.jsonl"), "");
  if (kind === "git") execFileSync("git", ["init", "--quiet", folder]);
}

export const start: Suite = {
  about: "cold start to the answer to initialize",
  kinds: ALL,
  rounds: 31,
  quickRounds: 11,
  measure: (target) =>
    inScratch((folder) => {
      furnish(target.kind, folder);
      return Client.with(filled(target, folder), async (client) => {
        const cpu = cpuMs(client.pid);
        const { peak } = memory(client.pid);
        const from = performance.now();
        await client.call("tools/list", {});
        const listed = performance.now() - from;
        return { "start ms": client.openMs, "start cpu ms": cpu, "start peak MiB": peak, "then tools/list ms": listed };
      });
    }),
};
