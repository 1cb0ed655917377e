// Waits for what must come true; used where tests run side by side, as `expect.poll` knows one test at a time only.

/** Looks until it fits, and gives what it saw; an error says what was seen last. */
export async function soon<T>(look: () => T | Promise<T>, fits: (seen: T) => boolean, withinMs = 4000): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (fits(seen)) return seen;
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
