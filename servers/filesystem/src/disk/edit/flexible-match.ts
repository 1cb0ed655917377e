// Matching whole lines without regard to blanks at their ends, for texts that a model has indented its own way. Only a
// single place in the file counts, and only when one shift of the indentation explains it.
import { reindent } from "./indentation.ts";

export type Flexible =
  | { readonly kind: "found"; readonly start: number; readonly end: number; readonly text: string }
  | { readonly kind: "none" }
  | { readonly kind: "many"; readonly lines: readonly number[] }
  | { readonly kind: "uneven"; readonly line: number };

/** Finds the lines of `old` in `text` (LF only) and gives what is to be put in their place. */
export function matchFlexibly(text: string, oldText: string, newText: string): Flexible {
  // A newline at the end of both only says that whole lines are meant.
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

const MAX_PLACES = 20;

/** Where the lines occur one after the other. Each line is looked at about once, however much the text repeats itself. */
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

/** For each count of lines that agree: how many of the first lines the last of them repeat (Knuth, Morris and Pratt). */
function fallsOf(wanted: readonly string[]): number[] {
  const falls = [0, 0];
  for (let at = 1; at < wanted.length; at += 1) falls.push(agreedAfter(wanted[at], falls[at] ?? 0, wanted, falls));
  return falls;
}

/** How many of the first wanted lines agree with the last of a text, where it was `before` and one more line comes. */
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

/** Lines that the edit only repeats, before and after what it changes, stay as they are in the file. */
function keepContext(found: readonly string[], old: readonly string[], next: readonly string[], shifted: readonly string[]): string[] {
  const result = [...shifted];
  const most = Math.min(old.length, next.length);
  let head = 0;
  for (; head < most && old[head] === next[head]; head += 1) result[head] = found[head] ?? "";
  for (let tail = 1; tail <= most - head && old.at(-tail) === next.at(-tail); tail += 1) result[next.length - tail] = found.at(-tail) ?? "";
  return result;
}
