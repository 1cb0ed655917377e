// `node:timers/promises` for browsers: what the client and the examples use of it.

export async function setTimeout<T>(ms?: number, value?: T, { signal }: { signal?: AbortSignal } = {}): Promise<T | undefined> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = globalThis.setTimeout(resolve, ms);
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    await promise;
    return value;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

export const setImmediate = (): Promise<void> => setTimeout(0);
