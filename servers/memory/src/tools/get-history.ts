// get_history: what was said of an entity over time.
import { tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { history } from "../graph/history/entity-history.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { reply } from "../replies/reply.ts";
import { object, result, text, things, z } from "../schema.ts";

const BYTES = 200_000;

export const getHistory = (parts: Parts) =>
  tool({
    name: "get_history",
    title: "Get History",
    description: "What was said of an entity, when and by whom, and what is over by now.",
    input: () => object({ entityName: text("The entity"), since: z.optional(text("Only from this time on")) }),
    output: () =>
      result({
        events: things,
        truncated: z.boolean(),
      }),
    hints: { readOnly: true, openWorld: false },
    run: (options) =>
      after(
        parts.memory.look((store) => history(store, { ...options, room: roomFor(parts, BYTES) })),
        ({ events, omitted, isShortened }) => {
          const notes = [
            ...(omitted > 0 ? ["Cut here: what is older was left out."] : []),
            ...(isShortened ? ["Long texts were shortened; open_nodes has those that are current."] : []),
          ];
          return reply(events, { events, truncated: notes.length > 0 }, notes);
        },
      ),
  });
