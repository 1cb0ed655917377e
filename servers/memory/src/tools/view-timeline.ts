// view_timeline: the history of an entity, for the graph view. Unlike get_history its structured result stays whole with --lean.
import { counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { entityHistory } from "../graph/history/entity-history.ts";
import { count, object, objects, result, text, z } from "../schema.ts";

/** Only the structured result has the events, so it takes about half of this. */
const MAX_BYTES = 200_000;

export const viewTimeline = (deps: Dependencies) =>
  tool({
    name: "view_timeline",
    title: "Timeline of an entity",
    description: "Get the changes of an entity, oldest first.",
    input: () => object({ entityName: text("The entity"), limit: count("Most events") }),
    output: () => result({ events: objects, omitted: z.int(), isShortened: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ visibility: ["app"] })],
    async run(options) {
      const maxBytes = contentBytes(deps, MAX_BYTES);
      const history = await deps.memory.read((rows) => entityHistory(rows, { ...options, maxBytes }));
      return { content: counted(history.events.length, "event"), structured: { ...history } };
    },
  });
