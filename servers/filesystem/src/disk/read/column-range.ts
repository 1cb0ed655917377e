// The end of a range of columns: cuts a text behind the last wanted character of its last line, and names the column to go on with.
import type { Window } from "../text/line-window.ts";
import type { ReadOptions } from "./read-options.ts";

interface Shown {
  readonly content: string;
  readonly truncated: boolean;
  readonly lineCut: boolean;
}

interface ColumnRange extends Shown {
  readonly startColumn?: number;
  readonly nextColumn?: number;
}

/** `part`: the text of the window, which begins at `startColumn` of its first line. */
export function withinColumns(part: Shown, window: Window, { startColumn, endColumn, limit }: ReadOptions): ColumnRange {
  const begin = startColumn === undefined ? {} : { startColumn };
  const { content } = part;
  // Of more lines than there was room for, the last one is not here.
  const hasLast = window.cut ? limit === 1 : !window.truncated;
  const lastLine = content.lastIndexOf("\n") + 1;
  const before = lastLine === 0 ? (startColumn ?? 1) - 1 : 0;
  const end = endColumn === undefined || !hasLast ? Infinity : lastLine + endColumn - before;
  if (end <= content.length) return { ...begin, content: content.slice(0, afterPair(content, end)), truncated: false, lineCut: false };
  return { ...begin, ...part, ...(part.lineCut && { nextColumn: (startColumn ?? 1) + content.length }) };
}

/** A character beyond the first 65,536 has two columns, and belongs to the first of them. */
const afterPair = (text: string, end: number): number => ((text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end);
