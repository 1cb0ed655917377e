const TRIES = 3;

/**
 * Does something that must be done within `ms` milliseconds: it must go well each time, and once of three times it must be that fast.
 * So a machine that pauses fails no test, and a server that is slow fails each.
 * @example
 * await promptly(1000, async () => expect(await client.call("ping")).toBe("pong"));
 */
export async function promptly(ms: number, act: () => Promise<void>): Promise<void> {
  const taken: number[] = [];
  do {
    const from = performance.now();
    await act();
    taken.push(Math.round(performance.now() - from));
  } while (Math.min(...taken) > ms && taken.length < TRIES);
  if (Math.min(...taken) > ms) throw new Error(`it took ${taken.join(", ")} ms, and not ${ms} once`);
}
