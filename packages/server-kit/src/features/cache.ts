// Cache hints: how long clients may keep a result, and whether they may share it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/caching
import type { Json } from "../wire/json-rpc.ts";

/** How long, and for whom, clients may keep a result (newest era). https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
export interface Cache {
  /** How long the result stays valid, in milliseconds; 0 forbids caching. */
  ttlMs?: number;
  /** `public`: the same for every authorized caller; `private`: for this caller only. */
  scope?: "public" | "private";
}

/** Lists are the same for every client, and their changes are notified. */
export const LISTS: Readonly<Required<Cache>> = { ttlMs: 60_000, scope: "public" };
/** Contents may change at any time, and may be readable by some callers only. */
export const CONTENTS: Readonly<Required<Cache>> = { ttlMs: 0, scope: "private" };

/** Marks a page that another client may get in another form, in revisions that have cache hints: it must not be shared. */
export const forOneClient = (page: Json): Json => ("cacheScope" in page ? { ...page, cacheScope: "private" } : page);

/** The cache members of a result. Throws a TypeError unless the time is a whole number from 0. */
export function hintsOf(cache: Cache, otherwise: Readonly<Required<Cache>>): Json {
  const { ttlMs = otherwise.ttlMs, scope = otherwise.scope } = cache;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) throw new TypeError(`cache.ttlMs: expected a whole number of milliseconds, not ${ttlMs}`);
  return { ttlMs, cacheScope: scope };
}
