// Lists that come in pages. Cursors are opaque: handed back as they came, and never kept beyond one walk.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
import { INVALID_PARAMS, isObject, McpError, type Json } from "@oarlock/server-kit/protocol";
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

/**
 * The list in member `key` of what `ask` gets. `forget` lets go of pages that were kept from earlier, whose cursors the server
 * may not take any more; false when there were none.
 */
export function listing<T extends object>(key: string, ask: (params: Json) => Promise<Json>, forget?: () => boolean): Listing<T> {
  const page = async (cursor?: string): Promise<Page<T>> => {
    const result = await ask(cursor === undefined ? {} : { cursor });
    const items = result[key];
    if (!Array.isArray(items) || !items.every(isObject)) throw new BadAnswer(`The server's answer has no list of ${key}`);
    const { nextCursor } = result;
    return { items: items as T[], ...(typeof nextCursor === "string" && { nextCursor }) }; // objects; their members are the server's word
  };
  const walk = async function* (): AsyncGenerator<T, void> {
    const told = new Set<string>();
    let anew = false;
    let cursor: string | undefined;
    for (let count = 0; count < MOST_PAGES; count++) {
      let got: Page<T>;
      try {
        got = await page(cursor);
      } catch (error) {
        const turned = cursor !== undefined && error instanceof McpError && error.code === INVALID_PARAMS;
        if (!turned || forget?.() !== true) throw error;
        cursor = undefined;
        anew = true;
        continue;
      }
      // What was told before the list was begun anew is not told again.
      for (const item of got.items) {
        const isNew = note(told, item);
        if (isNew || !anew) yield item;
      }
      if (got.nextCursor === undefined) return;
      if (got.nextCursor === cursor) throw new BadAnswer(`The server's list of ${key} leads back to the same page`);
      cursor = got.nextCursor;
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

/** False for an entry that was noted before. */
function note(told: Set<string>, { name, uri, uriTemplate }: { name?: unknown; uri?: unknown; uriTemplate?: unknown }): boolean {
  const before = told.size;
  return told.add(JSON.stringify([name, uri, uriTemplate])).size > before;
}
