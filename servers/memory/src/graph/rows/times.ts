// Finds calls by times that callers write: 2026-05-31, 2026-05, 2026-05-31T12:00:00Z, or 7d for seven days ago.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { parseDuration } from "./durations.ts";
import { periodOf } from "./fact-times.ts";
import type { Rows } from "./rows.ts";

/** Milliseconds since 1970. */
export const timeSince = (time: string): number => parseTime(time);

/** The first call at or after a time, or a number above all calls. */
export const seqSince = (rows: Rows, time: string): number => rows.calls.firstSince(parseTime(time)) ?? Number.MAX_SAFE_INTEGER;

/** Milliseconds since 1970. A year, month or day without a time of day includes all of it. */
export const timeUntil = (time: string): number => (parseDuration(time) === undefined ? periodOf(time)?.end : undefined) ?? parseTime(time);

/** The last call up to a time, or 0. */
export const seqUntil = (rows: Rows, time: string): number => rows.calls.lastUntil(timeUntil(time)) ?? 0;

/** The same for a question about the past. Throws where the history of that time was removed. */
export function seqAsOf(rows: Rows, time: string): number {
  const seq = seqUntil(rows, time);
  const start = rows.calls.historyStart();
  if (seq >= start) return seq;
  throw new GraphError(
    "not-found",
    `History of that time not found: what ended before ${startOfHistory(rows, start)} was removed (--keep-history). Ask for a later time.`,
  );
}

/** When the call was that begins the kept history. */
export const startOfHistory = (rows: Rows, start: number): string => new Date(rows.calls.find(start)?.at ?? 0).toISOString();

/** Milliseconds since 1970. A year, month or day is its beginning in UTC. */
function parseTime(given: string): number {
  const duration = parseDuration(given);
  if (duration !== undefined) return Date.now() - duration;
  const period = periodOf(given);
  if (period === undefined)
    throw new GraphError(
      "invalid",
      `Time ${JSON.stringify(clip(given, 60))} not understood: a time such as 2026-05-31 or 2026-05-31T12:00:00Z, or a duration such as 7d, is expected. Now it is ${new Date().toISOString()}.`,
    );
  return period.start;
}
