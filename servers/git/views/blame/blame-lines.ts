// The lines of a blame, from the tool for views or from the text of git_blame.
import { callTool, structuredOf, textOf, type Page, type ToolResult } from "@oarlock-tooling/views";

export interface Hunk {
  readonly startLine: number;
  readonly endLine: number;
  readonly hash: string;
  readonly author: string;
  readonly date: string;
  readonly summary: string;
}

export interface BlamePart {
  readonly hunks: readonly Hunk[];
  /** From the first line of the first hunk on. */
  readonly lines: readonly string[];
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

const NUMBERED = /^ *(\d+)\t(.*)$/;
const HEADING = /^(\^?[0-9a-f]{11,12})(?: (.*?) (\d{4}-\d\d-\d\d) (.*))?$/;

/** A result of git_blame, whose text has the lines. */
export function readBlame(result: ToolResult): BlamePart | undefined {
  const { hunks, path = "", totalLines = 0, nextCursor } = structuredOf(result) as Structured; // of git_blame
  const lines = textOf(result).split("\n");
  const texts = lines.flatMap((line) => NUMBERED.exec(line)?.[2] ?? []);
  if (hunks !== undefined) return { hunks, lines: texts, path, totalLines, next: nextCursor };
  const found = hunksInText(lines);
  return found.length === 0 ? undefined : { hunks: found, lines: texts, path, totalLines, next: nextCursor };
}

/** Each hunk begins with its commit; only the first one of a commit has the author, date and summary. */
function hunksInText(lines: readonly string[]): Hunk[] {
  const known = new Map<string, Pick<Hunk, "author" | "date" | "summary">>();
  const hunks: { -readonly [K in keyof Hunk]: Hunk[K] }[] = [];
  for (const line of lines) {
    const number = Number(NUMBERED.exec(line)?.[1] ?? 0);
    const last = hunks.at(-1);
    if (number > 0 && last !== undefined) {
      last.startLine ||= number;
      last.endLine = number;
      continue;
    }
    const [, hash, author = "", date = "", summary = ""] = HEADING.exec(line) ?? [];
    if (hash === undefined) continue;
    const facts = known.get(hash) ?? { author, date, summary };
    known.set(hash, facts);
    hunks.push({ startLine: 0, endLine: 0, hash, ...facts });
  }
  return hunks.filter(({ startLine }) => startLine > 0);
}

/** The lines that follow, or all of them from the first one asked for on. */
export async function loadBlame({ host, args }: Page, next?: string): Promise<BlamePart> {
  const { cursor, ...query } = args;
  const start = next ?? cursor;
  const result = await callTool(host, "view_blame", { ...query, ...(start !== undefined && { cursor: start }) });
  const { hunks = [], lines = [], path = "", totalLines = 0, nextCursor } = structuredOf(result) as Structured; // of view_blame
  return { hunks, lines, path, totalLines, next: nextCursor };
}
