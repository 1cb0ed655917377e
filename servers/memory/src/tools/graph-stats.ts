// graph_stats: shows figures about the graph.
import { tool } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";
import { statistics } from "../graph/read/statistics.ts";
import { reply } from "../replies/reply.ts";
import { object, result } from "../schema.ts";

export const graphStats = ({ memory }: Dependencies) =>
  tool({
    name: "graph_stats",
    title: "Graph Stats",
    description: "Counts, types, largest entities, orphans, likely duplicates.",
    input: () => object({}),
    output: () => result({}),
    hints: { readOnly: true, openWorld: false },
    async run() {
      const figures = await memory.read(statistics);
      return reply(figures, { ...figures });
    },
  });
