// A diff as a block of Markdown, and cut to what fits into a reply.
import { counted, jsonStringBytes } from "@oarlock/domain-kit";
import type { EditResult } from "../file-editor.ts";

/** Fences the diff by more backticks than it holds in a row. */
export function fenced(diff: string): string {
  let fence = "```";
  while (diff.includes(fence)) fence += "`";
  return `${fence}diff\n${diff}${fence}\n\n`;
}

export interface DiffBlock {
  readonly content: string;
  readonly truncated: boolean;
}

/** The block goes out twice. A diff without room is cut at a line, down to nothing: that the edit was made is reported in any case. */
export function fencedWithin(diff: string, budget: number): DiffBlock {
  // No character takes less than one byte, so a text longer than the budget is not measured.
  let part = diff.slice(0, Math.max(budget, 0));
  let bytes = 2 * jsonStringBytes(fenced(part));
  if (part.length === diff.length && bytes <= budget) return { content: fenced(diff), truncated: false };
  while (bytes > budget && part !== "") {
    part = part.slice(0, Math.floor(part.length * Math.min(0.9, budget / bytes)));
    part = part.slice(0, part.lastIndexOf("\n") + 1);
    bytes = 2 * jsonStringBytes(fenced(part));
  }
  const notice = `(truncated: the diff is ${diff.length} characters long and is shown up to ${part.length})`;
  return { content: fenced(part) + notice, truncated: true };
}

type Summarized = Pick<EditResult, "applied" | "replacements" | "additions" | "deletions" | "firstChangedLine">;

/** What an edit has changed, in place of its diff: of one line its new text. */
export function summaryOf({ applied, replacements, additions, deletions, firstChangedLine }: Summarized, diff: string): DiffBlock {
  const act = `${applied ? "Replaced" : "Would replace"} ${counted(replacements, "piece")}`;
  const [, line] = /^@@ [^]*?^\+(.*)$/m.exec(diff) ?? [];
  if (additions === 1 && deletions <= 1 && line !== undefined)
    return { content: `${act}; line ${firstChangedLine}: ${line}\n`, truncated: false };
  const where = firstChangedLine === undefined ? "" : `, from line ${firstChangedLine} on`;
  return { content: `${act}: ${counted(additions, "line")} added, ${deletions} removed${where}.\n`, truncated: false };
}
