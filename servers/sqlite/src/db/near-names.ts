// Names that somebody may have meant.

/** At most three names that differ little from the wrong one, the nearest first. */
export function nearest(wrong: string, names: readonly string[]): string[] {
  const meant = wrong.slice(0, 100).toLowerCase();
  const most = Math.ceil(meant.length / 4);
  return names
    .slice(0, 2000)
    .map((name) => ({ name, away: distance(meant, name.slice(0, 100).toLowerCase(), most) }))
    .filter(({ away }) => away <= most && away < meant.length)
    .toSorted((one, other) => one.away - other.away)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Changed, added and left out characters; one name that begins with the other is near. */
function distance(one: string, other: string, most: number): number {
  if (one === other) return 0;
  if (one.length > 2 && other.length > 2 && (one.startsWith(other) || other.startsWith(one))) return 1;
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      next.push(Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + same));
    }
    row = next;
  }
  return row[other.length] ?? most + 1;
}
