// Line endings of replaced text: each line gets the ending of the line that it repeats, so context lines keep theirs, and new lines get
// that of their neighbours.
import { pairLines } from "./line-pairs.ts";

/** `text` (LF only) with the line endings of `region`, the part that it replaces, or `outer` where that has none. */
export function withLineEnds(text: string, region: string, outer: "\n" | "\r\n"): string {
  const ends = [...region.matchAll(/\r?\n/g)].map(([end]) => end);
  const [first = outer] = ends;
  if (ends.every((end) => end === first)) return first === "\n" ? text : text.replaceAll("\n", first);
  const lines = text.split("\n");
  const partners = pairLines(region.split(/\r?\n/), lines);
  let end = first;
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      end = ends[partners[index] ?? -1] ?? end;
      return line + end;
    })
    .join("");
}
