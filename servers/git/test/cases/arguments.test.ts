// GIT-11 to GIT-13 in memory: a hostile value in each text argument of each tool. `arguments.deep.test.ts` tries all values.
import { afterAll, beforeAll, expect, test } from "vitest";
import { MemoryRun } from "./memory-run.ts";
import { dashes, FREE, hidden, placesOf, tricky } from "./text-arguments.ts";

let run: MemoryRun;

beforeAll(async () => {
  run = new MemoryRun();
  tricky(run);
  await run.start();
});

afterAll(() => run[Symbol.asyncDispose]());

test.each([
  ["GIT-11 GIT-12 treats an option", dashes],
  ["GIT-13 treats hidden options, lines and commands", hidden],
] as const)("%s in a text argument as text", async (_title, valuesOf) => {
  const values = valuesOf(run).filter((value) => /^-|[\n\0\t\r]/.test(value));
  const accepted: string[] = [];
  for (const [n, place] of (await placesOf(run, run.at("r"))).entries()) {
    if (FREE.has(place.argument)) continue;
    const args = place.with(values[n % values.length]!);
    if (!(await run.reply(place.tool, args)).failed) accepted.push(`${place.tool} ${JSON.stringify(args)}`);
  }
  expect(accepted).toEqual([]);
  run.checkRules();
});
