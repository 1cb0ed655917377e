// Long work in short pieces, so that everything else in this process goes on between them.

/** How long one piece may take, in milliseconds. */
const SLICE = 5;

/** All at once. */
export function atOnce<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Runs work to its end; each `yield` is a place where it may pause, and tells how far it is. */
export async function inSlices<Y, T>(work: Generator<Y, T>, signal?: AbortSignal, progress?: (done: Y) => void): Promise<T> {
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < SLICE) continue;
    progress?.(step.value);
    await new Promise((resolve) => setImmediate(resolve));
    if (signal?.aborted === true) {
      work.return(undefined as T); // its result is not used
      signal.throwIfAborted();
    }
    since = performance.now();
  }
}
