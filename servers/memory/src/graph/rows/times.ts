// Finds calls by times that callers write: 2026-05-31, 2026-05, 2026-05-31T12:00:00Z, or 7d for seven days ago.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import { parseDuration } from "./durations.ts";
import type { Rows } from "./rows.ts";

const DAY_MS = 86_400_000;

/** The first call at or after a time, or a number above all calls. */
export const seqSince = (rows: Rows, time: string): number => rows.calls.firstSince(parseTime(time)) ?? Number.MAX_SAFE_INTEGER;

/** The last call up to a time, or 0. A date or month without a time of day includes all of it. */
export function seqUntil(rows: Rows, time: string): number {
  const start = parseTime(time);
  const [, year, month, day] = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(time.trim()) ?? [];
  const end = year === undefined ? start : day === undefined ? Date.UTC(Number(year), Number(month)) - 1 : start + DAY_MS - 1;
  return rows.calls.lastUntil(end) ?? 0;
}

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

/** Milliseconds since 1970. A date or month is its beginning in UTC. */
function parseTime(given: string): number {
  const duration = parseDuration(given);
  if (duration !== undefined) return Date.now() - duration;
  const [text, date] = /^(\d{4}-\d{2}(?:-\d{2})?)(?:(?<=-\d{2}-\d{2})[T ]\d{2}:\d{2}.*)?$/.exec(given.trim()) ?? [];
  const time = Date.parse(text?.replace(" ", "T") ?? "");
  // Date.parse reads the 30th of February as the 2nd of March.
  if (date === undefined || Number.isNaN(time) || !new Date(date).toISOString().startsWith(date))
    throw new GraphError(
      "invalid",
      `Time ${JSON.stringify(clip(given, 60))} not understood: a time such as 2026-05-31 or 2026-05-31T12:00:00Z, or a duration such as 7d, is expected. Now it is ${new Date().toISOString()}.`,
    );
  return time;
}
