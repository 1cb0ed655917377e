// view_relations: the relations among entities, for the graph view, which may have a page of entities without them.
import { counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { relationsAmong } from "../graph/read/expansion.ts";
import { object, relations, result, text, texts, z } from "../schema.ts";

/** Only the structured result has the relations, so it takes less than half of this. */
const MAX_BYTES = 1_000_000;

export const viewRelations = (deps: Dependencies) =>
  tool({
    name: "view_relations",
    title: "Relations among entities",
    description: "Get the relations that have both ends among the entities.",
    input: () => object({ names: texts("Entity names"), asOf: z.optional(text("A time such as 2026-05-31")) }),
    output: () => result({ relations, truncated: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run(options, ctx) {
      const maxBytes = contentBytes(deps, MAX_BYTES);
      const found = await deps.memory.readInSlices((rows) => relationsAmong(rows, { ...options, maxBytes }), { signal: ctx.signal });
      return { content: counted(found.relations.length, "relation"), structured: found };
    },
  });
