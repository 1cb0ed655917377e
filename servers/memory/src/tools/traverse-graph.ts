// traverse_graph: what is connected with an entity, and how.
import { tool } from "@oarlock/server-kit";
import { inSlices } from "../graph/store/time-slices.ts";
import { DIRECTIONS, MAX_DEPTH, traverse, TRAVERSE_LIMIT } from "../graph/read/traversal.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { reply } from "../replies/reply.ts";
import { choice, count, object, optionalTexts, result, text, things, z } from "../schema.ts";

const BYTES = 400_000;

export const traverseGraph = (parts: Parts) =>
  tool({
    name: "traverse_graph",
    title: "Traverse Graph",
    description: "Follow relations from an entity, nearest first; with to, the shortest way there.",
    input: () =>
      object({
        start: text("Entity to start from"),
        direction: z._default(choice(DIRECTIONS, "Which relations to follow"), "both"),
        relationTypes: optionalTexts("Only these relations"),
        depth: z._default(z.int().check(z.minimum(1), z.maximum(MAX_DEPTH)).check(z.describe("How far")), 2),
        limit: count(`Most entities, ${TRAVERSE_LIMIT} unless given`),
        to: z.optional(text("Entity to find a way to")),
      }),
    output: () =>
      result({
        nodes: things,
        edges: things,
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    async run(options, ctx) {
      const found = await parts.memory.look((store) =>
        inSlices(traverse(store, { ...options, room: roomFor(parts, BYTES) }), ctx.signal, (seen) =>
          ctx.progress(seen, undefined, `${seen} entities`),
        ),
      );
      const { nodes, edges, path, truncated } = found;
      const notes = truncated ? ["Cut here: there is more. Raise limit, or follow fewer relationTypes or a smaller depth."] : [];
      if (path?.length === 0) notes.push(`No way from ${options.start} to ${options.to} within ${options.depth} relations.`);
      return reply({ nodes, edges, ...(path !== undefined && { path }) }, { ...found }, notes);
    },
  });
