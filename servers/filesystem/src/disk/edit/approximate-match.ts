// Finds a short text approximately inside longer lines: by the number of its short pieces in a window, and then by edit distance
// (the algorithm of Sellers). The first step is linear in the text, the second runs on a few windows only.
import { foldMapped } from "./text-folding.ts";

export interface ApproximateMatch {
  /** From 0. */
  readonly line: number;
  /** From 0, in the line itself. */
  readonly column: number;
  /** 1 for an equal text, 0 for one without anything in common. */
  readonly likeness: number;
}

/** Lines of a file, plain and folded, and of an edit, folded. */
export interface FoldedLines {
  readonly lines: readonly string[];
  readonly lineKeys: readonly string[];
  readonly keys: readonly string[];
}

const MAX_WANTED = 200;
const MAX_WINDOWS = 12;
const MIN_LIKENESS = 0.5;
const MIN_SHORT_LIKENESS = 0.7;
const SHORT = 6;
const HASHES = 65_536;
/** A part of the pieces that must be in a window. */
const MIN_PIECES = 0.25;

interface Window {
  readonly line: number;
  /** In the folded line. */
  readonly from: number;
  readonly pieces: number;
}

/** The most alike first. `index`: that of the wanted line. */
export function matchApproximately({ keys, lines, lineKeys }: FoldedLines, index: number): ApproximateMatch[] {
  const wanted = (keys[index] ?? "").slice(0, MAX_WANTED);
  if (wanted.length < 3) return [];
  const least = wanted.length < SHORT ? MIN_SHORT_LIKENESS : MIN_LIKENESS;
  return windowsOf(lineKeys, wanted)
    .map(({ line, from }) => align(lines[line] ?? "", line, from, wanted))
    .filter(({ likeness }) => likeness >= least)
    .sort((a, b) => b.likeness - a.likeness);
}

/** The windows with the most pieces of the wanted text, one for each line. */
function windowsOf(lineKeys: readonly string[], wanted: string): Window[] {
  const size = wanted.length < 8 ? 2 : 3;
  const isPiece = new Uint8Array(HASHES);
  for (let at = 0; at + size <= wanted.length; at += 1) isPiece[hashAt(wanted, at, size)] = 1;
  const least = Math.max(1, Math.floor((wanted.length - size + 1) * MIN_PIECES));
  let best: Window[] = [];
  for (const [line, text] of lineKeys.entries()) {
    const window = densestWindow(text, wanted.length, size, isPiece);
    if (window.pieces < least) continue;
    best.push({ line, ...window });
    if (best.length >= 10 * MAX_WINDOWS) best = first(best);
  }
  return first(best);
}

const first = (windows: Window[]): Window[] => windows.sort((a, b) => b.pieces - a.pieces).slice(0, MAX_WINDOWS);

function densestWindow(text: string, length: number, size: number, isPiece: Uint8Array): { from: number; pieces: number } {
  let [pieces, most, from] = [0, 0, 0];
  for (let at = 0; at + size <= text.length; at += 1) {
    pieces += isPiece[hashAt(text, at, size)] ?? 0;
    if (at >= length) pieces -= isPiece[hashAt(text, at - length, size)] ?? 0;
    if (pieces > most) [most, from] = [pieces, Math.max(0, at - length + 1)];
  }
  return { from, pieces: most };
}

function hashAt(text: string, at: number, size: number): number {
  let hash = 0;
  for (let index = at; index < at + size; index += 1) hash = (Math.imul(hash, 257) + text.charCodeAt(index)) & (HASHES - 1);
  return hash;
}

/** Where the wanted text fits best near a window: the fewest insertions, deletions and exchanges. */
function align(text: string, line: number, near: number, wanted: string): ApproximateMatch {
  const { text: folded, indexes } = foldMapped(text);
  const from = Math.max(0, near - wanted.length);
  const window = folded.slice(from, near + 2 * wanted.length);
  // For each end in the wanted text: the distance, and where the match begins in the window.
  let distances = Uint16Array.from({ length: wanted.length + 1 }, (_, index) => index);
  let starts = new Uint16Array(wanted.length + 1);
  let best = { distance: wanted.length, start: 0 };
  for (let at = 0; at < window.length; at += 1) {
    const next = new Uint16Array(wanted.length + 1);
    const nextStarts = new Uint16Array(wanted.length + 1);
    nextStarts[0] = at + 1;
    for (let index = 1; index <= wanted.length; index += 1) {
      const exchanged = (distances[index - 1] ?? 0) + (window.charCodeAt(at) === wanted.charCodeAt(index - 1) ? 0 : 1);
      const [inserted, deleted] = [(distances[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1];
      const least = Math.min(exchanged, inserted, deleted);
      next[index] = least;
      const source = least === exchanged ? starts[index - 1] : least === inserted ? starts[index] : nextStarts[index - 1];
      nextStarts[index] = source ?? 0;
    }
    [distances, starts] = [next, nextStarts];
    const distance = distances[wanted.length] ?? 0;
    if (distance < best.distance) best = { distance, start: starts[wanted.length] ?? 0 };
  }
  return { line, column: indexes[from + best.start] ?? 0, likeness: 1 - best.distance / wanted.length };
}
