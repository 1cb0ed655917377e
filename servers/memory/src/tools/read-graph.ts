// read_graph: the whole graph, in pages where it is large.
import { EncodedJson, encodedText, text, tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { graphText } from "../replies/graph-json.ts";
import { readGraph as read } from "../graph/read/graph-page.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { count, cursor, detail, entities, object, relations, result, z } from "../schema.ts";

const BYTES = 500_000;

export const readGraph = (parts: Parts) =>
  tool({
    name: "read_graph",
    title: "Read Graph",
    description: "Read the graph, in pages when it is large. graph_stats or detail names cost far less.",
    input: () => object({ limit: count("Most on a page"), cursor, detail }),
    output: () =>
      result({
        entities,
        relations,
        total: z.looseObject({}),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    run: (options) =>
      after(
        parts.memory.look((store) => read(store, { ...options, room: roomFor(parts, BYTES) })),
        (page) => {
          const { entities, relations, total, nextCursor } = page;
          const content = [encodedText(graphText(entities, relations))];
          if (nextCursor !== undefined)
            content.push(
              text(
                `Cut here: ${entities.length} of ${total.entities} entities and ${relations.length} of ${total.relations} relations. Go on with cursor ${nextCursor}`,
              ),
            );
          // Made of rows that were checked when they came: to check them again would be a tenth of the time.
          return { content, structured: new EncodedJson(JSON.stringify(page)) };
        },
      ),
  });
