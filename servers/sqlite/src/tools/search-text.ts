// search_text: finds a text anywhere in a database.
import { clip, escapeControlsInJson } from "@oarlock/domain-kit";
import { tool } from "@oarlock/server-kit";
import { count, database, object, result, text, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { reportSeconds } from "../replies/progress.ts";

const DEFAULT_MATCHES = 50;
const MAX_MATCHES = 500;
/** An upper bound of the bytes that one match takes in a reply. */
const MATCH_BYTES = 4000;

export const searchText = ({ databases, maxResultBytes }: Dependencies) =>
  tool({
    name: "search_text",
    title: "Search for a text",
    description:
      'Find rows that contain all words of a text, in any order and column, or a "quoted phrase": full-text tables by rank, other tables by a scan.',
    input: () =>
      object({
        query: text("Words to find; letter case is ignored"),
        tables: z._default(z.array(z.string()), []).check(z.describe("Only these tables")),
        limit: count(`Maximum of matches; default ${DEFAULT_MATCHES}`),
        database,
      }),
    output: () => result({ matches: z.array(z.looseObject({ table: z.string(), snippet: z.string() })), truncated: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run({ query, tables, limit = DEFAULT_MATCHES, database: name }, ctx) {
      const maxMatches = Math.max(1, Math.min(limit, MAX_MATCHES, Math.floor(maxResultBytes / MATCH_BYTES)));
      const request = { op: "search", text: query, tables, maxMatches } as const;
      const { reply } = await databases.get(name).read(request, ctx, { onElapsed: reportSeconds(ctx) });
      const { matches, truncated, unfinished } = reply;
      const lines = matches.length === 0 ? ["No matches"] : matches.map((match) => escapeControlsInJson(JSON.stringify(match)));
      if (truncated)
        lines.unshift(`[truncated: ${unfinished.map((table) => clip(JSON.stringify(table))).join(", ")} not searched completely]`);
      return { content: lines.join("\n"), structured: { matches, truncated, ...(truncated && { unfinished }) } };
    },
  });
