// Line endings of replaced text: each line gets the ending of the line that it repeats, so context lines keep theirs, and new lines get
// that of their neighbours.

const PAIRS = 250_000;

/** `text` (LF only) with the line endings of `region`, the part that it replaces, or `outer` where that has none. */
export function withLineEnds(text: string, region: string, outer: "\n" | "\r\n"): string {
  const ends = [...region.matchAll(/\r?\n/g)].map(([end]) => end);
  const [first = outer] = ends;
  if (ends.every((end) => end === first)) return first === "\n" ? text : text.replaceAll("\n", first);
  const before = region.split(/\r?\n/);
  const lines = text.split("\n");
  const partners = before.length * lines.length <= PAIRS ? pair(before, lines) : [];
  let end = first;
  return lines
    .map((line, index) => {
      if (index === lines.length - 1) return line;
      end = ends[partners[index] ?? -1] ?? end;
      return line + end;
    })
    .join("");
}

/** For each new line the index of the old line that it repeats, by the longest common subsequence. */
function pair(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const width = after.length + 1;
  const common = new Uint32Array((before.length + 1) * width);
  const best = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = before[i] === after[j] ? best(i + 1, j + 1) + 1 : Math.max(best(i + 1, j), best(i, j + 1));
    }
  }
  const partners: (number | undefined)[] = after.map(() => undefined);
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) partners[j++] = i++;
    else if (best(i + 1, j) >= best(i, j + 1)) i += 1;
    else j += 1;
  }
  return partners;
}
