// How old a line is, in words and as a part of the ages of the file.

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** `3 years ago`; empty for text that is no date. */
export function ageOf(date: string, now: number): string {
  const seconds = (now - Date.parse(date)) / 1000;
  if (Number.isNaN(seconds)) return "";
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? [];
  if (unit === undefined || size === undefined) return "just now";
  const count = Math.floor(seconds / size);
  return `${count.toLocaleString("en")} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** From 0 for the oldest date to 1 for the newest one. */
export function recency(date: string, dates: readonly string[]): number {
  const times = dates.map((one) => Date.parse(one)).filter((time) => !Number.isNaN(time));
  const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
  const newest = times.reduce((most, time) => Math.max(most, time), -Infinity);
  const time = Date.parse(date);
  return Number.isNaN(time) || newest <= oldest ? 1 : (time - oldest) / (newest - oldest);
}
