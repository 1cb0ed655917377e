// Runs a statement that only reads and replies with one page of its rows: read_query and named queries.
import { clip, counted } from "@oarlock/domain-kit";
import { EncodedJson, text, type Block, type ContentAndStructured, type Context } from "@oarlock/server-kit";
import { choice, count, cursor, result, timeout, z } from "../argument-schemas.ts";
import { FORMATS, type Format, type RowsReply, type StatementResult } from "../db/protocol/rows.ts";
import type { Params } from "../db/sql/parameters.ts";
import type { Dependencies } from "../dependencies.ts";
import { reportSeconds } from "./progress.ts";
import { readingNotes, rowsBlock, rowsJson, valueNotes } from "./row-blocks.ts";
import { defaultRowLimits, rowLimits } from "./row-limits.ts";
import { statementBlocks, statementJson } from "./statement-rows.ts";
import { namingWithheld, withNamedTools } from "./withheld-tools.ts";

const MAX_ROWS = 10_000;
/** Queries that take longer are logged. */
const SLOW_MS = 1000;

/** The arguments that select a page and its format. */
export const pageArguments = () => ({
  limit: count(`Rows on a page, at most ${MAX_ROWS}; default: as many as fit in 60 KB`),
  cursor,
  timeout_ms: timeout,
  format: z._default(choice(FORMATS, "Format of the rows in the text"), "json"),
});

/** The structured content of a page. */
export const pageOutput = () =>
  result({
    columns: z.array(z.looseObject({ name: z.string() })),
    rows: z.array(z.array(z.unknown())),
    rowCount: z.int(),
    truncated: z.boolean(),
    nextCursor: z.optional(z.string()),
  });

export interface PageArguments {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly format?: Format | undefined;
}

export interface Query {
  readonly sql: string;
  readonly params: Params | undefined;
  readonly database: string | undefined;
  /** Several statements in `sql` have a result each. Default false. */
  readonly allowsSeveral?: boolean;
}

export async function replyWithPage(
  deps: Dependencies,
  ctx: Context,
  { sql, params, database, allowsSeveral = false }: Query,
  { limit, cursor: given, timeout_ms: timeoutMs, format }: PageArguments,
): Promise<ContentAndStructured<never>> {
  const { databases, cursors, maxResultBytes } = deps;
  const db = databases.get(database);
  const query = [db.name, sql, params];
  const from = given === undefined ? undefined : (JSON.parse(cursors.open(query, given)) as Position); // sealed below
  const limits = limit === undefined ? defaultRowLimits(maxResultBytes, MAX_ROWS) : rowLimits(maxResultBytes, Math.min(limit, MAX_ROWS));
  const request = { op: "read", sql, params, limits, skip: from?.skip ?? 0, after: from?.lastKey, format, allowsSeveral } as const;
  const { reply, rows } = await db.read(request, ctx, { timeoutMs, onElapsed: reportSeconds(ctx) });
  if (reply.statements !== undefined)
    return severalResults(
      reply.statements.map((one) => ("error" in one ? one : withNamedTools(one, deps))),
      format,
    );
  const { rowCount, hasMore, dataVersion, clipped, columns, elapsedMs, lastKey, texts, missingCollation, hasNullInList, slips } =
    withNamedTools(reply, deps);
  if (elapsedMs >= SLOW_MS)
    ctx.log.notice(
      namingWithheld(`Slow query on ${clip(db.name)}: ${Math.round(elapsedMs)} ms. explain_query may suggest an index.`, deps),
    );
  const position: Position = { skip: (from?.skip ?? 0) + rowCount, dataVersion, lastKey };
  const nextCursor = hasMore ? cursors.seal(query, JSON.stringify(position)) : undefined;
  const dataChanged = from !== undefined && from.dataVersion !== dataVersion;
  const content: Block[] = [];
  if (nextCursor !== undefined)
    content.push(text(`[truncated after ${counted(rowCount, "row")}; call again with cursor: ${JSON.stringify(nextCursor)}]`));
  content.push(rowsBlock(rows, columns, format));
  if (dataChanged) content.push(text(from.lastKey === undefined ? ROWS_MOVED : ROWS_CHANGED));
  content.push(...valueNotes(rows, clipped));
  content.push(...readingNotes({ texts: from === undefined ? texts : undefined, missingCollation, hasNullInList, slips }));
  const members = {
    rowCount,
    truncated: hasMore,
    nextCursor,
    dataChanged: dataChanged || undefined,
    elapsedMs,
    clipped: clipped.length > 0 ? clipped : undefined,
  };
  return { content, structured: new EncodedJson(rowsJson(rows, columns, members)) };
}

/** The structured content is that of the first statement, with the others in `further`. Where one fails, the text has what the others gave. */
function severalResults(results: readonly StatementResult[], format: Format | undefined): ContentAndStructured<never> {
  const failures = results.flatMap((result, index) => ("error" in result ? [`Statement ${index + 1}: ${result.error}`] : []));
  const rows = results.map((result) => ("error" in result ? undefined : result));
  const content = statementBlocks(rows, { format });
  if (failures.length > 0) {
    const others = content.length > 0 ? ["The other statements were run:"] : [];
    return { content: [text([...failures, ...others].join("\n")), ...content], isError: true };
  }
  const [first = "{}", ...further] = rows.flatMap((one) => (one === undefined ? [] : [statementJson(one)]));
  return { content, structured: new EncodedJson(`${first.slice(0, -1)},"further":[${further.join(",")}]}`) };
}

const ROWS_MOVED = "The data has changed since the previous page: rows may be missing or repeated.";
const ROWS_CHANGED = "The data has changed since the previous page: this page goes on after its last row, in the present data.";

/** Where a page ended. */
interface Position extends Pick<RowsReply, "dataVersion" | "lastKey"> {
  readonly skip: number;
}
