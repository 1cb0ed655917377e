/** Growth: whether a figure that was taken again and again is rising. */

/** Medians of the second and the last third; the first third is for what a program makes once. */
export interface Course {
  readonly second: number;
  readonly last: number;
  readonly grows: boolean;
}

/** @param bound How much the last third may lie above the second: figures go up and down with what is under way. */
export function courseOf(values: readonly number[], bound: number): Course {
  const third = Math.floor(values.length / 3);
  const second = median(values.slice(third, 2 * third));
  const last = median(values.slice(2 * third));
  return { second, last, grows: last - second > bound };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
