// read_query: rows of one reading statement, page by page.
import { Encoded, text as textBlock, tool } from "@oarlock/server-kit";
import { cursorFor, positionOf } from "../cursor.ts";
import type { RowsTold } from "../db/requests.ts";
import { paramsOf, roomFor, type Parts } from "../parts.ts";
import { elapsedFor } from "../progress.ts";
import { rowsJson, rowsText } from "../rows-reply.ts";
import { count, cursor, database, object, params, result, text, timeout, z } from "../schema.ts";

/** Rows of a reply, unless fewer are asked for. */
export const MOST_ROWS = 10_000;

export const readQuery = ({ databases, maxResultBytes }: Parts) =>
  tool({
    name: "read_query",
    title: "Read rows",
    description:
      "Run one statement that only reads (SELECT, WITH, VALUES, EXPLAIN) and get its rows. Bind values with params instead of writing them into the text. Integers past 2^53 come as text, BLOBs as {bytes, base64}.",
    input: () =>
      object({
        query: text("One SQL statement"),
        params,
        database,
        limit: count(`Rows on a page, at most and unless given ${MOST_ROWS}`),
        cursor,
        timeout_ms: timeout,
      }),
    output: () =>
      result({
        columns: z.array(z.looseObject({ name: z.string() })),
        rows: z.array(z.array(z.unknown())),
        rowCount: z.int(),
        truncated: z.boolean(),
        nextCursor: z.optional(z.string()),
      }),
    hints: { readOnly: true, openWorld: false },
    async run({ query, params: given, database: name, limit = MOST_ROWS, cursor: from, timeout_ms: timeoutMs }, ctx) {
      const db = databases.get(name);
      const values = paramsOf(given);
      const about = [db.name, query, values];
      const { skip, stamp } = positionOf(from, about);
      const room = roomFor(maxResultBytes, Math.min(limit, MOST_ROWS));
      const answer = await db.read({ op: "read", sql: query, params: values, room, skip }, ctx, { timeoutMs, elapsed: elapsedFor(ctx) });
      const told = answer.done as RowsTold; // our own process told it
      const next = told.more ? cursorFor({ skip: skip + told.rowCount, stamp: told.stamp }, about) : undefined;
      const changed = from !== undefined && stamp !== told.stamp;
      const notes = [
        ...(changed ? ["The data has changed since the page before: rows may be missing or come twice."] : []),
        ...(told.clipped.length > 0 ? [`[${told.clipped.length} values are cut; see clipped]`] : []),
        ...(next === undefined ? [] : [`[truncated after ${told.rowCount} rows; call again with cursor: ${JSON.stringify(next)}]`]),
      ];
      const facts = {
        rowCount: told.rowCount,
        truncated: told.more,
        ...(next !== undefined && { nextCursor: next }),
        ...(changed && { dataChanged: true }),
        elapsedMs: told.elapsedMs,
        ...(told.clipped.length > 0 && { clipped: told.clipped }),
      };
      return {
        content: [rowsText(answer, told.columns), ...notes.map((note) => textBlock(note))],
        structured: new Encoded(rowsJson(answer, told.columns, facts)),
      };
    },
  });
