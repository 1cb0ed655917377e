/** Cold start: from the spawn to the answer to `initialize`, and what that took. */
import { Client } from "../client.ts";
import { cpuMs, memory } from "../process.ts";
import { ALL, filled, inScratch, type Suite } from "./suite.ts";

export const start: Suite = {
  about: "cold start to the answer to initialize",
  kinds: ALL,
  rounds: 31,
  quickRounds: 11,
  measure: (target) =>
    inScratch((folder) =>
      Client.with(filled(target, folder), async (client) => {
        const cpu = cpuMs(client.pid);
        const { peak } = memory(client.pid);
        const from = performance.now();
        await client.call("tools/list", {});
        const listed = performance.now() - from;
        return { "start ms": client.openMs, "start cpu ms": cpu, "start peak MiB": peak, "then tools/list ms": listed };
      }),
    ),
};
