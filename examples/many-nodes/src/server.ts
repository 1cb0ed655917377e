/** The server of the example: tools that name the node that runs them. Every server that is made with the kit runs on many nodes in the same way. */
import { setTimeout as sleep } from "node:timers/promises";
import { cli } from "@oarlock/cli";
import { defineServer, tool } from "@oarlock/server-kit";
import { z } from "zod";

const { NODE_NAME = "node" } = process.env;

const where = tool({
  name: "where",
  description: "Name the node that runs this call.",
  hints: { readOnly: true, openWorld: false },
  run: () => NODE_NAME,
});

const count = tool({
  name: "count",
  description: "Count slowly, with a log message for each step.",
  input: z.object({ to: z.int().min(1).max(100).describe("The last number") }),
  hints: { readOnly: true, openWorld: false },
  async run({ to }, { log, signal }) {
    for (let step = 1; step <= to; step++) {
      log.info({ step, node: NODE_NAME });
      await sleep(200, undefined, { signal });
    }
    return `Counted to ${to} on ${NODE_NAME}.`;
  },
});

await cli({
  name: "oarlock-many-nodes",
  version: "1.0.0",
  summary: "names the node that runs a call",
  flags: {},
  create: () => defineServer({ name: "many-nodes", version: "1.0.0", tools: [where, count] }),
});
