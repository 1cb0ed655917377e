// view_neighbours: the relations of one entity with the entities at their other ends, for the graph view.
import { counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { expand } from "../graph/read/expansion.ts";
import { count, object, objects, relations, result, text, z } from "../schema.ts";

export const viewNeighbours = (deps: Dependencies) =>
  tool({
    name: "view_neighbours",
    title: "Neighbours of an entity",
    description: "Get the relations of an entity, and the entities at their other ends.",
    input: () =>
      object({
        entityName: text("The entity"),
        asOf: z.optional(text("A time such as 2026-05-31")),
        skip: z.optional(z.int().check(z.minimum(0))).check(z.describe("Relations that earlier pages have shown")),
        limit: count("Most relations"),
      }),
    output: () => result({ nodes: objects, relations, total: z.int(), next: z.optional(z.int()) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run(options) {
      const expansion = await deps.memory.read((rows) => expand(rows, { ...options, maxBytes: contentBytes(deps) }));
      return { content: counted(expansion.relations.length, "relation"), structured: { ...expansion } };
    },
  });
