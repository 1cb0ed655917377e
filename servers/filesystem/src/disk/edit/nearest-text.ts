// Finds the places in a file that resemble a text that was not found, with the first difference at each. Takes little more than one pass
// over the file, whatever the texts.
import { clip } from "@oarlock/domain-kit";

const MAX_CANDIDATES = 3;
const MAX_LINES = 200;
const MAX_TEXT = 4_000_000;

/** Lines for a message; none when nothing in the file resembles the text. */
export function describeNearest(text: string, oldText: string): string[] {
  if (text.length > MAX_TEXT) return [];
  const lines = text.split("\n");
  const old = oldText.replace(/\n$/, "").split("\n").slice(0, MAX_LINES);
  const places = byCommonLines(lines, old);
  const found = places.length > 0 ? places : byLikeness(lines, old);
  return found.slice(0, MAX_CANDIDATES).map((place) => describe(lines, old, place));
}

/** Places where most lines match, ignoring whitespace: each matching line votes for the place where the text would begin. */
function byCommonLines(lines: readonly string[], old: readonly string[]): number[] {
  const at = new Map<string, number[]>();
  for (const [index, line] of old.entries()) {
    const key = line.trim();
    if (key !== "") at.set(key, [...(at.get(key) ?? []), index].slice(0, 4));
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    for (const offset of at.get(line.trim()) ?? []) {
      // A closing bracket is common, so short lines have little weight.
      votes.set(index - offset, (votes.get(index - offset) ?? 0) + Math.min(line.trim().length, 20));
    }
  }
  return [...votes].sort(([, a], [, b]) => b - a).map(([place]) => place);
}

/** Places of the lines that begin and end most like the longest line of the text. */
function byLikeness(lines: readonly string[], old: readonly string[]): number[] {
  const offset = old.reduce((best, line, index) => (line.trim().length > (old[best]?.trim().length ?? 0) ? index : best), 0);
  const wanted = old[offset]?.trim() ?? "";
  const likeness = lines.map((line, index) => [index - offset, alike(line.trim(), wanted)] as const);
  return likeness
    .filter(([, score]) => score >= 0.5)
    .sort(([, a], [, b]) => b - a)
    .map(([place]) => place);
}

function alike(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  return (head + tail) / Math.max(a.length, b.length, 1);
}

function describe(lines: readonly string[], old: readonly string[], place: number): string {
  const index = old.findIndex((line, at) => lines[place + at] !== line);
  const number = place + Math.max(index, 0);
  const [wanted, there] = [old[index] ?? "", lines[number]];
  if (there === undefined) return `- line ${Math.max(place, 0) + 1}: the text goes on after the end of the file`;
  let column = 0;
  while (column < wanted.length && wanted[column] === there[column]) column += 1;
  const hidden = UNSEEN.test(wanted.slice(column, column + 2) + there.slice(column, column + 2));
  const [meant, found] = [show(wanted, column, hidden), show(there, column, hidden)];
  return `- line ${number + 1}, column ${column + 1}: oldText has ${meant}, the file has ${found}`;
}

/** Unusual spaces, characters without width, and combining accents: with these, both texts look the same. */
const UNSEEN = /(?! )[\p{Z}\p{Cf}\p{M}]/u;

// As JSON, where tabs are visible; and escaped beyond ASCII, where the difference would be invisible.
function show(line: string, column: number, hidden: boolean): string {
  const start = column > 60 ? column - 40 : 0;
  const json = JSON.stringify(clip(line.slice(start, start + 160), 120));
  const quoted = hidden ? json.replace(/[^\u0020-\u007e…]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) : json;
  return `${start > 0 ? "…" : ""}${quoted}`;
}
