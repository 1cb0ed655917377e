// Cuts long lines, such as those of minified files, around what matters in them.

/** A part of a line, in characters. */
export interface LinePart {
  readonly start: number;
  readonly length: number;
}

const ELLIPSIS = "…";
/** From this length on, lines of a patch or a blame that does not fit are cut. */
export const LONG_LINE = 1000;
const SHOWN = 400;
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc_00) === 0xdc_00;

/** At most `size` characters of a line around a part of it, with an ellipsis where something is left out. */
export function cutAround(line: string, { start, length }: LinePart, size: number): string {
  if (line.length <= size) return line;
  const room = Math.max(0, size - Math.min(length, size));
  let from = Math.min(Math.max(0, start - Math.floor(room / 2)), line.length - size);
  if (isLowSurrogate(line, from)) from++;
  let to = Math.min(line.length, from + size);
  if (isLowSurrogate(line, to)) to--;
  return `${from > 0 ? ELLIPSIS : ""}${line.slice(from, to)}${to < line.length ? ELLIPSIS : ""}`;
}

/** The same patch with its long lines cut around what changed in them; each of these ends with its column and its length. */
export function shortenPatch(patch: string): string {
  const lines = patch.split("\n");
  if (!lines.some(({ length }) => length > LONG_LINE)) return patch;
  const printed = [...lines];
  for (let at = 0; at < lines.length; at++) {
    // Removed lines, then the added ones that replace them, pair by pair.
    const removed = runOf(lines, at, "-");
    const added = runOf(lines, at + removed, "+");
    for (let n = 0; n < Math.max(removed, added); n++) {
      const [before, after] = [n < removed ? at + n : undefined, n < added ? at + removed + n : undefined];
      const [old = "", young = ""] = [before, after].map((index) => (index === undefined ? undefined : lines[index]));
      const parts = before === undefined || after === undefined ? undefined : changedParts(old.slice(1), young.slice(1));
      if (before !== undefined) printed[before] = shortenSigned(old, parts?.[0]);
      if (after !== undefined) printed[after] = shortenSigned(young, parts?.[1]);
    }
    if (removed + added > 0) at += removed + added - 1;
    else printed[at] = shortenSigned(lines[at] ?? "");
  }
  return printed.join("\n");
}

const shortenSigned = (line: string, part?: LinePart): string => line.slice(0, 1) + shortenLine(line.slice(1), part);

/** How many lines from `at` on begin with the sign. Headers of a patch are short, so it does no harm to take them for lines. */
function runOf(lines: readonly string[], at: number, sign: string): number {
  let end = at;
  while (lines[end]?.startsWith(sign) === true) end++;
  return end - at;
}

/** Where two lines differ. */
export function changedParts(old: string, young: string): [LinePart, LinePart] {
  const shorter = Math.min(old.length, young.length);
  let start = 0;
  while (start < shorter && old[start] === young[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === young.at(-1 - end)) end++;
  return [
    { start, length: old.length - end - start },
    { start, length: young.length - end - start },
  ];
}

/** A line that is longer than {@link LONG_LINE}, cut around a part of it and followed by the column of that part. */
export const shortenLine = (line: string, part: LinePart = { start: 0, length: 0 }): string =>
  line.length <= LONG_LINE ? line : `${cutAround(line, part, SHOWN)} [column ${part.start + 1} of ${line.length}]`;
