// Points in time as callers write them, and the calls that they stand for.
import { clip, GraphError } from "../errors.ts";
import type { Store } from "../store/store.ts";

/** Milliseconds since 1970. A date alone is its beginning, in UTC. */
export function timeOf(given: string): number {
  const [text, date] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:(?<=-\d{2}-\d{2})[T ]\d{2}:\d{2}.*)?$/.exec(given.trim()) ?? [];
  const time = Date.parse(text?.replace(" ", "T") ?? "");
  // The 30th of February would be the 2nd of March.
  if (date === undefined || Number.isNaN(time) || !new Date(date).toISOString().startsWith(date))
    throw new GraphError("invalid", `Expected a time such as 2026-05-31 or 2026-05-31T12:00:00Z, not ${JSON.stringify(clip(given, 60))}.`);
  return time;
}

/** The first call at or behind a time; higher than all where there is none. */
export function seqSince(store: Store, given: string): number {
  return store.get<{ seq: number | null }>("SELECT min(seq) AS seq FROM call WHERE at >= ?", timeOf(given))?.seq ?? Number.MAX_SAFE_INTEGER;
}

/** The last call up to a time, 0 where there is none. A date alone means all of that day, or month. */
export function seqUntil(store: Store, given: string): number {
  const time = timeOf(given);
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(given.trim()) ?? [];
  const end = year === undefined ? time : day === undefined ? Date.UTC(Number(year), Number(month)) - 1 : time + 86_400_000 - 1;
  return store.get<{ seq: number | null }>("SELECT max(seq) AS seq FROM call WHERE at <= ?", end)?.seq ?? 0;
}
