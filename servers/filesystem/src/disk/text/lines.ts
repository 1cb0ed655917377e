// Lines: a line ends with a newline or with the text, and the newline at the end of a file does not begin another line. Bytes are
// divided into lines without being decoded.
import { unitOf, type Encoding } from "./encoding.ts";

export type LineEnding = "lf" | "crlf" | "mixed" | "none";

export interface LineCount {
  readonly lines: number;
  readonly lineEnding: LineEnding;
  /** The characters of the longest line, with its ending. */
  readonly longest: number;
}

/** Counts the lines of a text without its byte order mark. Searching a string is faster than searching a buffer, in any encoding. */
export function countLines(text: string): LineCount {
  let newlines = 0;
  let carriages = 0;
  let [end, longest] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", end)) {
    newlines += 1;
    if (text.charCodeAt(at - 1) === 13) carriages += 1;
    if (at - end >= longest) longest = at - end + 1;
    end = at + 1;
  }
  const lines = newlines + (end < text.length ? 1 : 0);
  return { lines, lineEnding: endingOf(newlines, carriages), longest: Math.max(longest, text.length - end) };
}

/** Most texts have no CR, which is found out without counting. */
export function lineEndingOf(text: string): LineEnding {
  if (text.includes("\r")) return countLines(text).lineEnding;
  return text.includes("\n") ? "lf" : "none";
}

function endingOf(newlines: number, carriages: number): LineEnding {
  if (newlines === 0) return "none";
  if (carriages === 0) return "lf";
  return carriages === newlines ? "crlf" : "mixed";
}

/** The byte after the next newline at or after `from`; -1 when there is none. `from` lies on a unit. */
export function afterNewline(bytes: Buffer, encoding: Encoding, from: number): number {
  if (unitOf(encoding) === 1) return newlineFrom(bytes, from) + 1 || -1;
  const low = encoding === "utf-16be" ? 1 : 0;
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if ((at & 1) === low && bytes[at ^ 1] === 0 && (at | 1) < bytes.length) return (at | 1) + 1;
  }
  return -1;
}

const NEAR = 16;

// For a few bytes a loop is faster than Buffer.indexOf, and many lines are short.
function newlineFrom(bytes: Buffer, from: number): number {
  const far = Math.min(from + NEAR, bytes.length);
  for (let at = from; at < far; at += 1) if (bytes[at] === 10) return at;
  return far === bytes.length ? -1 : bytes.indexOf(10, far);
}

/** The byte after the last newline that ends at or before `to`; -1 when there is none. */
export function afterNewlineBefore(bytes: Buffer, encoding: Encoding, to: number): number {
  if (to <= 0) return -1;
  if (unitOf(encoding) === 1) return bytes.lastIndexOf(10, to - 1) + 1 || -1;
  const low = encoding === "utf-16be" ? 1 : 0;
  for (let at = bytes.lastIndexOf(10, to - 1); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(10, at - 1)) {
    if ((at & 1) === low && bytes[at ^ 1] === 0 && (at | 1) < to) return (at | 1) + 1;
  }
  return -1;
}

/** The end of the text of a line whose newline ends at `after`, without the newline and a carriage return before it. */
export function withoutNewline(bytes: Buffer, encoding: Encoding, after: number): number {
  const unit = unitOf(encoding);
  const low = encoding === "utf-16be" ? 1 : 0;
  const isCode = (at: number, code: number) => at >= 0 && bytes[at + low] === code && (unit === 1 || bytes[(at + low) ^ 1] === 0);
  if (!isCode(after - unit, 10)) return after;
  return isCode(after - 2 * unit, 13) ? after - 2 * unit : after - unit;
}
