/** What came of it, as a table and in sentences. */
import { courseOf, type Course } from "@oarlock-tooling/test-support/growth";
import { markdownTable } from "@oarlock-tooling/test-support/markdown-table";
import { COLUMNS, type Bounds, type Column } from "./growth.ts";
import type { Soaked } from "./soak.ts";

const MIB = 1024 * 1024;
const inBytes = (column: Column): boolean => column === "rss" || column === "heap";
const format = (column: Column, value: number): string =>
  Number.isNaN(value) ? "–" : inBytes(column) ? `${(value / MIB).toFixed(1)} MiB` : String(value);

const courseIn = ({ samples }: Soaked, column: Column, bounds: Bounds): Course =>
  courseOf(
    samples.map((sample) => sample[column]),
    bounds[column],
  );

const actsOf = ({ acts }: Soaked): number => Object.values(acts).reduce((sum, one) => sum + one, 0);

/** A table with second third → last third of each figure. */
export function tableOf(all: readonly Soaked[], bounds: Bounds): string {
  const head = ["server", "acts", ...COLUMNS, "left over", "faults"];
  const rows = all.map((one) => [
    one.name,
    String(actsOf(one)),
    ...COLUMNS.map((column) => {
      const { second, last, grows } = courseIn(one, column, bounds);
      return `${format(column, second)} → ${format(column, last)}${grows ? " !" : ""}`;
    }),
    String(one.left.length),
    String(one.faults.length),
  ]);
  return markdownTable(head, rows);
}

/** Whatever is not as it must be. */
export function wrongIn(one: Soaked, bounds: Bounds): string[] {
  const { name, left, faults } = one;
  const growing = COLUMNS.map((column) => ({ column, ...courseIn(one, column, bounds) })).filter(({ grows }) => grows);
  return [
    ...growing.map(({ column, second, last }) => `${name}: ${column} grows from ${format(column, second)} to ${format(column, last)}`),
    ...left.map((what) => `${name}: left over: ${what}`),
    ...faults.map((what) => `${name}: ${what}`),
    ...(actsOf(one) === 0 ? [`${name}: nothing was done`] : []),
  ];
}
