// get_history: shows how an entity, or the whole memory, changed over time.
import { counted } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { entityHistory } from "../graph/history/entity-history.ts";
import { memoryHistory } from "../graph/history/memory-history.ts";
import { describeHistory } from "../replies/history-text.ts";
import { reply } from "../replies/reply.ts";
import { count, object, result, text, z } from "../schema.ts";

/** Of a reply whose caller gives a limit. */
const MAX_BYTES = 200_000;

export const getHistory = (deps: Dependencies) =>
  tool({
    name: "get_history",
    title: "Get History",
    description: "Facts added to and removed from entities, in order.",
    input: () =>
      object({
        entityName: z.optional(text("Default: all")),
        since: z.optional(text("As 7d")),
        limit: count("Most"),
      }),
    output: () => result({}),
    hints: { readOnly: true, openWorld: false },
    async run({ entityName, ...options }) {
      const limits = { ...options, maxBytes: contentBytes(deps, options.limit === undefined ? undefined : MAX_BYTES) };
      const history = await deps.memory.read((rows) =>
        entityName === undefined ? memoryHistory(rows, limits) : entityHistory(rows, { entityName, ...limits }),
      );
      const { events, omitted, isShortened, keptSince } = history;
      const older = entityName === undefined ? "older events" : counted(omitted, "older event");
      const continuation = [
        ...(omitted > 0 ? [`Truncated: ${older} not shown. Raise limit to see more.`] : []),
        ...(isShortened ? ["Truncated: long texts are shortened. open_nodes shows those that are current."] : []),
      ];
      const remarks = keptSince === undefined ? [] : [`What ended before ${keptSince} is not kept.`];
      return reply(describeHistory(events), { events, truncated: continuation.length > 0 }, { continuation, remarks });
    },
  });
