// Waits for what must come true; used where tests run side by side, as `expect.poll` knows one test at a time only.

/** Polls until a value fits, and gives it; an error contains the last value. Only what hangs takes as long as the limit. */
export async function soon<T>(look: () => T | Promise<T>, fits: (seen: T) => boolean, withinMs = 30_000): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
