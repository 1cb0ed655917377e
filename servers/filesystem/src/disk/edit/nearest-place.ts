// Finds the places of a file that resemble a text most. Each line that both have votes for the place where the text would begin; then all
// lines of the best places are compared. Where no line is the same, the longest line of the text is looked for inside the lines of the file.
import { matchApproximately, type FoldedLines } from "./approximate-match.ts";
import { fold } from "./text-folding.ts";

export interface Place {
  /** Of the first line of the text, from 0; negative where the text begins before the file. */
  readonly line: number;
  /** Where the text begins in that line, from 0. */
  readonly column: number;
  /** 1 for an equal text, 0 for one without anything in common. */
  readonly likeness: number;
  /** Lines of the text that are the same there, folded. */
  readonly sameLines: number;
}

export interface Places {
  readonly nearest: Place;
  /** Further places that are nearly as like, the most alike first. */
  readonly others: readonly Place[];
  /** How many such places there are. */
  readonly otherCount: number;
}

const MAX_COMPARED = 500;
/** Lines that the text may have more or fewer than the file. */
const SHIFTS = [-1, 1, -2, 2, -3, 3];
const MAX_SHIFT = 3;
const NEAR_LIKENESS = 0.95;
/** Of lines that are not the same. */
const MAX_PARTLY = 0.9;
/** A shorter part of a line is in too many lines. */
const MIN_PART = 4;
/** The rest of a longer line adds nothing about its place. */
const MAX_WEIGHT = 20;
const MIN_LIKENESS = 0.2;
/** With less, the longest line is looked for inside other lines too. */
const SURE_LIKENESS = 0.6;
const NEAR = 0.9;

/** `lineKeys`: the lines, folded. `hint`: the line on which the text should begin, where that is known. It decides between places that are alike. */
export function nearestPlaces(
  lines: readonly string[],
  lineKeys: readonly string[],
  wanted: readonly string[],
  hint?: number,
): Places | undefined {
  const text = { wanted, keys: wanted.map((line) => fold(line)), lines, lineKeys };
  const votes = votesFor(text);
  const voted = mostVoted(votes);
  const compared = voted.map((at) => placeAt(text, at - wanted.length));
  if (Math.max(0, ...compared.map(({ likeness }) => likeness)) < SURE_LIKENESS) compared.push(...byLongestLine(text));
  const distance = ({ line }: Place): number => (hint === undefined ? 0 : Math.abs(line - hint));
  const [nearest, ...rest] = compared
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness || distance(a) - distance(b) || a.line - b.line);
  if (nearest === undefined) return undefined;
  const others = apart(
    wanted.length,
    nearest,
    rest.filter(({ likeness }) => likeness >= NEAR * nearest.likeness),
  );
  const least = (votes[nearest.line + wanted.length] ?? 0) || Infinity;
  const hasAsMany = (count: number): boolean => count >= least;
  const notCompared = votes.filter(hasAsMany).length - voted.filter((at) => hasAsMany(votes[at] ?? 0)).length;
  return { nearest, others, otherCount: others.length + notCompared };
}

interface Texts extends FoldedLines {
  readonly wanted: readonly string[];
}

/** Without the places that are others in a text with a line more or less. */
function apart(length: number, nearest: Place, places: readonly Place[]): Place[] {
  const least = Math.min(length, MAX_SHIFT + 1);
  const kept = [nearest];
  for (const place of places) if (kept.every(({ line }) => Math.abs(line - place.line) >= least)) kept.push(place);
  return kept.slice(1);
}

/**
 * For each line where the text would begin the weight of the lines that both have; lines that are rare in the file weigh more. The first
 * index is that of a text which ends just before the file.
 */
function votesFor({ keys, lineKeys }: Texts): Float64Array {
  const offsets = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) if (key !== "") offsets.set(key, [...(offsets.get(key) ?? []), index].slice(0, 4));
  const found = new Map<string, number[]>();
  for (const [index, key] of lineKeys.entries()) {
    if (!offsets.has(key)) continue;
    const indexes = found.get(key);
    if (indexes === undefined) found.set(key, [index]);
    else indexes.push(index);
  }
  const votes = new Float64Array(lineKeys.length + keys.length);
  for (const [key, indexes] of found) {
    const weight = Math.min(key.length, MAX_WEIGHT) / (1 + Math.log2(indexes.length));
    for (const index of indexes)
      for (const offset of offsets.get(key) ?? []) {
        const at = index - offset + keys.length;
        votes[at] = (votes[at] ?? 0) + weight;
      }
  }
  return votes;
}

