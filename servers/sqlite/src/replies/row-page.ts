// A page of rows: what read_query and named queries answer with.
import { EncodedJson, text, type InteractiveContext, type Block, type ContentAndStructured } from "@oarlock/server-kit";
import { counted } from "../db/counted.ts";
import { cursorFor, positionOf } from "../cursor.ts";
import { FORMATS, type Format, type RowsTold } from "../db/protocol/requests.ts";
import type { Params } from "../db/sql/parameters.ts";
import { roomFor, type Parts } from "../dependencies.ts";
import { elapsedFor } from "./elapsed-progress.ts";
import { cutText, rowsJson, rowsText } from "./row-blocks.ts";
import { choice, count, cursor, timeout, z } from "../argument-schemas.ts";

/** Rows of a reply, unless fewer are asked for. */
const MOST_ROWS = 10_000;

/** The arguments that say which page, and how it is told. */
export const paging = () => ({
  limit: count(`Rows on a page, at most and unless given ${MOST_ROWS}`),
  cursor,
  timeout_ms: timeout,
  format: z._default(choice(FORMATS, "How the text shows rows"), "json"),
});

export interface Paging {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly format?: Format | undefined;
}

export interface Wanted {
  readonly sql: string;
  readonly params: Params | undefined;
  readonly database: string | undefined;
}

/** Runs one statement that only reads. */
export async function rowsPage(
  { databases, maxResultBytes }: Parts,
  ctx: InteractiveContext,
  { sql, params, database }: Wanted,
  { limit = MOST_ROWS, cursor: from, timeout_ms: timeoutMs, format }: Paging,
): Promise<ContentAndStructured<never>> {
  const db = databases.get(database);
  const about = [db.name, sql, params];
  const { skip, stamp } = positionOf(from, about);
  const room = roomFor(maxResultBytes, Math.min(limit, MOST_ROWS));
  const asked = { op: "read", sql, params, room, skip, format: format === "json" ? undefined : format } as const;
  const answer = await db.read(asked, ctx, { timeoutMs, elapsed: elapsedFor(ctx) });
  const told = answer.done as RowsTold; // our own process told it
  const next = told.more ? cursorFor({ skip: skip + told.rowCount, stamp: told.stamp }, about) : undefined;
  const changed = from !== undefined && stamp !== told.stamp;
  const clipped = told.clipped.length > 0 ? told.clipped : undefined;
  const content: Block[] = [rowsText(answer, told.columns, format)];
  if (changed) content.push(text("The data has changed since the page before: rows may be missing or come twice."));
  content.push(...cutText(answer, told.clipped));
  if (next !== undefined)
    content.push(text(`[truncated after ${counted(told.rowCount, "row")}; call again with cursor: ${JSON.stringify(next)}]`));
  const { rowCount, more: truncated, elapsedMs } = told;
  const facts = { rowCount, truncated, nextCursor: next, dataChanged: changed || undefined, elapsedMs, clipped };
  return { content, structured: new EncodedJson(rowsJson(answer, told.columns, facts)) };
}
