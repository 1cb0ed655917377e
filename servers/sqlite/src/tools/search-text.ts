// search_text: finds a text anywhere in a database.
import { clip, counted, escapeControlsInJson } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { tool } from "@oarlock/server-kit";
import { accepting, count, cursor, database, object, result, text, textAsList, z } from "../argument-schemas.ts";
import type { SearchPosition, SearchReply } from "../db/protocol/query-messages.ts";
import type { Dependencies } from "../dependencies.ts";
import { reportSeconds } from "../replies/progress.ts";
import { DEFAULT_TEXT_BYTES, rowBytes } from "../replies/row-limits.ts";
import { resultView } from "../views.ts";

const DEFAULT_MATCHES = 50;
const MAX_MATCHES = 500;
/** Tables that the text names. */
const MAX_NAMES = 20;
/** For the lines before the matches. */
const HEAD_BYTES = 3000;

export const searchText = ({ databases, cursors, maxResultBytes }: Dependencies) =>
  tool({
    name: "search_text",
    title: "Search for a text",
    description:
      'Find rows that contain all words of a text, in any order and column, or a "quoted phrase": full-text tables by rank, other tables by a scan.',
    input: () =>
      accepting(
        object({
          query: text("Words to find; case and accents are ignored"),
          tables: z._default(z.array(z.string()), []).check(z.describe("Only these tables or views")),
          limit: count(`Maximum of matches; default ${DEFAULT_MATCHES}`),
          cursor,
          database,
        }),
        { tables: textAsList },
      ),
    output: () =>
      result({
        matches: z.array(z.looseObject({ table: z.string(), snippet: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: resultView })],
    async run({ query, tables, limit, cursor: given, database: name }, ctx) {
      const db = databases.get(name);
      const search = ["search", db.name, query, tables];
      const after = given === undefined ? undefined : (JSON.parse(cursors.open(search, given)) as SearchPosition); // sealed below
      const maxMatches = Math.min(limit ?? DEFAULT_MATCHES, MAX_MATCHES);
      // Matches stand in a reply twice.
      const maxBytes = Math.min(rowBytes(maxResultBytes) / 2, limit === undefined ? DEFAULT_TEXT_BYTES : Infinity) - HEAD_BYTES;
      const request = { op: "search", text: query, tables, maxMatches, maxBytes, after } as const;
      const { reply } = await db.read(request, ctx, { onElapsed: reportSeconds(ctx) });
      const { matches, truncated, unfinished, unreadable, notSearched, next } = reply;
      const nextCursor = next === undefined ? undefined : cursors.seal(search, JSON.stringify(next));
      const listed = matches.length === 0 ? reply.nearMatches : matches;
      const lines = listed.map((match) => escapeControlsInJson(JSON.stringify(match)));
      if (matches.length === 0) lines.unshift(noMatches(reply));
      lines.unshift(...unreadable.slice(0, MAX_NAMES).map(({ table, reason }) => `[${namesOf([table])} cannot be read: ${reason}]`));
      lines.push(...leftOut(reply));
      const incomplete = unfinished.filter((name) => !unreadable.some(({ table }) => table === name));
      if (incomplete.length > 0) lines.unshift(`[truncated: ${namesOf(incomplete)} not searched completely]`);
      if (nextCursor !== undefined) lines.unshift(`[truncated: call again with cursor: ${JSON.stringify(nextCursor)}]`);
      return {
        content: lines.join("\n"),
        structured: {
          matches,
          truncated,
          ...(truncated && { unfinished }),
          ...(unreadable.length > 0 && { unreadable }),
          ...(notSearched.length > 0 && { notSearched }),
          ...(reply.near.length > 0 && { near: reply.near }),
          ...(reply.nearMatches.length > 0 && { nearMatches: reply.nearMatches }),
          ...(nextCursor !== undefined && { nextCursor }),
        },
      };
    },
  });

function noMatches({ searched, near, nearMatches }: SearchReply): string {
  const nearest = near.map((word) => clip(word, 40)).join(", ");
  const words = near.length === 0 ? "" : `; these words are near: ${nearest}${nearMatches.length === 0 ? "" : ", in these rows:"}`;
  return `No matches in ${counted(searched, "table")}${words}`;
}

/** What was not searched, by reason. */
function leftOut({ notSearched, views }: SearchReply): string[] {
  const byReason = Map.groupBy(notSearched, ({ reason }) => reason);
  const lines = [...byReason].map(
    ([reason, parts]) =>
      `[not searched: ${namesOf(parts.map(({ table, column }) => (column === undefined ? table : `${table}.${column}`)))}: ${reason}]`,
  );
  if (views.length > 0)
    lines.push(`[not searched: ${counted(views.length, "view")}, which show what is in tables: ${namesOf(views)}; name them in tables]`);
  return lines;
}

const namesOf = (tables: readonly string[]): string => {
  const names = tables.slice(0, MAX_NAMES).map((table) => clip(JSON.stringify(table), 80));
  return tables.length > MAX_NAMES ? `${names.join(", ")} and other tables` : names.join(", ");
};
