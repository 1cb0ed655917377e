// A time limit that tolerates pauses of a busy test machine.

const MAX_ATTEMPTS = 3;

/**
 * Expects `run` to finish within `ms` milliseconds in at least one of three attempts. Every attempt must succeed. A paused machine
 * therefore fails no test, and a slow server fails every attempt.
 * @example
 * await expectWithin(1000, async () => expect(await client.call("ping")).toBe("pong"));
 */
export async function expectWithin(ms: number, run: () => Promise<void>): Promise<void> {
  const durations: number[] = [];
  do {
    const start = performance.now();
    await run();
    durations.push(Math.round(performance.now() - start));
  } while (Math.min(...durations) > ms && durations.length < MAX_ATTEMPTS);
  if (Math.min(...durations) > ms)
    throw new Error(`Too slow: expected one attempt within ${ms} ms; the attempts took ${durations.join(", ")} ms`);
}
