// How long a hostile .gitignore takes.
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { searchFiles } from "../../../../src/disk/search/names/name-search.ts";
import { scratch } from "../../support/scratch.ts";

test("K applies a hostile list of rules in little time", async () => {
  const long = "a".repeat(200);
  const stars = `${"*a".repeat(60)}*b`;
  const here = scratch({ ".gitignore": `${stars}\n**/${stars}\n${"x".repeat(5000)}\n*.log\n`, [long]: "", "a.log": "" });
  const from = cpuMs();
  const { paths } = await searchFiles(await here.sandbox(), here.root, { pattern: "**", respectGitignore: true });
  expect(paths).toEqual([".gitignore", long].map(here.at));
  expect(cpuMs() - from).toBeLessThan(500);
});
