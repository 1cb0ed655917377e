// traverse_graph: follows relations from an entity.
import { clip } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { DEFAULT_TRAVERSAL_LIMIT, DIRECTIONS, MAX_DEPTH, traverse } from "../graph/read/traversal.ts";
import { reply } from "../replies/reply.ts";
import { choice, count, object, objects, optionalTexts, result, text, z } from "../schema.ts";

const MAX_BYTES = 400_000;

export const traverseGraph = (deps: Dependencies) =>
  tool({
    name: "traverse_graph",
    title: "Traverse Graph",
    description: "Follow relations from an entity, nearest first; with to, the shortest path there.",
    input: () =>
      object({
        start: text("Entity to start from"),
        direction: z._default(choice(DIRECTIONS, "Which relations to follow"), "both"),
        relationTypes: optionalTexts("Only these relations"),
        depth: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DEPTH)).check(z.describe("How far")), 2),
        limit: count(`Most entities, default ${DEFAULT_TRAVERSAL_LIMIT}`),
        to: z.optional(text("Entity to find a path to")),
      }),
    output: () => result({ nodes: objects, edges: objects, truncated: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run(options, ctx) {
      const maxBytes = contentBytes(deps, MAX_BYTES);
      const traversal = await deps.memory.readInSlices((store) => traverse(store, { ...options, maxBytes }), {
        signal: ctx.signal,
        onProgress: (found) => ctx.progress(found, undefined, `${found} entities`),
      });
      const { nodes, edges, path, truncated } = traversal;
      const notes = truncated ? ["Truncated: there is more. Raise limit, or use fewer relationTypes or a smaller depth."] : [];
      if (path?.length === 0)
        notes.push(`No path from ${clip(options.start)} to ${clip(options.to ?? "")} within ${options.depth} relations.`);
      return reply({ nodes, edges, ...(path !== undefined && { path }) }, { ...traversal }, notes);
    },
  });
