// search_nodes: finds entities and their facts for a query, best first.
import { counted } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { ALL_WITH_RELATIONS_SCORE, DEFAULT_SEARCH_LIMIT } from "../graph/search/hit.ts";
import type { SearchPage } from "../graph/search/search.ts";
import { entityCount, listRemark, PAST, pastRemark, quoteName, recordedRemark } from "../replies/remarks.ts";
import { reply } from "../replies/reply.ts";
import { DEFAULT_MAX_TOKENS, pageBytes, searchMemory } from "../search-memory.ts";
import { count, cursor, detail, entities, object, objects, optionalTexts, result, steps, text, z } from "../schema.ts";
import { graphView } from "../views.ts";

/** Hits whose reasons stand in the text; `matches` has those of all. */
const MAX_EXPLAINED = 5;

export const searchNodes = (deps: Dependencies) =>
  tool({
    name: "search_nodes",
    title: "Search Nodes",
    description: "Find facts by text, words or a question, best first.",
    input: () =>
      object({
        query: text("Words; empty for all"),
        limit: count(`Default ${DEFAULT_SEARCH_LIMIT}`),
        cursor,
        entityTypes: optionalTexts("Only these"),
        since: z.optional(text("Facts since, as 7d")),
        before: z.optional(text("Before")),
        tags: optionalTexts("All of these"),
        detail,
        max_tokens: count(`Default ${DEFAULT_MAX_TOKENS}`),
        depth: steps("Steps around", 3),
      }),
    output: () => result({ entities, relations: objects, truncated: z.boolean(), nextCursor: z.optional(z.string()) }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: graphView })],
    async run({ max_tokens: maxTokens = DEFAULT_MAX_TOKENS, ...options }) {
      const { page, remarks } = await searchMemory(deps, { ...options, maxBytes: pageBytes(maxTokens, contentBytes(deps)) });
      const { entities: found, relations, more } = page;
      return reply(
        { entities: found, relations, ...(more && { more }) },
        { ...page },
        { remarks: [...toRemarks(page), ...timeRemark(page, options), ...remarks] },
      );
    },
  });

const toRemarks = (page: SearchPage): string[] => [
  ...restOf(page),
  ...lackingOf(page),
  ...reasonsOf(page),
  ...recordedRemark(page.recorded, page.entities),
  ...pastRemark(page.past),
];

/** What was recorded in the time of the call, and is of another one. */
function timeRemark({ ofOtherTimes = 0 }: SearchPage, { since }: { since?: string | undefined }): string[] {
  if (ofOtherTimes === 0) return [];
  const call = since === undefined ? "get_history" : `get_history with since ${quoteName(since)}`;
  return [`Recorded in this time, but valid at another: ${counted(ofOtherTimes, "fact")}. ${call} lists what was recorded, in order.`];
}

/** What is not shown, and the call that shows it. */
function restOf({ nextCursor, omittedFacts, omittedNear }: SearchPage): string[] {
  const notes: string[] = [];
  if (omittedFacts > 0) notes.push(`${counted(omittedFacts, "further observation")} of these: raise max_tokens, or use open_nodes.`);
  if (nextCursor !== undefined) notes.push(`There are more hits. Continue with cursor ${nextCursor}`);
  if (omittedNear > 0) notes.push(`${entityCount(omittedNear)} around the hits left out. Use traverse_graph.`);
  return notes;
}

/** Of hits whose texts do not show it, once for those that have the same. That a hit is near in meaning needs no sentence. */
function reasonsOf({ matches }: SearchPage): string[] {
  const names = new Map<string, string[]>();
  for (const { name, why, by } of matches)
    if (by === "other words" || by === "relation") names.set(why, [...(names.get(why) ?? []), quoteName(name)]);
  return [...names].slice(0, MAX_EXPLAINED).map(([why, found]) => `${found.join(", ")}: ${why}`);
}

/** Which words of the query the hits do not have. */
function lackingOf({ matches, unknownWords = [], lackingWords = [], pastWords }: SearchPage): string[] {
  const named = [...listRemark("No fact has", unknownWords, quoteName), ...listRemark("No hit has", lackingWords, quoteName)];
  if (pastWords !== undefined)
    named.push(
      `Only past facts of ${pastWords.of.map(({ name }) => quoteName(name)).join(", ")} have ${pastWords.words.map(quoteName).join(", ")}: ${PAST}.`,
    );
  const isPartial = matches.length > 0 && matches.every(({ score }) => score < ALL_WITH_RELATIONS_SCORE);
  return named.length > 0 || !isPartial ? named : ["No hit has all of the words."];
}
