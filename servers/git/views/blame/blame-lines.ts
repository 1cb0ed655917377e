// The lines of a blame, from the tool for views or from the text of git_blame.
import { callTool, structuredOf, textOf, type Page, type ToolResult } from "@oarlock/extensions/page";
import { hunksInText, linesInText, type Hunk } from "./blame-text.ts";

export interface BlamePart {
  readonly hunks: readonly Hunk[];
  /** The texts of the lines by their numbers. */
  readonly lines: ReadonlyMap<number, string>;
  readonly path: string;
  readonly totalLines: number;
  readonly next?: string | undefined;
}

interface Structured {
  hunks?: Hunk[];
  lines?: string[];
  path?: string;
  totalLines?: number;
  nextCursor?: string;
}

/** A result of git_blame, whose text has the lines. */
export function readBlame(result: ToolResult): BlamePart | undefined {
  const { hunks = hunksInText(textOf(result)), path = "", totalLines = 0, nextCursor } = structuredOf(result) as Structured; // of git_blame
  return hunks.length === 0 ? undefined : { hunks, lines: linesInText(textOf(result)), path, totalLines, next: nextCursor };
}

/** The lines that follow, or all of them from the first one asked for on. */
export async function loadBlame({ host, args }: Page, next?: string): Promise<BlamePart> {
  const { cursor, ...query } = args;
  const start = next ?? cursor;
  const result = await callTool(host, "view_blame", { ...query, ...(start !== undefined && { cursor: start }) });
  const { hunks = [], lines = [], path = "", totalLines = 0, nextCursor } = structuredOf(result) as Structured; // of view_blame
  const first = hunks[0]?.startLine ?? 1;
  return { hunks, lines: new Map(lines.map((text, at) => [first + at, text])), path, totalLines, next: nextCursor };
}
