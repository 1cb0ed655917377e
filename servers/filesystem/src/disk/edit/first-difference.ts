// Describes the first difference between a text that an edit names and a place of the file.
import { escapeControlsInJson, truncateText } from "@oarlock/domain-kit";
import { FOLDED, fold, foldMapped } from "./text-folding.ts";

/** A longer text takes too long to be folded in all ways. */
const MAX_FOLDED = 20_000;

/** One line for a message. `start`: where the text would begin. `lineOf`: the number of a line of the text in the message. */
export function describeDifference(text: string, wanted: string, start: number, lineOf: (line: number) => number): string {
  let same = 0;
  while (same < wanted.length && wanted[same] === text[start + same]) same += 1;
  const at = Math.min(start + same, text.length);
  const begin = startOfLine(text, at);
  const line = lineOf(countNewlines(text, at) + 1);
  if (at === text.length && wanted.slice(same) === "\n") {
    return `- line ${line}: oldText ends with a newline, and the file ends here without one. Leave the last newline out`;
  }
  if (at === text.length && same > 0) return `- line ${line}: the text goes on after the end of the file`;
  const [wantedLine, wantedColumn] = lineAround(wanted, same);
  const [there, column] = lineAround(text, at);
  const hidden = UNSEEN.test(wantedLine.slice(wantedColumn, wantedColumn + 2) + there.slice(column, column + 2));
  const [meant, found] = [show(wantedLine, wantedColumn, hidden), show(there, column, hidden)];
  return `- line ${line}, column ${at - begin + 1}: oldText has ${meant}, the file has ${found}`;
}

/** In what a text differs from a place of the file, where folding makes the two equal: such as "quotes". */
export function foldedDifferences(text: string, wanted: string, start: number): string[] {
  if (wanted.length > MAX_FOLDED) return [];
  const around = text.slice(start, start + 2 * wanted.length + 200);
  const { text: folded, indexes } = foldMapped(around);
  const key = fold(wanted);
  if (key === "" || !folded.startsWith(key)) return [];
  const there = around.slice(0, indexes[key.length] ?? around.length);
  return FOLDED.filter((kind) => fold(there, kind).trim() !== fold(wanted, kind).trim());
}

function lineAround(text: string, at: number): [line: string, column: number] {
  const begin = startOfLine(text, at);
  const end = text.indexOf("\n", at);
  return [text.slice(begin, end === -1 ? text.length : end), at - begin];
}

// A search from -1 would begin at 0.
const startOfLine = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1);

function countNewlines(text: string, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Unusual spaces, characters without width, and combining accents: with these, both texts look the same. */
const UNSEEN = /(?! )[\p{Z}\p{Cf}\p{M}]/u;

// As JSON, where tabs are visible; and escaped beyond ASCII, where the difference would be invisible.
function show(line: string, column: number, hidden: boolean): string {
  const start = column > 60 ? column - 40 : 0;
  const json = escapeControlsInJson(JSON.stringify(truncateText(line.slice(start, start + 160), 120)));
  const quoted = hidden ? json.replace(/[^\u0020-\u007e…]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) : json;
  return `${start > 0 ? "…" : ""}${quoted}`;
}
