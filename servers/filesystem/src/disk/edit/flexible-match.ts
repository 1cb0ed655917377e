// Flexible matching: compares lines without the whitespace at their ends, for texts that a model has indented in another way. A match
// counts only when it is the only one in the file, and one shift of the indentation explains it.
import { reindent } from "./indentation.ts";
import { pairLines } from "./line-pairs.ts";

export type Flexible =
  | { readonly kind: "found"; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "many"; readonly lines: readonly number[] }
  | { readonly kind: "uneven"; readonly line: number };

/** Finds the lines of `oldText` in `text` (LF only) and returns their replacement. */
export function matchFlexibly(text: string, oldText: string, newText: string): Flexible {
  // A newline at the end of both only means complete lines.
  const bothEnd = oldText.endsWith("\n") && newText.endsWith("\n");
  const old = (oldText.endsWith("\n") ? oldText.slice(0, -1) : oldText).split("\n");
  const next = (bothEnd ? newText.slice(0, -1) : newText).split("\n");
  const wanted = old.map((line) => line.trim());
  if (wanted.every((line) => line === "")) return { kind: "none" };
  const lines = text.split("\n");
  const places = placesOf(lines, wanted);
  const [place] = places;
  if (place === undefined) return { kind: "none" };
  if (places.length > 1) return { kind: "many", lines: places.map((index) => index + 1) };
  const found = lines.slice(place, place + old.length);
  const shifted = reindent(found, old, next, () => lines);
  if (shifted === undefined) return { kind: "uneven", line: place + 1 };
  const start = lengthOf(lines, place);
  const end = start + lengthOf(found, found.length) - 1;
  const isLast = place + old.length === lines.length;
  const eatsNewline = oldText.endsWith("\n") && !bothEnd && !isLast;
  return { kind: "found", start, end: eatsNewline ? end + 1 : end, text: keepContext(found, old, next, shifted).join("\n") };
}

export const MAX_PLACES = 20;

/** Where the lines occur one after the other, in linear time (Knuth, Morris and Pratt). */
function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  const falls = fallsOf(wanted);
  const places: number[] = [];
  let agreed = 0;
  for (let at = 0; at < lines.length && places.length < MAX_PLACES; at += 1) {
    agreed = agreedAfter(lines[at]?.trim(), agreed, wanted, falls);
    if (agreed === wanted.length) places.push(at + 1 - agreed);
  }
  return places;
}

/** The failure function: for each number of matching lines, how many first lines their last lines repeat. */
function fallsOf(wanted: readonly string[]): number[] {
  const falls = [0, 0];
  for (let at = 1; at < wanted.length; at += 1) falls.push(agreedAfter(wanted[at], falls[at] ?? 0, wanted, falls));
  return falls;
}

/** The number of first wanted lines that match the last lines of a text, after one more line. `before`: the number without it. */
function agreedAfter(line: string | undefined, before: number, wanted: readonly string[], falls: readonly number[]): number {
  let agreed = before;
  while (agreed > 0 && line !== wanted[agreed]) agreed = falls[agreed] ?? 0;
  return line === wanted[agreed] ? agreed + 1 : 0;
}

function lengthOf(lines: readonly string[], count: number): number {
  let length = 0;
  for (let index = 0; index < count; index += 1) length += (lines[index]?.length ?? 0) + 1;
  return length;
}

/**
 * Lines that the edit repeats as context stay as they are in the file: blanks at their end may be a line break of Markdown. Only where
 * the edit has the blanks of the file, and takes them away or adds others, is that a change.
 */
function keepContext(found: readonly string[], old: readonly string[], next: readonly string[], shifted: readonly string[]): string[] {
  const partners = pairLines(old.map(trimEnd), next.map(trimEnd));
  return shifted.map((line, index) => {
    const partner = partners[index];
    if (partner === undefined) return line;
    const [there = "", wanted = ""] = [found[partner], old[partner]];
    return wanted !== next[index] && blanksAtEnd(wanted) === blanksAtEnd(there) ? line : there;
  });
}

const trimEnd = (line: string): string => line.trimEnd();
const blanksAtEnd = (line: string): string => line.slice(line.trimEnd().length);
