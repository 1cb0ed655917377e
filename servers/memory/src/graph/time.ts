// Points in time as callers write them, and the calls that they stand for.
import { clip, GraphError } from "./errors.ts";
import type { Store } from "./store.ts";

/** Milliseconds since 1970. A date alone is its beginning, in UTC. */
export function timeOf(given: string): number {
  const time = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}.*)?)?$/.test(given.trim())
    ? Date.parse(given.trim().replace(" ", "T"))
    : Number.NaN;
  if (Number.isNaN(time))
    throw new GraphError("invalid", `Expected a time such as 2026-05-31 or 2026-05-31T12:00:00Z, not ${JSON.stringify(clip(given, 60))}.`);
  return time;
}

/** The first call at or behind a time; higher than all where there is none. */
export function seqSince(store: Store, given: string): number {
  return store.get<{ seq: number | null }>("SELECT min(seq) AS seq FROM call WHERE at >= ?", timeOf(given))?.seq ?? Number.MAX_SAFE_INTEGER;
}

/** The last call up to a time, 0 where there is none. A date alone means all of that day. */
export function seqUntil(store: Store, given: string): number {
  const time = timeOf(given);
  const end = /^\d{4}-\d{2}-\d{2}$/.test(given.trim()) ? time + 86_400_000 - 1 : time;
  return store.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM call WHERE at <= ?", end)?.seq ?? 0;
}
