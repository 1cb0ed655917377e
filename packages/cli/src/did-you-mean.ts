// The name that somebody probably meant.

/** The known name nearest to what was typed, if one is near. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  if (typed.length > 60) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(typed.length / 3)) + 1;
  for (const name of known) {
    const steps = distance(typed, name);
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

/** How many letters are to be added, left out, changed or swapped with their neighbour. */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + changed);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[to.length] ?? 0;
}
