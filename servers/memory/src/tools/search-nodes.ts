// search_nodes: finds entities for a query, best first.
import { counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { ALL_WORDS_SCORE } from "../graph/search/hit.ts";
import { DEFAULT_SEARCH_LIMIT, nearMatches, partialMatches, type Match, type SearchPage } from "../graph/search/search.ts";
import { entityCount, listRemark, quoteName, recordedRemark } from "../replies/remarks.ts";
import { reply } from "../replies/reply.ts";
import { searchMemory } from "../search-memory.ts";
import { count, cursor, detail, entities, object, objects, optionalTexts, result, steps, text, z } from "../schema.ts";
import { graphView } from "../views.ts";

/** Of a page whose caller gives a limit. */
const MAX_BYTES = 250_000;
/** Hits whose reasons stand in the text; `matches` has those of all. */
const MAX_EXPLAINED = 10;

export const searchNodes = (deps: Dependencies) =>
  tool({
    name: "search_nodes",
    title: "Search Nodes",
    description: "Find entities by text, words or a question, best first; also inflected or misspelled.",
    input: () =>
      object({
        query: text("Text or words"),
        limit: count(`Default ${DEFAULT_SEARCH_LIMIT}`),
        cursor,
        entityTypes: optionalTexts("Only these"),
        since: z.optional(text("Only new since a time, or 7d")),
        before: z.optional(text("Only from before")),
        tags: optionalTexts("With all of these"),
        detail,
        depth: steps("Steps to neighbours", 3),
      }),
    output: () => result({ entities, relations: objects, truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: graphView })],
    async run(options) {
      const maxBytes = contentBytes(deps, options.limit === undefined ? undefined : MAX_BYTES);
      const { page, remarks } = await searchMemory(deps, { ...options, maxBytes });
      return reply(
        { entities: page.entities, relations: page.relations },
        { ...page },
        { continuation: toContinuation(page), remarks: [...toRemarks(page), ...remarks] },
      );
    },
  });

function toContinuation({ nextCursor, omittedNear, omittedRelations }: SearchPage): string[] {
  const notes: string[] = [];
  if (nextCursor !== undefined) notes.push(`Truncated: there are more hits. Continue with cursor ${nextCursor}`);
  if (omittedNear > 0) notes.push(`${entityCount(omittedNear)} around the hits left out. Use traverse_graph.`);
  if (omittedRelations > 0) notes.push(`${counted(omittedRelations, "relation")} left out. Use traverse_graph.`);
  return notes;
}

/** Those that do not contain the query: what finds the others is in their texts. */
function explained(page: SearchPage): Match[] {
  const near = new Set(nearMatches(page));
  return page.matches.filter(({ name, score }) => score <= ALL_WORDS_SCORE && !near.has(name)).slice(0, MAX_EXPLAINED);
}

const toRemarks = (page: SearchPage): string[] => [
  ...listRemark("With some of the words only", partialMatches(page), quoteName),
  ...listRemark("Near in meaning", nearMatches(page), quoteName),
  ...explained(page).flatMap(({ name, why }) => (why === undefined ? [] : [`${quoteName(name)}: ${why}`])),
  ...recordedRemark(page.recorded),
];
