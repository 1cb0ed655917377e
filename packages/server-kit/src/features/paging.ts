// Pages of a list. The cursor names the last entry of a page, so that later additions do not shift the pages. It is opaque to clients,
// but neither encrypted nor signed. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
import { invalidParams } from "../protocol/errors.ts";

/** One page of a list. */
export interface Page<T> {
  items: readonly T[];
  nextCursor?: string;
}

/** The page after the cursor. Throws -32602 when the cursor belongs to another list, or its entry was removed. */
export function pageOf<T>(kind: string, all: readonly T[], keyOf: (item: T) => string, cursor: unknown, size: number): Page<T> {
  let from = 0;
  if (cursor !== undefined && cursor !== null) {
    const key = decodeCursor(kind, cursor);
    from = key === undefined ? 0 : all.findIndex((item) => keyOf(item) === key) + 1;
    if (from === 0) throw invalidParams("Invalid cursor");
  }
  const items = all.slice(from, from + size);
  const last = items.at(-1);
  return from + size < all.length && last !== undefined ? { items, nextCursor: encodeCursor(kind, keyOf(last)) } : { items };
}

function encodeCursor(kind: string, key: string): string {
  // btoa accepts only characters of one byte.
  return btoa(encodeURIComponent(`${kind} ${key}`)).replaceAll("=", "");
}

/** The key in a cursor. Decoding it once is a hundred times cheaper than encoding the key of each entry for a comparison. */
function decodeCursor(kind: string, cursor: unknown): string | undefined {
  if (typeof cursor !== "string") return undefined;
  try {
    const key = decodeURIComponent(atob(cursor)).slice(kind.length + 1);
    return encodeCursor(kind, key) === cursor ? key : undefined;
  } catch {
    return undefined; // not a cursor of this server
  }
}
