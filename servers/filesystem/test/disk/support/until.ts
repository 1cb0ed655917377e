/** Waits for something to become true, looking often; an error says what was waited for. */
export async function until(what: string, holds: () => boolean, ms = 3000): Promise<void> {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
