// A tool that takes a while: it reports progress, writes a log message and stops when the client cancels.
import { setTimeout as sleep } from "node:timers/promises";
import { defineServer, tool } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const countdown = tool({
  name: "countdown",
  description: "Count down to zero.",
  input: z.object({ from: z.int().min(1).max(100) }),
  async run({ from }, ctx) {
    for (let left = from; left > 0; left--) {
      ctx.progress(from - left, from, `${left} to go`);
      await sleep(20, undefined, { signal: ctx.signal }); // aborted by a cancellation, the time limit or shutdown
    }
    ctx.log.info({ counted: from });
    return "Lift-off";
  },
});

const server = defineServer({ name: "countdown", version: "1.0.0", tools: [countdown] });
await serveStdio(server).ended;
