// Pages of a list. The cursor names the last entry of a page, so later additions do not shift the pages; it is opaque
// to clients, protects nothing and hides nothing. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
import { invalidParams } from "../protocol/errors.ts";

export interface Page<T> {
  items: readonly T[];
  nextCursor?: string;
}

/** The page after the cursor. Throws -32602 when the cursor belongs to another list, or its entry was removed. */
export function pageOf<T>(kind: string, all: readonly T[], keyOf: (item: T) => string, cursor: unknown, size: number): Page<T> {
  let from = 0;
  if (cursor !== undefined) {
    const key = keyIn(kind, cursor);
    from = key === undefined ? 0 : all.findIndex((item) => keyOf(item) === key) + 1;
    if (from === 0) throw invalidParams("Invalid cursor");
  }
  const items = all.slice(from, from + size);
  const last = items.at(-1);
  return from + size < all.length && last !== undefined ? { items, nextCursor: cursorOf(kind, keyOf(last)) } : { items };
}

function cursorOf(kind: string, key: string): string {
  // Percent escapes first, as btoa accepts single bytes only.
  return btoa(encodeURIComponent(`${kind} ${key}`)).replaceAll("=", "");
}

/** The key in a cursor. Decoding it once is a hundred times cheaper than encoding the key of each entry to compare. */
function keyIn(kind: string, cursor: unknown): string | undefined {
  if (typeof cursor !== "string") return undefined;
  try {
    const key = decodeURIComponent(atob(cursor)).slice(kind.length + 1);
    return cursorOf(kind, key) === cursor ? key : undefined;
  } catch {
    return undefined; // not a cursor of this server
  }
}
