// get_history: shows how an entity changed over time.
import { counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { entityHistory } from "../graph/history/entity-history.ts";
import { reply } from "../replies/reply.ts";
import { count, object, result, text, z } from "../schema.ts";

/** Of a reply whose caller gives a limit. */
const MAX_BYTES = 200_000;

export const getHistory = (deps: Dependencies) =>
  tool({
    name: "get_history",
    title: "Get History",
    description: "Changes of an entity: what was added and removed, when, by whom.",
    input: () => object({ entityName: text("The entity"), since: z.optional(text("Since this time")), limit: count("Most events") }),
    output: () => result({}),
    hints: { readOnly: true, openWorld: false },
    async run(options) {
      const maxBytes = contentBytes(deps, options.limit === undefined ? undefined : MAX_BYTES);
      const { events, omitted, isShortened, keptSince } = await deps.memory.read((rows) => entityHistory(rows, { ...options, maxBytes }));
      const continuation = [
        ...(omitted > 0 ? [`Truncated: ${counted(omitted, "older event")} not shown. Raise limit to see more.`] : []),
        ...(isShortened ? ["Truncated: long texts are shortened. open_nodes shows those that are current."] : []),
      ];
      const remarks = keptSince === undefined ? [] : [`What ended before ${keptSince} is not kept.`];
      return reply(events, { events, truncated: continuation.length > 0 }, { continuation, remarks });
    },
  });
