// Pages of a sorted list. A cursor names the last entry of a page instead of an offset, so entries that are added or removed between two
// pages neither repeat nor hide others.
import type { CursorSealer } from "@oarlock/domain-kit";
import { REPLY_BYTES } from "../text/reply-size.ts";

const PAGE_LIMIT = 5000;

/** The sort keys of an entry. */
export interface Ranked {
  readonly name: string;
  /** From `orderOf`: unique in its folder. */
  readonly order: string;
  readonly size: number;
}

export interface Page<Item> {
  readonly entries: readonly Item[];
  /** Place of the first entry, from 0. */
  readonly offset: number;
  /** Entries on all pages. */
  readonly total: number;
  /** More come after this page. */
  readonly truncated: boolean;
  readonly nextCursor?: string;
}

export type Comparing = (a: Ranked, b: Ranked) => number;

/** The order of the system, by bytes. */
export const inOrder: Comparing = (a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0);

/** The order of names in the reference server. `localeCompare` on plain ASCII is fast; a collator takes 20 ms to make. */
export const byName: Comparing = (a, b) => a.name.localeCompare(b.name) || inOrder(a, b);

export const largestFirst: Comparing = (a, b) => b.size - a.size || inOrder(a, b);

export interface PageOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** The most bytes of the page in the reply. */
  readonly maxBytes?: number | undefined;
}

/** What a cursor belongs to, and what seals it. */
export interface CursorScope {
  readonly cursors: CursorSealer;
  readonly query: readonly unknown[];
}

/** `finish` makes an item for the reply, with its size in bytes. */
export function cutPage<Item extends Ranked, Result>(
  sorted: readonly Item[],
  { cursors, query }: CursorScope,
  compare: Comparing,
  options: PageOptions,
  finish: (item: Item) => { readonly entry: Result; readonly bytes: number },
): Page<Result> {
  const offset = options.cursor === undefined ? 0 : firstAfter(sorted, placed(cursors.open(query, options.cursor)), compare);
  const most = Math.min(offset + (options.limit ?? PAGE_LIMIT), sorted.length);
  const entries: Result[] = [];
  let bytes = 0;
  for (const item of sorted.slice(offset, most)) {
    const finished = finish(item);
    bytes += finished.bytes;
    // A page has at least one entry, so that there is always a next page.
    if (bytes > (options.maxBytes ?? REPLY_BYTES) && entries.length > 0) break;
    entries.push(finished.entry);
  }
  const end = offset + entries.length;
  const last = sorted[end - 1];
  const truncated = end < sorted.length;
  return {
    entries,
    offset,
    total: sorted.length,
    truncated,
    ...(truncated && last && { nextCursor: cursors.seal(query, `${last.size}:${last.order}`) }),
  };
}

function placed(place: string): Ranked {
  const colon = place.indexOf(":");
  const order = place.slice(colon + 1);
  return { size: Number(place.slice(0, colon)), order, name: Buffer.from(order, "latin1").toString() };
}

/** The number of entries up to the place, by binary search. */
function firstAfter(sorted: readonly Ranked[], place: Ranked, compare: Comparing): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = sorted[middle];
    if (entry && compare(entry, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
