// read_graph: reads the whole graph, in pages where it is large.
import { ui } from "@oarlock/extensions/apps";
import { EncodedJson, encodedText, tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { readGraph as read } from "../graph/read/graph-page.ts";
import { encodeGraph } from "../replies/graph-json.ts";
import { withNotes } from "../replies/reply.ts";
import { count, cursor, detail, entities, object, relations, result, z } from "../schema.ts";
import { graphView } from "../views.ts";

/** Of a page whose caller gives a limit. */
const MAX_BYTES = 500_000;

export const readGraph = (deps: Dependencies) =>
  tool({
    name: "read_graph",
    title: "Read Graph",
    description: "Read the graph in pages. graph_stats or detail names cost less.",
    input: () => object({ limit: count("Most"), cursor, detail }),
    output: () =>
      result({
        entities,
        relations,
        total: z.looseObject({}),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: graphView })],
    async run(options) {
      const maxBytes = contentBytes(deps, options.limit === undefined ? undefined : MAX_BYTES);
      const page = await deps.memory.read((rows) => read(rows, { ...options, maxBytes }));
      const { entities, relations, total, nextCursor } = page;
      const present = `${entities.length} of ${total.entities} entities and ${relations.length} of ${total.relations} relations shown`;
      const continuation = nextCursor === undefined ? [] : [`Truncated: ${present}. Continue with cursor ${nextCursor}`];
      const content = withNotes(encodedText(encodeGraph(entities, relations)), { continuation });
      // Encoded, and so not checked against the schema again: the check would take a tenth of the time of the call.
      return { content, structured: new EncodedJson(JSON.stringify(page)) };
    },
  });
