/** Polls until a condition is true; an error names the condition. Only what hangs takes as long as the limit, also on a busy machine. */
export async function until(what: string, holds: () => boolean, ms = 30_000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
