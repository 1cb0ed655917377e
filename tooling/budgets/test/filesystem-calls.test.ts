/** The filesystem server makes a fixed number of file system calls for each file and folder. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { CALLS, foldersOf, tree } from "../src/filesystem-calls.ts";
import { Serving } from "../src/served-data.ts";

const FILES = 200;
let [small, large]: Serving[] = [];

beforeAll(async () => {
  [small, large] = await Promise.all([Serving.open(tree, FILES), Serving.open(tree, 4 * FILES)]);
}, 240_000);

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

test.each(CALLS)(
  "$tool: $perFile for a file, $perFolder for a folder",
  { timeout: 180_000 },
  async ({ tool, args, perFile, perFolder }) => {
    const [few, many] = [await callsOf(small, tool, args), await callsOf(large, tool, args)];
    const more = 3 * FILES * perFile + foldersOf(3 * FILES) * perFolder;
    expect(many - few).toBeLessThanOrEqual(more);
    // A budget that has become too wide guards nothing.
    expect(many - few).toBeGreaterThanOrEqual(0.8 * more);
    expect(few).toBeGreaterThan(2);
  },
);
