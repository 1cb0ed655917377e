// Keys of rows as JSON objects.
import type { Column } from "../protocol/rows.ts";
import { uniqueNames } from "../unique-names.ts";

/** Kept for each statement. */
const cache = new WeakMap<readonly Column[], string[]>();

/** `"name":` for each column. Where columns share a name, later ones get a number. */
export function columnKeys(columns: readonly Column[]): string[] {
  const cached = cache.get(columns);
  if (cached !== undefined) return cached;
  const keys = uniqueNames(columns.map(({ name }) => name)).map((name) => `${JSON.stringify(name)}:`);
  cache.set(columns, keys);
  return keys;
}
