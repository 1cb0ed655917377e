// What a search for contents says: a line each as `path:line: text`, lines around it as `path-line- text`, and what is missing.
import { shown } from "../shown.ts";
import type { OutputMode } from "./options.ts";
import type { ContentsResult } from "./search.ts";

export function contentsText(result: ContentsResult, mode: OutputMode = "content"): string {
  const lines =
    mode === "content"
      ? matchLines(result)
      : result.files.map(({ path, count }) => (mode === "count" ? `${shown(path)}: ${count}` : shown(path)));
  const { timedOut, truncated, nextCursor, filesMatched } = result;
  if (timedOut) lines.push("(The time for a search was over: there may be more. Search a smaller directory, or name files with include.)");
  else if (truncated) lines.push(`(${filesMatched} files match; there is more: pass the cursor ${nextCursor} to go on)`);
  else if (lines.length === 0) lines.push("No matches found");
  return lines.join("\n");
}

/** Lines that two matches share are said once; `--` stands where lines are left out. */
function matchLines({ matches }: ContentsResult): string[] {
  const lines: string[] = [];
  const hits = new Set(matches.map(({ path, line }) => `${line}:${path}`));
  let last = { path: "", line: 0 };
  for (const { path, line, text, before, after } of matches) {
    const around = before.length + after.length > 0;
    const first = line - before.length;
    if (around && lines.length > 0 && (last.path !== path || first > last.line + 1)) lines.push("--");
    const say = (number: number, mark: string, said: string) => {
      if (last.path === path && number <= last.line) return;
      // A bare carriage return would begin a new line in some eyes.
      lines.push(`${shown(path)}${mark}${number}${mark} ${said.replaceAll("\r", String.raw`\r`)}`);
      last = { path, line: number };
    };
    for (const [index, said] of before.entries()) say(first + index, "-", said);
    say(line, ":", text);
    for (const [index, said] of after.entries()) {
      if (hits.has(`${line + index + 1}:${path}`)) break;
      say(line + index + 1, "-", said);
    }
  }
  return lines;
}
