// Cursors of replies that come in pages. The key is in the store, so that each process that shares the store can continue.
import { CursorSealer } from "@oarlock/domain-kit";
import type { Store } from "../store/store.ts";

/** Where a page ended. */
export type Position = readonly (number | string)[];

/** The key is created with the store. */
const sealerOf = (store: Store): CursorSealer => new CursorSealer(() => store.meta<Buffer>("cursorKey") ?? Buffer.alloc(32));

/** `query`: everything that decides what the list holds and in which order. */
export const sealCursor = (store: Store, query: readonly unknown[], position: Position): string =>
  sealerOf(store).seal(query, JSON.stringify(position));

/** Throws a DomainError for a cursor that was made up, changed, or taken from another query. */
export function openCursor(store: Store, query: readonly unknown[], cursor: string): Position {
  return JSON.parse(sealerOf(store).open(query, cursor)) as Position; // sealed by sealCursor
}
