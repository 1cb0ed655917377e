// Waits for a condition. For concurrent tests, where `expect.poll` does not work.

/** Polls until the value fits, and returns it. The error on a timeout has the last value. */
export async function waitFor<T>(look: () => T | Promise<T>, fits: (seen: T) => boolean, withinMs = 3000): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
