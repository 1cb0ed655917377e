// The checkRules of the cases: it must notice what it is there to notice.
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryAll } from "./entry-points.ts";
import { startStress, type StressRun, type StressOptions } from "./stress.ts";

const open: StressOptions = { serve: (base) => ["--repositories-root", base] };

test.each([
  ["(a) the secret in a text", (stress: StressRun) => stress.call("git_show", { repo_path: join(stress.out, "repo"), revision: "HEAD" })],
  [
    "(b) a change in OUT",
    (stress: StressRun) => stress.call("git_create_branch", { repo_path: join(stress.out, "repo"), branch_name: "new" }),
  ],
  ["(c) the mark", async (stress: StressRun) => writeFileSync(stress.executionMark, "")],
  ["(e) a lock that is left", async (stress: StressRun) => writeFileSync(stress.at("plain/.git/index.lock"), "")],
] as const)("notices %s", async (what, act) => {
  await using stress = await startStress(() => {}, open);
  await stress.checkRules();
  await act(stress);
  await expect(stress.checkRules()).rejects.toThrow(what.slice(0, 3));
});

test("notices (c) a program that git starts without a mark", async () => {
  await using stress = await startStress(undefined, { args: ["--run-hooks"] });
  const hooked = stress.repository("hooked");
  hooked.write({ ".git/hooks/pre-commit": "#!/bin/sh\ntrue\n" });
  chmodSync(stress.at("hooked/.git/hooks/pre-commit"), 0o755);
  await stress.call("git_commit", { repo_path: stress.at("hooked"), message: "m", allow_empty: true });
  await expect(stress.checkRules()).rejects.toThrow("(c)");
});

test("serves an allowed repository by every entry point", async () => {
  await using stress = await startStress((own) => {
    const repo = own.repository("r");
    repo.write({ "f.txt": "changed\n" });
  });
  const refused = (await tryAll(stress, stress.at("r"))).filter(({ failed }) => failed).map(({ entryPoint }) => entryPoint);
  // Tools without anything to do answer with an error: no remote, nothing under way, no conflict, no change of the searched text.
  const hasNothingToDo = /^git_(fetch|pull|push|clone|cherry_pick|bisect)|"step"|resolve_conflicts|"resolution"|"content"/;
  expect(refused.filter((entryPoint) => !hasNothingToDo.test(entryPoint))).toEqual([]);
});
