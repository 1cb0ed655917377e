// Counts with singular and plural.

/** A count with its noun: `counted(1, "row")` is "1 row", `counted(2, "entity", "entities")` is "2 entities". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
