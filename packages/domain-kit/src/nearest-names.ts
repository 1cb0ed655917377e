// Suggestions for mistyped names ("did you mean …?").

const MAX_NAMES = 2000;
const MAX_LENGTH = 100;

/**
 * The known names that differ least from a mistyped one, nearest first, letter case ignored. Empty when none is near: more than
 * a third of the letters would have to change. A name that begins with the other counts as near.
 * @param most How many names to return. Default 3.
 */
export function nearestNames(mistyped: string, known: Iterable<string>, most = 3): string[] {
  const wanted = mistyped.slice(0, MAX_LENGTH).toLowerCase();
  const maxDistance = Math.max(1, Math.floor(wanted.length / 3));
  const near: { name: string; distance: number }[] = [];
  let seen = 0;
  for (const name of known) {
    if (++seen > MAX_NAMES) break;
    const distance = distanceOf(wanted, name.slice(0, MAX_LENGTH).toLowerCase(), maxDistance);
    if (distance <= maxDistance && distance < Math.max(wanted.length, 1)) near.push({ name, distance });
  }
  return near
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Damerau-Levenshtein distance: letters added, left out, changed, or swapped with their neighbour. */
function distanceOf(from: string, to: string, max: number): number {
  if (from === to) return 0;
  if (from.length > 2 && to.length > 2 && (from.startsWith(to) || to.startsWith(from))) return 1;
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const change = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (isSwap) least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      row.push(least);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? max + 1;
}
