/** Growth: which changes between samples count as leaks. */
import { countsOf, type Sample } from "./sample.ts";

/** What is looked at in the course of a run. */
export const COLUMNS = ["rss", "heap", "fds", "threads", "children", "handles", "timers", "sessions"] as const;
export type Column = (typeof COLUMNS)[number];

/** How much the median of the last third may lie above that of the second third. */
export type Bounds = Readonly<Record<Column, number>>;

const MIB = 1024 * 1024;

/** Resident memory goes up and down with the collector's mood; counts, with what is under way just then. */
export const BOUNDS: Bounds = {
  rss: 24 * MIB,
  heap: 1.5 * MIB,
  fds: 8,
  threads: 2,
  children: 3,
  handles: 10,
  timers: 6,
  sessions: 6,
};

/** For a run of seconds, in which code is still being compiled. */
export const SHORT_BOUNDS: Bounds = {
  rss: 64 * MIB,
  heap: 5 * MIB,
  fds: 24,
  threads: 4,
  children: 6,
  handles: 30,
  timers: 20,
  sessions: 30,
};

export interface Course {
  second: number;
  last: number;
  grows: boolean;
}

export function courseOf(samples: readonly Sample[], column: Column, bounds: Bounds): Course {
  const values = samples.map((one) => one[column]);
  const third = Math.floor(values.length / 3);
  const second = median(values.slice(third, 2 * third));
  const last = median(values.slice(2 * third));
  return { second, last, grows: last - second > bounds[column] };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** What there is more of than before, now that all clients have gone, in words. */
export function leftovers(before: Sample, after: Sample): string[] {
  const was = flat(before);
  return Object.entries(flat(after))
    .filter(([name, count]) => count > (was[name] ?? 0))
    .map(([name, count]) => `${name} ${was[name] ?? 0} → ${count}`);
}

const flat = (one: Sample): Record<string, number> => {
  const { resources, counts, ...outside } = countsOf(one);
  return { ...outside, ...resources, ...counts };
};