/** The indexes with the most votes, without sorting all of them. */
function mostVoted(votes: Float64Array): number[] {
  const first = (indexes: number[]) => indexes.sort((a, b) => (votes[b] ?? 0) - (votes[a] ?? 0) || a - b).slice(0, MAX_COMPARED);
  let [best, least]: [number[], number] = [[], 0];
  for (const [at, count] of votes.entries()) {
    if (count <= least) continue;
    best.push(at);
    if (best.length < 10 * MAX_COMPARED) continue;
    best = first(best);
    least = votes[best.at(-1) ?? 0] ?? 0;
  }
  return first(best);
}

function byLongestLine(text: Texts): Place[] {
  const longest = text.keys.reduce((best, line, index) => (line.length > (text.keys[best]?.length ?? 0) ? index : best), 0);
  return matchApproximately(text, longest).map(({ line, column, likeness }) => ({
    ...placeAt(text, line - longest, { index: longest, likeness }),
    ...(text.wanted.length === 1 && { column }),
  }));
}

/** `known`: the likeness of one of the lines. */
function placeAt({ wanted, keys, lines, lineKeys }: Texts, line: number, known?: { index: number; likeness: number }): Place {
  let [sum, weights, sameLines] = [0, 0, 0];
  for (const [index, key] of keys.entries()) {
    const weight = Math.min(key.length, MAX_WEIGHT) + 1;
    const there = lineKeys[line + index];
    const straight = there === undefined ? 0 : likenessOf(there, key, index === 0, index === keys.length - 1);
    const isNear = straight < NEAR_LIKENESS && key !== "" && isBeside(lineKeys, line + index, key);
    const likeness = Math.max(straight, isNear ? NEAR_LIKENESS : 0, known?.index === index ? known.likeness : 0);
    weights += weight;
    sum += weight * likeness;
    if (straight === 1) sameLines += 1;
  }
  return { line, column: columnOf(lines[line], wanted), likeness: sum / weights, sameLines };
}

/** A line beside is the same, or the line is two lines of the file without the newline between them. */
function isBeside(lineKeys: readonly string[], at: number, key: string): boolean {
  const there = lineKeys[at] ?? "";
  if (there + (lineKeys[at + 1] ?? "") === key || (lineKeys[at - 1] ?? "") + there === key) return true;
  return SHIFTS.some((by) => lineKeys[at + by] === key);
}

/** The first line may be the end of a line of the file, and the last one the start of a line. */
function likenessOf(there: string, key: string, isFirst: boolean, isLast: boolean): number {
  if (there === key) return 1;
  const isInside = (isFirst && isLast && there.includes(key)) || (isFirst && there.endsWith(key)) || (isLast && there.startsWith(key));
  if (key.length >= MIN_PART && isInside) return 1;
  const most = Math.min(there.length, key.length);
  let head = 0;
  while (head < most && there[head] === key[head]) head += 1;
  let tail = 0;
  while (tail < most - head && there.at(-1 - tail) === key.at(-1 - tail)) tail += 1;
  return (MAX_PARTLY * (head + tail)) / Math.max(there.length, key.length, 1);
}

function columnOf(there: string | undefined, [first = "", ...rest]: readonly string[]): number {
  if (there === undefined || first.trim() === "") return 0;
  if (rest.length === 0) return Math.max(there.indexOf(first), 0);
  return there.endsWith(first) ? there.length - first.length : 0;
}

/** Where the text has more or fewer lines than the file, the place of its last lines is shifted: that of its first lines is meant. */
export function firstLineOf({ line }: Place, lines: readonly string[], wanted: readonly string[]): number {
  const offset = wanted.findIndex((text) => text.trim() !== "");
  const key = fold(wanted[offset] ?? "");
  const shift = [0, ...SHIFTS].find((by) => lines[line + offset + by] !== undefined && fold(lines[line + offset + by] ?? "") === key);
  return line + (shift ?? 0);
}
