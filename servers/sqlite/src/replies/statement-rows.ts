// The rows of several statements in one reply, each in the shape of read_query.
import { counted } from "@oarlock/domain-kit";
import { text, type Block } from "@oarlock/server-kit";
import type { Format, StatementRows } from "../db/protocol/rows.ts";
import { readingNotes, rowsBlock, rowsJson, valueNotes } from "./row-blocks.ts";

/** The text of each statement that has rows: a line with its number where they are several, its rows, and what was left out. */
export function statementBlocks(results: readonly (StatementRows | undefined)[], format?: Format): Block[] {
  return results.flatMap((rows, index) => {
    if (rows === undefined) return [];
    const { encoded, columns, rowCount, hasMore, clipped } = rows;
    const cut = hasMore ? `[truncated after ${counted(rowCount, "row")}; run it alone for the rest]` : "";
    const title = results.length > 1 ? [text(`Statement ${index + 1}: ${cut}`.trimEnd())] : cut === "" ? [] : [text(cut)];
    return [...title, rowsBlock(encoded, columns, format), ...valueNotes(encoded, clipped), ...readingNotes(rows)];
  });
}

/** The JSON text of one result. */
export const statementJson = ({ encoded, columns, rowCount, hasMore, clipped }: StatementRows, members: object = {}): string =>
  rowsJson(encoded, columns, { ...members, rowCount, truncated: hasMore, ...(clipped.length > 0 && { clipped }) });
