// How long a walk over many files holds up other calls.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { searchFiles } from "../../../src/disk/search/names/name-search.ts";
import { scratch } from "../support/scratch.ts";

test("yields to other calls in a walk over 20,000 files", async () => {
  const { root, sandbox } = scratch();
  for (let folder = 0; folder < 100; folder++) {
    mkdirSync(`${root}/d${folder}`);
    for (let file = 0; file < 200; file++) writeFileSync(`${root}/d${folder}/f${file}`, "");
  }
  let [others, longest, last] = [0, 0, cpuMs()];
  const timer = setInterval(() => {
    others++;
    longest = Math.max(longest, cpuMs() - last);
    last = cpuMs();
  }, 1);
  const result = await searchFiles(await sandbox(), root, { pattern: "**/*1*", limit: 20_000, maxBytes: Infinity });
  clearInterval(timer);
  expect(result.walked.seen).toBe(20_100);
  expect(others).toBeGreaterThan(2);
  // CPU time between two turns of the event loop.
  expect(longest).toBeLessThan(1000);
});
