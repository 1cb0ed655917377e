// Pairs the lines of two texts that are the same, by the longest common subsequence.

/** With more pairs to compare, only the first and last lines are paired. */
const MAX_PAIRS = 250_000;

/** For each new line the index of the old line that it repeats; undefined for a line that is new. */
export function pairLines(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const [beforeEnd, afterEnd] = [before.length - tail, after.length - tail];
  const middle =
    (beforeEnd - head) * (afterEnd - head) > MAX_PAIRS
      ? after.slice(head, afterEnd).map(() => undefined)
      : pairMiddle(before.slice(head, beforeEnd), after.slice(head, afterEnd)).map((index) =>
          index === undefined ? undefined : index + head,
        );
  return after.map((_, index) => {
    if (index < head) return index;
    return index >= afterEnd ? index - after.length + before.length : middle[index - head];
  });
}

function pairMiddle(before: readonly string[], after: readonly string[]): (number | undefined)[] {
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
