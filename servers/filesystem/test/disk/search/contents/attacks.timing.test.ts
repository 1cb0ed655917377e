// How long search_file_contents takes with patterns that stop other engines.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { searchContents } from "../../../../src/disk/search/contents/content-search.ts";
import { world } from "../../support/world.ts";

test("searches a pattern that stops other engines in linear time", async () => {
  const here = world();
  writeFileSync(join(here.root, "f"), `${"a".repeat(200_000)}\n`);
  const sandbox = await here.open();
  const from = performance.now();
  for (const pattern of ["^(a+)+$x", "(a|aa)+b", "(.*)*c"])
    for (const multiline of [false, true]) expect((await searchContents(sandbox, here.root, { pattern, multiline })).matches).toEqual([]);
  expect(performance.now() - from).toBeLessThan(5000);
});
