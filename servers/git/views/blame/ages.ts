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

/** From 0 for the oldest date of a file to 1 for its newest one. */
export class AgeScale {
  #oldest = Infinity;
  #newest = -Infinity;

  /** Ignores text that is not a date. */
  add(dates: Iterable<string>): void {
    for (const date of dates) {
      const time = Date.parse(date);
      if (Number.isNaN(time)) continue;
      this.#oldest = Math.min(this.#oldest, time);
      this.#newest = Math.max(this.#newest, time);
    }
  }

  shareOf(date: string): number {
    const time = Date.parse(date);
    return Number.isNaN(time) || this.#newest <= this.#oldest ? 1 : (time - this.#oldest) / (this.#newest - this.#oldest);
  }
}
