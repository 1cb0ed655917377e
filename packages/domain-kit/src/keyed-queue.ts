// Serialized work: one piece at a time for each key.

/** Runs pieces of work with the same key one after another, in the order in which they were added; other keys run side by side. */
export class KeyedQueue {
  /** The end of the last piece of work for each key. */
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier work with this key has ended. Rejects with the abort reason when `signal` aborts before that. */
  async run<T>(key: string, work: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const previous = this.#tails.get(key);
    const ended = Promise.withResolvers<void>();
    // Work that stops waiting must not let the next one start early, so the tail waits for the previous one too.
    const tail = previous === undefined ? ended.promise : previous.then(() => ended.promise);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      if (previous !== undefined) await settledOrAborted(previous, signal);
      signal?.throwIfAborted();
      return await work();
    } finally {
      ended.resolve();
    }
  }

  /** How many keys have work that has not ended. */
  get size(): number {
    return this.#tails.size;
  }
}

/** Resolves with `promise`, or as soon as `signal` aborts. */
async function settledOrAborted(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  const abort = Promise.withResolvers<void>();
  const onAbort = (): void => abort.resolve();
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted === true) onAbort();
  try {
    await Promise.race([promise, abort.promise]);
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
