/** The table of costs. */
import { expect, test } from "vitest";
import { costsByArea, costliestFirst, readCosts, readWallTimes } from "../src/costs.ts";

const record = (file: string, project: string, cpuSeconds?: number) => ({
  file,
  project,
  passed: 3,
  failed: 0,
  skipped: [],
  ...(cpuSeconds !== undefined && { cpuSeconds }),
});

const FILES = [
  record("servers/git/test/a.test.ts", "fast", 1),
  record("servers/git/test/b.test.ts", "fast", 2.5),
  record("servers/git/test/c.deep.test.ts", "deep", 9),
  record("servers/memory/test/d.test.ts", "fast"),
];

test("sums up the files of an area in each project, most expensive first", () => {
  expect(costsByArea(FILES)).toEqual([
    { area: "servers/git", project: "deep", files: 1, tests: 3, seconds: 9 },
    { area: "servers/git", project: "fast", files: 2, tests: 6, seconds: 3.5 },
    { area: "servers/memory", project: "fast", files: 1, tests: 3, seconds: 0 },
  ]);
});

test("puts files without a measured cost last", () => {
  expect(costliestFirst(FILES.toReversed()).map(({ cpuSeconds }) => cpuSeconds)).toEqual([9, 2.5, 1, undefined]);
});

test("reads processor and wall time of a file from the table", () => {
  const file = "packages/create-server/test/server-copies.deep.test.ts";
  expect(readCosts().get(file)).toBeGreaterThan(10);
  expect(readWallTimes().get(file)).toBeGreaterThan(10);
});
