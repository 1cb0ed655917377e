// search_text: where in the database a text stands.
import { tool } from "@oarlock/server-kit";
import type { SearchTold } from "../db/protocol/requests.ts";
import type { Parts } from "../dependencies.ts";
import { elapsedFor } from "../replies/elapsed-progress.ts";
import { count, database, object, result, text, z } from "../argument-schemas.ts";

const MOST_MATCHES = 500;

export const searchText = ({ databases, maxResultBytes }: Parts) =>
  tool({
    name: "search_text",
    title: "Search for a text",
    description: "Find rows that hold a text in any column: full-text tables by rank, other tables by a look through them.",
    input: () =>
      object({
        query: text("Text to find; case does not matter"),
        tables: z._default(z.array(z.string()), []).check(z.describe("Only these tables")),
        limit: count("Matches, 50 unless given"),
        database,
      }),
    output: () => result({ matches: z.array(z.looseObject({ table: z.string(), snippet: z.string() })), truncated: z.boolean() }),
    hints: { readOnly: true, openWorld: false },
    async run({ query, tables, limit = 50, database: name }, ctx) {
      const most = Math.max(1, Math.min(limit, MOST_MATCHES, Math.floor(maxResultBytes / 4000)));
      const { done } = await databases
        .get(name)
        .read({ op: "search", text: query, tables, limit: most }, ctx, { elapsed: elapsedFor(ctx) });
      const { matches, truncated, unfinished } = done as SearchTold; // our own process told it
      const lines = matches.map((match) => JSON.stringify(match));
      const note = truncated ? [`[truncated: not all of ${unfinished.map((table) => JSON.stringify(table)).join(", ")} was searched]`] : [];
      const structured = { matches: matches.map((match) => ({ ...match })), truncated, ...(truncated && { unfinished }) };
      return { content: [...(lines.length === 0 ? ["No matches"] : lines), ...note].join("\n"), structured };
    },
  });
