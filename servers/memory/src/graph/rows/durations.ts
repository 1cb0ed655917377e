// Durations as people write them: 12h, 7d, 2w, 6mo or 1y.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS, mo: 30 * DAY_MS, y: 365 * DAY_MS };

/** Milliseconds; undefined for another text. A month has 30 days, a year 365. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})\s*(h|d|w|mo|y)$/i.exec(text.trim()) ?? [];
  const milliseconds = UNITS[unit.toLowerCase()];
  return count === undefined || milliseconds === undefined ? undefined : Number(count) * milliseconds;
}

/** The same for how long something is kept: at least an hour. */
export function parseRetention(text: string): number | undefined {
  const milliseconds = parseDuration(text);
  return milliseconds === 0 ? undefined : milliseconds;
}
