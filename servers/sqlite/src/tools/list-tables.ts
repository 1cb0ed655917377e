// list_tables: which tables and views there are.
import { text, tool } from "@oarlock/server-kit";
import { cursorFor, positionOf } from "../cursor.ts";
import type { TablesTold } from "../db/protocol/requests.ts";
import { rowsRoom, type Parts } from "../dependencies.ts";
import { choice, count, cursor, database, maybe, object, result, z } from "../argument-schemas.ts";

const MOST_TABLES = 500;

export const listTables = ({ databases, maxResultBytes }: Parts) =>
  tool({
    name: "list_tables",
    title: "List tables",
    description: "Names, columns and sizes of the tables, views and virtual tables of a database.",
    input: () =>
      object({
        database,
        pattern: maybe("Part of the name, or a pattern with * and ?"),
        include_views: z._default(z.boolean(), true).check(z.describe("Views too")),
        detail: z._default(choice(["names", "summary", "full"], "full adds the CREATE statements"), "summary"),
        limit: count(`Tables on a page, at most and unless given ${MOST_TABLES}`),
        cursor,
      }),
    output: () =>
      result({
        tables: z.array(z.looseObject({ name: z.string(), type: z.string() })),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ database: name, pattern, include_views: views, detail, limit = MOST_TABLES, cursor: from }, ctx) {
      const db = databases.get(name);
      const about = ["tables", db.name, pattern, views];
      const { stamp: after } = positionOf(from, about);
      const asked = {
        op: "tables",
        pattern,
        views,
        detail,
        after: from === undefined ? undefined : after,
        limit: Math.min(limit, MOST_TABLES),
        bytes: rowsRoom(maxResultBytes),
      } as const;
      const { done } = await db.read(asked, ctx);
      const { tables, more } = done as TablesTold; // our own process told it
      const last = tables.at(-1)?.name;
      const next = more && last !== undefined ? { nextCursor: cursorFor({ skip: 0, stamp: last }, about) } : {};
      const cut = tables.filter(({ truncated }) => truncated === true);
      const structured = { tables: tables.map((table) => ({ ...table })), truncated: more || cut.length > 0, ...next };
      const note = [
        ...cut.map((table) => text(`[truncated: ${JSON.stringify(table.name)} is larger than a reply]`)),
        ...(more ? [text("[truncated: call again with nextCursor as cursor]")] : []),
      ];
      return { content: [text(JSON.stringify(tables)), ...note], structured };
    },
  });
