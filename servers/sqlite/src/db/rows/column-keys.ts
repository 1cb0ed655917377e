// Keys of rows as JSON objects.
import type { Column } from "../protocol/rows.ts";

/** Kept for each statement. */
const cache = new WeakMap<readonly Column[], string[]>();

/** `"name":` for each column. Where columns share a name, later ones get a number. */
export function columnKeys(columns: readonly Column[]): string[] {
  const cached = cache.get(columns);
  if (cached !== undefined) return cached;
  const names = new Set(columns.map(({ name }) => name));
  const taken = new Set<string>();
  const keys = columns.map(({ name }) => {
    let key = name;
    for (let number = 2; taken.has(key); number += 1) key = names.has(`${name}_${number}`) ? name : `${name}_${number}`;
    taken.add(key);
    return `${JSON.stringify(key)}:`;
  });
  cache.set(columns, keys);
  return keys;
}
