// A name that is made to take long (rule G9).
import { cpuMs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { world } from "../support/world.ts";

test("G9 shows an overlong name of nested escapes unchanged and without delay", async () => {
  await using here = await world({ tree: { "f.txt": "one\n" } });
  const { repository } = here;
  const name = `\\x5C${"x5C".repeat(20_000)}`;
  const blob = repository.git("rev-parse", "HEAD:f.txt");
  const createObject = (args: string[], input: string): string => repository.raw(args, { input }).toString().trim();
  const inner = createObject(["mktree", "-z"], `100644 blob ${blob}\t${name}\0`);
  const commit = createObject(["commit-tree", createObject(["mktree", "-z"], `040000 tree ${inner}\td\0`)], "long\n");
  const before = cpuMs();
  expect((await here.call("git_show", { revision: commit, path: "d" })).text).toContain(name.slice(0, 1000));
  expect(cpuMs() - before).toBeLessThan(2000);
});
