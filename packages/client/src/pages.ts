// Lists that come in pages. Cursors are opaque: handed back as they came, and never kept beyond one walk.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { BadAnswer } from "./errors.ts";

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** All entries of a list, page by page as they are walked over. */
export interface Listing<T> extends AsyncIterable<T> {
  /** One page: the first, or the one that a cursor names. */
  page(cursor?: string): Promise<Page<T>>;
  /** All entries at once. */
  all(): Promise<T[]>;
}

/** A server that never ends its list ends here. */
const MOST_PAGES = 10_000;

/** The list in member `key` of what `ask` gets. */
export function listing<T>(key: string, ask: (params: Json) => Promise<Json>): Listing<T> {
  const page = async (cursor?: string): Promise<Page<T>> => {
    const result = await ask(cursor === undefined ? {} : { cursor });
    const items = result[key];
    if (!Array.isArray(items) || !items.every(isObject)) throw new BadAnswer(`The server's answer has no list of ${key}`);
    const { nextCursor } = result;
    return { items: items as T[], ...(typeof nextCursor === "string" && { nextCursor }) }; // objects; their members are the server's word
  };
  const walk = async function* (): AsyncGenerator<T, void> {
    let cursor: string | undefined;
    for (let count = 0; count < MOST_PAGES; count++) {
      const { items, nextCursor } = await page(cursor);
      yield* items;
      if (nextCursor === undefined) return;
      if (nextCursor === cursor) throw new BadAnswer(`The server's list of ${key} leads back to the same page`);
      cursor = nextCursor;
    }
    throw new BadAnswer(`The server's list of ${key} has more than ${MOST_PAGES} pages`);
  };
  const all = async (): Promise<T[]> => {
    const items: T[] = [];
    for await (const item of walk()) items.push(item);
    return items;
  };
  return { page, all, [Symbol.asyncIterator]: walk };
}
