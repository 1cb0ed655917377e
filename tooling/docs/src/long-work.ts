import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@oarlock/server-kit";
import * as z from "zod";

export const countdown = tool({
  name: "countdown",
  input: z.object({ from: z.int().min(1).max(100) }),
  async run({ from }, ctx) {
    for (let left = from; left > 0; left--) {
      ctx.progress(from - left, from, `${left} to go`);
      await sleep(20, undefined, { signal: ctx.signal }); // ends with the client's cancel, the time limit or shutdown
    }
    ctx.log.info({ counted: from });
    return "Lift-off";
  },
});
