// list_tables: the tables and views of a database, in pages.
import { clip, escapeControlsInJson } from "@oarlock/domain-kit";
import { ui } from "@oarlock/extensions/apps";
import { text, tool } from "@oarlock/server-kit";
import { choice, count, cursor, database, object, optionalText, result, z } from "../argument-schemas.ts";
import type { Dependencies } from "../dependencies.ts";
import { DEFAULT_TEXT_BYTES, rowBytes } from "../replies/row-limits.ts";
import { schemaView } from "../views.ts";

const MAX_TABLES = 500;

export const listTables = ({ databases, cursors, maxResultBytes }: Dependencies) =>
  tool({
    name: "list_tables",
    title: "List tables",
    description: "Names, columns and sizes of the tables, views and virtual tables of a database.",
    input: () =>
      object({
        database,
        pattern: optionalText("Part of the name, or a pattern with * and ?; where no table has it, of a column"),
        include_views: z._default(z.boolean(), true).check(z.describe("Include views")),
        detail: z._default(
          choice(["names", "summary", "full"], "full adds CREATE statements, foreign keys and first rows, so that a query can be written"),
          "summary",
        ),
        limit: count(`Tables on a page, at most ${MAX_TABLES}; default: as many as fit in 60 KB`),
        cursor,
      }),
    output: () =>
      result({
        tables: z.array(z.looseObject({ name: z.string(), type: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    extensions: [ui({ view: schemaView })],
    async run({ database: name, pattern, include_views: includeViews, detail, limit, cursor: given }, ctx) {
      const db = databases.get(name);
      const query = ["tables", db.name, pattern, includeViews];
      const after = given === undefined ? undefined : (JSON.parse(cursors.open(query, given)) as string); // sealed below
      const maxTables = Math.min(limit ?? MAX_TABLES, MAX_TABLES);
      // A summary stands in a reply twice.
      const maxBytes = Math.min(rowBytes(maxResultBytes), limit === undefined ? 2 * DEFAULT_TEXT_BYTES : Infinity);
      const { reply } = await db.read({ op: "tables", pattern, includeViews, detail, after, maxTables, maxBytes }, ctx);
      const { tables, hasMore } = reply;
      const last = tables.at(-1);
      const nextCursor = hasMore && last !== undefined ? cursors.seal(query, JSON.stringify(last.name)) : undefined;
      const cut = tables.filter(({ truncated }) => truncated === true);
      const notes = cut.map((table) => text(`[truncated: ${clip(JSON.stringify(table.name))} is larger than a reply]`));
      const next = nextCursor === undefined ? [] : [text(`[truncated: call again with cursor: ${JSON.stringify(nextCursor)}]`)];
      const structured = { tables, truncated: hasMore || cut.length > 0, ...(nextCursor !== undefined && { nextCursor }) };
      return { content: [...next, text(escapeControlsInJson(JSON.stringify(tables))), ...notes], structured };
    },
  });
