// Paginated lists. A cursor is opaque: it is returned unchanged, and not kept after one iteration.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
import { INVALID_PARAMS, isObject, McpError, type Json } from "@oarlock/server-kit/protocol";
import { InvalidResponseError } from "./errors.ts";

export interface Page<T> {
  items: T[];
  nextCursor?: string;
}

/** The entries of a list. Iteration requests pages as needed. */
export interface PagedList<T> extends AsyncIterable<T> {
  /** One page: the first one, or the one that `cursor` names. */
  page(cursor?: string): Promise<Page<T>>;
  /** All entries. */
  all(): Promise<T[]>;
}

/** Bound for servers whose list never ends. */
const MAX_PAGES = 10_000;

/**
 * Creates the list in member `key` of the results of `request`. `dropCachedPages` drops pages cached earlier, whose cursors the
 * server may have forgotten; it returns false if there were none.
 */
export function pagedList<T extends object>(
  key: string,
  request: (params: Json) => Promise<Json>,
  dropCachedPages?: () => boolean,
): PagedList<T> {
  const page = async (cursor?: string): Promise<Page<T>> => {
    const result = await request(cursor === undefined ? {} : { cursor });
    const items = result[key];
    if (!Array.isArray(items) || !items.every(isObject))
      throw new InvalidResponseError(`Invalid list result: expected an array of objects in "${key}"`);
    const { nextCursor } = result;
    return { items: items as T[], ...(typeof nextCursor === "string" && { nextCursor }) }; // objects; their members are not validated
  };
  const iterate = async function* (): AsyncGenerator<T, void> {
    const yielded = new Set<string>();
    let hasRestarted = false;
    let cursor: string | undefined;
    let first: Page<T> | undefined;
    for (let count = 0; count < MAX_PAGES; count++) {
      let current: Page<T>;
      try {
        current = await page(cursor);
      } catch (error) {
        const isCursorRejected = cursor !== undefined && error instanceof McpError && error.code === INVALID_PARAMS;
        if (isCursorRejected && dropCachedPages?.() === true) {
          cursor = undefined;
          hasRestarted = true;
          continue;
        }
        if (isCursorRejected && cursor === "") return;
        throw error;
      }
      if (cursor === undefined) first = current;
      // "" is a cursor. Servers that mean the end by it refuse it when it comes back, or take it as none and send the first page again.
      if (cursor === "" && JSON.stringify(current) === JSON.stringify(first)) return;
      for (const item of current.items) {
        const isNew = addKey(yielded, item);
        if (isNew || !hasRestarted) yield item; // after a restart, entries of the first attempt are skipped
      }
      if (current.nextCursor === undefined) return;
      if (current.nextCursor === cursor) throw new InvalidResponseError(`Invalid list of ${key}: the next cursor leads to the same page`);
      cursor = current.nextCursor;
    }
    throw new InvalidResponseError(`List of ${key} too long: expected at most ${MAX_PAGES} pages`);
  };
  const all = async (): Promise<T[]> => {
    const items: T[] = [];
    for await (const item of iterate()) items.push(item);
    return items;
  };
  return { page, all, [Symbol.asyncIterator]: iterate };
}

/** Adds the identity of an entry; false if it was present. */
function addKey(keys: Set<string>, { name, uri, uriTemplate }: { name?: unknown; uri?: unknown; uriTemplate?: unknown }): boolean {
  const sizeBefore = keys.size;
  return keys.add(JSON.stringify([name, uri, uriTemplate])).size > sizeBefore;
}
