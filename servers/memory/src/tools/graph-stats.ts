// graph_stats: what the memory holds, in a few lines.
import { tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { stats } from "../graph/read/statistics.ts";
import type { Parts } from "../dependencies.ts";
import { reply } from "../replies/reply.ts";
import { object, result } from "../schema.ts";

export const graphStats = ({ memory }: Parts) =>
  tool({
    name: "graph_stats",
    title: "Graph Stats",
    description: "Counts, types, largest entities, orphans, possible duplicates: a cheap first look.",
    input: () => object({}),
    output: () => result({}),
    hints: { readOnly: true, openWorld: false },
    run: () => after(memory.look(stats), (said) => reply(said, { ...said })),
  });
