// Long synchronous work in short slices, so that other requests of the process continue between them.
import { actingPerson } from "./fairness/acting-person.ts";
import { FairQueue, type PersonalWork } from "./fairness/fair-queue.ts";

interface Slice extends PersonalWork {
  readonly start: () => void;
}

/** One slice runs in each round of the event loop, of each person in turn: else a short call would wait for a slice of every long one. */
const slices = new FairQueue<Slice>(1);

/** Lets timers, input and other requests run. Rejects with the abort reason when `signal` has aborted. */
export async function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    if (slices.waiting.length === 0) setImmediate(startNext);
    slices.add({ person: actingPerson(), start: resolve });
  });
  signal?.throwIfAborted();
}

function startNext(): void {
  const next = slices.next();
  if (next === undefined) return;
  slices.start(next);
  slices.remove(next);
  next.start();
  if (slices.waiting.length > 0) setImmediate(startNext);
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
