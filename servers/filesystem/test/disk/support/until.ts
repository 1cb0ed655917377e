/** Polls until a condition is true; an error names the condition. */
export async function until(what: string, holds: () => boolean, ms = 3000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
