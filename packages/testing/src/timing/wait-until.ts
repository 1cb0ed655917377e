// Polling for a condition. Usable in concurrent tests, where `expect.poll` is not.

const INTERVAL_MS = 20;

/**
 * Reads a value until `accepts` returns true, and returns it. Throws after `timeoutMs` (default 60,000, which only ends what hangs), with the last value.
 * @example
 * await waitUntil(() => client.read(uri), ({ contents }) => contents.length === 2);
 */
export async function waitUntil<T>(read: () => T | Promise<T>, accepts: (value: T) => boolean, timeoutMs = 60_000): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (accepts(value)) return value;
    if (performance.now() > end) throw new Error(`Condition not met within ${timeoutMs} ms; last value: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}
