/** CPU time of the server processes grows at most linearly with files, commits, rows and entities. */
import { needs } from "@oarlock/testing";
import { afterAll, describe, expect, test } from "vitest";
import { growthOf, type Prepare } from "./support/growth.ts";
import { FILES, GRAPHS, HISTORY, ROWS, type ServerCase } from "./support/server-growth.ts";
import { Serving } from "./support/served-data.ts";

/** One server for each kind of data and size. */
const kept = new Map<string, Promise<Serving>>();

afterAll(async () => {
  await Promise.all([...kept.values()].map(async (serving) => (await serving)[Symbol.asyncDispose]()));
});

function keep(one: ServerCase, size: number): Promise<Serving> {
  const key = `${one.fill.toString()} ${size}`;
  const known = kept.get(key) ?? Serving.open(one, size);
  kept.set(key, known);
  return known;
}

/** The servers of one case: others may still work off what they got before. */
function preparing(one: ServerCase): { prepare: Prepare; cpu: () => number } {
  const used = new Set<Serving>();
  return {
    async prepare(size) {
      const serving = await keep(one, size);
      used.add(serving);
      return { act: () => one.act(serving, size) };
    },
    cpu: () => [...used].reduce((sum, serving) => sum + serving.cpu, 0),
  };
}

// Other systems do not report the CPU time of other processes.
describe.each([
  ["filesystem", FILES],
  ["git", HISTORY],
  ["sqlite", ROWS],
  ["memory", GRAPHS],
])("%s", needs("Linux"), (_title, cases) => {
  test.each(Object.entries(cases))("%s", { timeout: 300_000 }, async (_name, one) => {
    const { prepare, cpu } = preparing(one);
    const { times, ms } = await growthOf(prepare, one.size, one.bound, cpu);
    expect(times).toBeLessThan(one.bound);
    expect(ms).toBeGreaterThan(4); // shorter times are below the resolution of the clock
  });
});
