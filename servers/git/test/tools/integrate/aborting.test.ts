// An abort asks the user where work would be lost, and only there.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { TestRepository } from "../../support/repository.ts";
import { world, type World } from "../../support/world.ts";

/** Both branches change `a.txt`, `other` in two commits. */
async function conflicting(args: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<{ at: World; asked: string[] }> {
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return { action: "decline" as const };
  };
  const at = await world({ tree: { "a.txt": "a\n", "b.txt": "b\n" }, elicit });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { "a.txt": "theirs\n" });
  repository.commit("theirs again", { "a.txt": "theirs again\n", "new.txt": "new\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "a.txt": "ours\n" });
  repository.write(files).loosely(...args);
  return { at, asked };
}

const STOPS: readonly (readonly [tool: string, args: readonly string[]])[] = [
  ["git_merge", ["merge", "other"]],
  ["git_cherry_pick", ["cherry-pick", "other~1"]],
  ["git_cherry_pick", ["cherry-pick", "main~1..other"]],
  ["git_revert", ["revert", "--no-edit", "main~1", "other~1"]],
  ["git_rebase", ["rebase", "other"]],
];

test.each(STOPS)("%s aborts without a question what stopped at %j, while nothing was changed since", async (tool, args) => {
  const { at, asked } = await conflicting(args);
  await using _ = at;
  expect((await at.call(tool, { step: "abort" })).text).toMatch(/was aborted/);
  expect(asked).toEqual([]);
  expect(at.repository.git("status", "--porcelain")).toBe("");
  expect(at.repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
});

const WORK: readonly (readonly [what: string, work: (repository: TestRepository) => unknown])[] = [
  ["a resolved file", (repository) => repository.write({ "a.txt": "both\n" })],
  ["a resolved file that is staged", (repository) => repository.write({ "a.txt": "both\n" }).git("add", "a.txt")],
  ["another changed file", (repository) => repository.write({ "b.txt": "changed\n" })],
  [
    "a change that is only staged",
    (repository) => (repository.write({ "b.txt": "x\n" }).git("add", "b.txt"), repository.write({ "b.txt": "b\n" })),
  ],
  ["a deleted file", (repository) => repository.git("rm", "--quiet", "b.txt")],
];

test.each(WORK)("asks before an abort loses %s", async (_what, work) => {
  const { at, asked } = await conflicting(["merge", "other"]);
  await using _ = at;
  work(at.repository);
  expect(await at.failure("git_merge", { step: "abort" })).toContain("the user declined");
  expect(asked).toEqual(["Abort the merge in the repository project, with the conflicts resolved so far? This cannot be undone."]);
  expect(existsSync(`${at.repository.path}/.git/MERGE_HEAD`)).toBe(true);
});

test.each([
  ["git_cherry_pick", ["cherry-pick", "main~1..other"], ["cherry-pick"]],
  ["git_rebase", ["rebase", "main", "other"], ["rebase"]],
] as const)("%s asks before an abort loses a commit that was resolved", async (tool, args, [command]) => {
  const { at, asked } = await conflicting(args);
  await using _ = at;
  at.repository.write({ "a.txt": "both\n" }).git("add", "a.txt");
  at.repository.loosely("-c", "core.editor=true", command, "--continue");
  expect(await at.failure(tool, { step: "abort" })).toContain("the user declined");
  expect(asked).toHaveLength(1);
});
