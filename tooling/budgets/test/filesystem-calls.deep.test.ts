/** File system calls of the filesystem server for further files, of which each folder has twenty. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectWithinBudgets } from "./support/budget.ts";
import { CALLS, tree } from "./support/filesystem-calls.ts";
import { Serving } from "./support/served-data.ts";

const FILES = 200;
let [small, large]: Serving[] = [];

beforeAll(async () => {
  [small, large] = await Promise.all([Serving.open(tree, FILES), Serving.open(tree, 4 * FILES)]);
});

afterAll(async () => {
  await Promise.all([small?.[Symbol.asyncDispose](), large?.[Symbol.asyncDispose]()]);
});

/** What has been counted since the last time. */
async function counted({ raw }: Serving): Promise<Record<string, number>> {
  const from = raw.stderr.length;
  raw.kill("SIGUSR2");
  await expect.poll(() => raw.stderr.slice(from), { timeout: 60_000, interval: 10 }).toMatch(/^FS .*\n/m);
  return JSON.parse(/^FS (.*)$/m.exec(raw.stderr.slice(from))?.[1] ?? "{}") as Record<string, number>; // count-fs.cjs
}

async function callsOf(serving: Serving | undefined, tool: string, args: (typeof CALLS)[number]["args"]): Promise<number> {
  if (serving === undefined) throw new Error("it did not start");
  await counted(serving);
  await serving.call(tool, args(serving.folder));
  return Object.values(await counted(serving)).reduce((sum, one) => sum + one, 0);
}

test.each(CALLS)("$tool makes few calls for further files", async ({ tool, args }) => {
  const [few, many] = [await callsOf(small, tool, args), await callsOf(large, tool, args)];
  expect(few).toBeGreaterThan(2);
  expectWithinBudgets([{ what: `${tool} of ${3 * FILES} further files`, measured: many - few, unit: "calls of node:fs" }]);
});
