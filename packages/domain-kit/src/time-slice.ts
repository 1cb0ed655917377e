// Long synchronous work in short slices, so that other requests of the process continue between them.

/** Lets timers, input and other requests run. Rejects with the abort reason when `signal` has aborted. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  signal?.throwIfAborted();
}

/**
 * Measures how long the current slice has lasted.
 * @example
 * const slice = new TimeSlice();
 * for (const item of items) {
 *   work(item);
 *   if (slice.isOver) await slice.next(signal);
 * }
 */
export class TimeSlice {
  readonly #ms: number;
  #startedAt = performance.now();

  /** @param ms How long a slice may last, in milliseconds. Default 5. */
  constructor(ms = 5) {
    this.#ms = ms;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt >= this.#ms;
  }

  /** Yields to the event loop and begins another slice. Rejects with the abort reason when `signal` has aborted. */
  async next(signal?: AbortSignal): Promise<void> {
    await yieldToEventLoop(signal);
    this.#startedAt = performance.now();
  }
}
