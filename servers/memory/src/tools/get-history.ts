// get_history: shows how an entity changed over time.
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { entityHistory } from "../graph/history/entity-history.ts";
import { reply } from "../replies/reply.ts";
import { object, objects, result, text, z } from "../schema.ts";

const MAX_BYTES = 200_000;

export const getHistory = (deps: Dependencies) =>
  tool({
    name: "get_history",
    title: "Get History",
    description: "Changes of an entity: what was added and removed, when, and by which client.",
    input: () => object({ entityName: text("The entity"), since: z.optional(text("Only since this time")) }),
    output: () => result({ events: objects, truncated: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run(options) {
      const maxBytes = contentBytes(deps, MAX_BYTES);
      const { events, omitted, isShortened } = await deps.memory.read((store) => entityHistory(store, { ...options, maxBytes }));
      const notes = [
        ...(omitted > 0 ? [`Truncated: ${omitted} older events are not shown.`] : []),
        ...(isShortened ? ["Truncated: long texts are shortened. open_nodes shows those that are current."] : []),
      ];
      return reply(events, { events, truncated: notes.length > 0 }, notes);
    },
  });
