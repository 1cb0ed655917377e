// How long the completion of paths takes with hostile text.
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { suggestPaths } from "../../../src/disk/tree/path-completion.ts";
import { scratch } from "../support/scratch.ts";

test("K1 completes nothing for a megabyte of text, NUL and lone surrogates, at once", async () => {
  const place = scratch({ "alpha.txt": "", "alps/peak": "" });
  const sandbox = await place.sandbox();
  const start = cpuMs();
  for (const typed of [
    `${place.root}/${"a".repeat(1_000_000)}`,
    "../".repeat(300_000),
    place.at("a\0b"),
    place.at("\ud800"),
    "/".repeat(4000),
  ]) {
    expect((await suggestPaths(sandbox, typed)).more).toBe(false);
  }
  expect(cpuMs() - start).toBeLessThan(200);
});
