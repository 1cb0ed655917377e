// How long clients may keep what they are given, and whether they may share it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/caching
import type { Json } from "../wire/json-rpc.ts";

/** How long, and for whom, clients may keep a result (newest era). https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
export interface Cache {
  /** How long it stays good, in milliseconds; 0 for not at all. */
  ttlMs?: number;
  /** `public`: the same for everybody who may ask; `private`: for this caller only. */
  scope?: "public" | "private";
}

/** Lists are the same for all, and their changes are told. */
export const LISTS: Readonly<Required<Cache>> = { ttlMs: 60_000, scope: "public" };
/** What is read may change at any time, and not everybody may read it. */
export const CONTENTS: Readonly<Required<Cache>> = { ttlMs: 0, scope: "private" };

/** As results carry it. Throws a TypeError on a time that is no whole number from 0 on. */
export function hintsOf(cache: Cache, otherwise: Readonly<Required<Cache>>): Json {
  const { ttlMs = otherwise.ttlMs, scope = otherwise.scope } = cache;
  if (!Number.isSafeInteger(ttlMs) || ttlMs < 0) throw new TypeError(`cache.ttlMs: expected a whole number of milliseconds, not ${ttlMs}`);
  return { ttlMs, cacheScope: scope };
}
