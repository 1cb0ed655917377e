// Runs generators to their end in time slices, so that other requests of this process go on in between. Each `yield` of such
// a generator is a place where it may pause, and its value tells how far it is.
import { TimeSlice } from "@oarlock/domain-kit";
import type { SliceOptions } from "../graph.ts";

/** Takes up to `count` steps. The result is that of the last step. */
export function runSteps<Progress, T>(work: Generator<Progress, T>, count: number): IteratorResult<Progress, T> {
  let step = work.next();
  for (let left = count - 1; left > 0 && step.done !== true; left--) step = work.next();
  return step;
}

export async function runInSlices<Progress, T>(
  work: Generator<Progress, T>,
  { signal, onProgress }: SliceOptions<Progress> = {},
): Promise<T> {
  const slice = new TimeSlice();
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      if (!slice.isOver) continue;
      onProgress?.(step.value);
      await slice.next(signal);
    }
  } finally {
    work.return(undefined as T); // frees what an aborted generator holds; its result is not used
  }
}
