// Lists that are read in pages as an operation needs them.
import type { Lookup } from "./lookups.ts";

const FIRST_PAGE = 64;
const MAX_PAGE = 8192;

/** Rows after (or before) a position. `pageAt` gives the key of the page with `size` rows behind `position`. */
export function* pages<Row>(
  lookup: Lookup<string, Row[]>,
  start: number,
  keyOfPage: (position: number, size: number) => string,
  positionOf: (row: Row) => number,
): Generator<Row> {
  let position = start;
  for (let size = FIRST_PAGE; ; size = Math.min(size * 2, MAX_PAGE)) {
    const rows = lookup.get(keyOfPage(position, size));
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < size) return;
    position = positionOf(last);
  }
}
