// The rows of several statements in one reply, each in the shape of read_query.
import { counted } from "@oarlock/domain-kit";
import { text, type Block } from "@oarlock/server-kit";
import type { Format, StatementRows } from "../db/protocol/rows.ts";
import { readingNotes, rowsBlock, rowsJson, valueNotes } from "./row-blocks.ts";

interface BlockOptions {
  readonly format?: Format | undefined;
  /** What else is shown of each statement, after its rows. */
  readonly further?: readonly (readonly Block[])[];
}

/** The text of each statement that has rows: a line with its number where they are several, its rows, and what was left out. */
export const statementBlocks = (results: readonly (StatementRows | undefined)[], { format, further = [] }: BlockOptions = {}): Block[] =>
  results.flatMap((rows, index) => [
    ...(rows === undefined ? [] : rowBlocks(rows, results.length > 1 ? `Statement ${index + 1}: ` : "", format)),
    ...(further[index] ?? []),
  ]);

function rowBlocks(rows: StatementRows, title: string, format: Format | undefined): Block[] {
  const { encoded, columns, rowCount, hasMore, clipped } = rows;
  const cut = hasMore ? `[truncated after ${counted(rowCount, "row")}; run it alone for the rest]` : "";
  const head = `${title}${cut}`.trimEnd();
  return [
    ...(head === "" ? [] : [text(head)]),
    rowsBlock(encoded, columns, format),
    ...valueNotes(encoded, clipped),
    ...readingNotes(rows),
  ];
}

/** The JSON text of one result. */
export const statementJson = ({ encoded, columns, rowCount, hasMore, clipped }: StatementRows, members: object = {}): string =>
  rowsJson(encoded, columns, { ...members, rowCount, truncated: hasMore, ...(clipped.length > 0 && { clipped }) });
