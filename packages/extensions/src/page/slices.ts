/** Long work in slices, so that the page answers in between. */

const SLICE_MS = 10;

/** Calls `work` for each item and pauses after every few milliseconds; ends early when `isCurrent` is false. */
export async function inSlices<T>(items: readonly T[], work: (item: T) => void, isCurrent: () => boolean = () => true): Promise<void> {
  let start = performance.now();
  for (const item of items) {
    if (performance.now() - start > SLICE_MS) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      start = performance.now();
    }
    if (!isCurrent()) return;
    work(item);
  }
}
