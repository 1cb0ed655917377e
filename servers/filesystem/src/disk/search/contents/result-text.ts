// The text of a search by content: the total or a notice where results are missing, and below it a match as `path:line: text`, a context
// line as `path-line- text`, a match of several lines as `path:first-last: text` with its other lines below. More than one match of a
// file that the call names by a relative path has no path.
import { counted, escapeControls } from "@oarlock/domain-kit";
import { nativePaths } from "../../access/path-syntax.ts";
import type { OutputMode } from "./options.ts";
import type { ContentsResult } from "./content-search.ts";
import { leftOutLines } from "./skipped-text.ts";

export function contentsText(result: ContentsResult, mode: OutputMode = "content"): string {
  const lines =
    mode === "content"
      ? matchLines(result)
      : result.files.map(({ path, count }) => (mode === "count" ? `${escapeControls(path)}: ${count}` : escapeControls(path)));
  const { timedOut, truncated, nextCursor, filesMatched, filesSearched, incomplete, isOneFile } = result;
  const isCounted = mode === "count" || (result.isWhole && (result.matches.length > 1 || isBare(result)));
  const total = isCounted ? [totalOf(result, mode)] : [];
  const timeNotice = "(The time for a search was over: there may be more. Search a smaller directory, or name files with include.)";
  const matching = isOneFile ? "" : `${counted(filesMatched, "file matches", "files match")}; `;
  const cutNotice = `(${matching}there is more: pass the cursor ${nextCursor} to go on)`;
  const notice = timedOut ? timeNotice : truncated ? cutNotice : undefined;
  // Before the lines, because hosts cut the end of a long reply.
  if (notice !== undefined) return [notice, ...hiddenLine(result), ...(lines.length > 0 ? total : []), ...lines].join("\n");
  if (lines.length > 0) return [...total, ...lines, ...hiddenLine(result)].join("\n");
  return [
    `No matches found in ${counted(filesSearched, "text file")}${incomplete ? "; some files or directories could not be read" : ""}`,
    ...leftOutLines(result),
  ].join("\n");
}

function hiddenLine({ hiddenFiles }: ContentsResult): string[] {
  return hiddenFiles === 0 ? [] : [`(${counted(hiddenFiles, "file")} of other owners not searched: --lockdown)`];
}

/** Says that lines are counted: a line may hold several matches. */
function totalOf(result: ContentsResult, mode: OutputMode): string {
  const { matches, files, filesMatched, isWhole } = result;
  const isContent = mode === "content";
  const sum = isContent ? matches.length : files.reduce((total, { count }) => total + count, 0);
  const [first] = matches;
  const where =
    isBare(result) && first !== undefined ? escapeControls(first.path) : counted(isContent ? filesMatched : files.length, "file");
  return `${counted(sum, "matching line")} in ${where}${isWhole ? "" : " of this page"}:`;
}

/** The lines are without the path: the call names it. Programs read the path in the replies to absolute calls. */
const isBare = ({ isOneFile, matches }: ContentsResult): boolean =>
  isOneFile &&
  matches.some(({ path, before, after }, at) => (at > 0 || before.length + after.length > 0) && !nativePaths.path.isAbsolute(path));

/** Lines that two matches share are printed once; `--` separates lines that do not follow each other. */
function matchLines(result: ContentsResult): string[] {
  const { matches } = result;
  const bare = isBare(result);
  const pathBefore = (path: string, mark: string): string => (bare ? "" : escapeControls(path) + mark);
  const lines: string[] = [];
  let last = { path: "", line: 0 };
  for (const [at, { path, line, column, endLine = line, text, before, after }] of matches.entries()) {
    const around = before.length + after.length > 0;
    const first = line - before.length;
    if (around && lines.length > 0 && (last.path !== path || first > last.line + 1)) lines.push("--");
    const addContext = (number: number, line: string) => {
      if (last.path === path && number <= last.line) return;
      lines.push(`${pathBefore(path, "-")}${number}- ${onOneLine(line)}`);
      last = { path, line: number };
    };
    for (const [index, line] of before.entries()) addContext(first + index, line);
    const [head = "", ...below] = text.split("\n");
    // Of a cut line the column is needed to read on.
    const place = endLine !== line ? `${line}-${endLine}` : /^…|…$/.test(text) ? `${line} (column ${column})` : line;
    lines.push(`${pathBefore(path, ":")}${place}: ${onOneLine(head)}`, ...below.map((line) => `  ${onOneLine(line)}`));
    last = { path, line: endLine };
    const next = matches[at + 1];
    for (const [index, line] of after.entries()) {
      if (next?.path === path && next.line <= endLine + index + 1) break;
      addContext(endLine + index + 1, line);
    }
  }
  return lines;
}

/** Some programs display a carriage return as a new line. A crash leaves a block of NULs in a log. */
const onOneLine = (line: string): string => line.replaceAll("\r", String.raw`\r`).replaceAll(/\0+/g, "\\x00");
