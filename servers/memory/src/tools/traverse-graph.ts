// traverse_graph: follows relations from an entity.
import { clip, counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { DEFAULT_TRAVERSAL_LIMIT, DIRECTIONS, MAX_DEPTH, traverse } from "../graph/read/traversal.ts";
import { entityCount, typesRemark } from "../replies/remarks.ts";
import { reply } from "../replies/reply.ts";
import { choice, count, object, optionalTexts, result, text, z } from "../schema.ts";
import { graphView } from "../views.ts";

/** Of a reply whose caller gives a limit. */
const MAX_BYTES = 400_000;

export const traverseGraph = (deps: Dependencies) =>
  tool({
    name: "traverse_graph",
    title: "Traverse Graph",
    description: "Follow relations from an entity, nearest first; to: the shortest path there.",
    input: () =>
      object({
        start: text("Start entity"),
        direction: z._default(choice(DIRECTIONS, "Which relations"), "both"),
        relationTypes: optionalTexts("Only these"),
        depth: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DEPTH)).check(z.describe("How far")), 2),
        limit: count(`Default ${DEFAULT_TRAVERSAL_LIMIT}`),
        to: z.optional(text("Path to it")),
      }),
    output: () => result({}),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: graphView })],
    async run(options, ctx) {
      const maxBytes = contentBytes(deps, options.limit === undefined ? undefined : MAX_BYTES);
      const traversal = await deps.memory.readInSlices((rows) => traverse(rows, { ...options, maxBytes }), {
        signal: ctx.signal,
        onProgress: (found) => ctx.progress(found, undefined, entityCount(found)),
      });
      const { nodes, edges, path, truncated } = traversal;
      const continuation = truncated ? ["Truncated: there is more. Raise limit, or use fewer relationTypes or a smaller depth."] : [];
      const isWithoutPath = path?.length === 0;
      const ends = `${clip(options.start)} to ${clip(options.to ?? "")}`;
      const remarks = isWithoutPath
        ? [`No path from ${ends} within ${counted(options.depth, "relation")}.`]
        : typesRemark(traversal.typesHere);
      return reply({ nodes, edges, ...(path !== undefined && { path }) }, { ...traversal }, { continuation, remarks });
    },
  });
