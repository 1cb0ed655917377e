// Cursors of replies that come in pages. The key is in the store, so that each process that shares the store can continue.
import { CursorSealer } from "@oarlock/domain-kit";
import type { Rows } from "../rows/rows.ts";

/** Where a page ended. */
export type Position = readonly (number | string)[];

/** The key is created with the memory. */
const sealerOf = (rows: Rows): CursorSealer => new CursorSealer(rows.cursorKey());

/** `query`: everything that decides what the list holds and in which order. */
export const sealCursor = (rows: Rows, query: readonly unknown[], position: Position): string =>
  sealerOf(rows).seal(query, JSON.stringify(position));

/** Throws a DomainError for a cursor that was made up, changed, or taken from another query. */
export function openCursor(rows: Rows, query: readonly unknown[], cursor: string): Position {
  return JSON.parse(sealerOf(rows).open(query, cursor)) as Position; // sealed by sealCursor
}
