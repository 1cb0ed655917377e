// search_nodes: entities that fit a query, best first.
import { tool } from "@oarlock/server-kit";
import { after } from "../at-once.ts";
import { SEARCH_LIMIT, searchNodes as search, type SearchPage } from "../graph/search/search.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { reply } from "../replies/reply.ts";
import { count, cursor, detail, entities, object, optionalTexts, result, steps, text, things, z } from "../schema.ts";

const BYTES = 250_000;

export const searchNodes = (parts: Parts) =>
  tool({
    name: "search_nodes",
    title: "Search Nodes",
    description: "Find entities by names, types and observations: first what holds the whole query, then all of its words, then some.",
    input: () =>
      object({
        query: text("Text or words"),
        limit: count(`Most on a page, ${SEARCH_LIMIT} unless given`),
        cursor,
        entityTypes: optionalTexts("Only these types"),
        since: z.optional(text("Only with news since this time")),
        detail,
        depth: steps("Also what is this near", 3),
      }),
    output: () => result({ entities, relations: things, truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    run: (options) =>
      after(
        parts.memory.look((store) => search(store, { ...options, room: roomFor(parts, BYTES) })),
        (page) => reply({ entities: page.entities, relations: page.relations }, { ...page }, notesOf(page)),
      ),
  });

function notesOf({ nextCursor, omittedNear, omittedRelations }: SearchPage): string[] {
  const notes: string[] = [];
  if (nextCursor !== undefined) notes.push(`Cut here: there are more hits. Go on with cursor ${nextCursor}`);
  if (omittedNear > 0) notes.push(`${omittedNear} entities around the hits were left out; traverse_graph tells them.`);
  if (omittedRelations > 0) notes.push(`${omittedRelations} relations were left out; traverse_graph tells them.`);
  return notes;
}
