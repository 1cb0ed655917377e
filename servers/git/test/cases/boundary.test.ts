// GIT-07 to GIT-10 in memory: each escape is refused by tools, resources and prompts. `boundary.deep.test.ts` tries every way in.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestRepository } from "../support/repository.ts";
import { ENTRY_POINTS, type EntryPoint } from "./entry-points.ts";
import { LEADING_OUT } from "./escape-attempts.ts";
import { MemoryRun } from "./memory-run.ts";

let run: MemoryRun;
let id = "";

beforeAll(async () => {
  run = new MemoryRun();
  const outer = new TestRepository(join(run.out, "repo"));
  id = outer.git("rev-parse", "HEAD:canary.txt");
  // Objects both loose and packed, to be linked to.
  outer.git("repack", "-a", "-q");
  outer.git("pack-refs", "--all", "--no-prune");
  for (const [n, [, prepare]] of LEADING_OUT.entries()) prepare(run, `r${n}`);
  await run.start();
});

afterAll(() => run[Symbol.asyncDispose]());

/** The status, and a sixteenth of the other ways in, so that all escapes together try each of them. */
const share = (n: number): readonly EntryPoint[] =>
  ENTRY_POINTS.filter(({ tool }, at) => at === 0 || ((at + n) % 16 === 0 && tool !== "git_init" && tool !== "git_clone"));

test.each(LEADING_OUT.map(([title], n) => [title, n] as const))("refuses %s", async (_title, n) => {
  const path = run.at(`r${n}`);
  for (const { name: entryPoint, tool, enter } of share(n)) {
    const { failed, text } = await enter(run, path);
    expect({ entryPoint, failed, text }).toMatchObject({ failed: true });
    if (tool !== undefined)
      expect({ entryPoint, text }).toMatchObject({ text: expect.stringMatching(/^Access denied|^Refused|^Not a git repository/) });
  }
  for (const revision of [id, "HEAD"]) expect(await run.reply("git_show", { repo_path: path, revision })).toMatchObject({ failed: true });
  run.checkRules();
});
