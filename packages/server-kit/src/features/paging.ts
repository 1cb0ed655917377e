// Pages of a list. The cursor names the last entry seen, so entries that come later do not shift the pages; it is opaque
// to clients, protects nothing and hides nothing. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
import { invalidParams } from "../protocol/errors.ts";

export interface Page<T> {
  items: readonly T[];
  nextCursor?: string;
}

/** The page after the cursor. Throws -32602 when the cursor is none of this list's, or its entry is gone. */
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
  // Percent escapes first: base64 here takes single bytes only.
  return btoa(encodeURIComponent(`${kind} ${key}`)).replaceAll("=", "");
}

/** What a cursor of ours names: taken apart once, as to put one together for each entry costs a hundred times more. */
function keyIn(kind: string, cursor: unknown): string | undefined {
  if (typeof cursor !== "string") return undefined;
  try {
    const key = decodeURIComponent(atob(cursor)).slice(kind.length + 1);
    return cursorOf(kind, key) === cursor ? key : undefined;
  } catch {
    return undefined; // not of our making
  }
}
