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
