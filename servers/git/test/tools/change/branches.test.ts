// Deleting and renaming branches, and moving a branch to another commit.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { world } from "../../support/world.ts";

test("git_branch names the branches that are not merged beside those that are", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("branch", "done");
  expect((await at.call("git_branch", { merged: "main" })).text).toBe("  done\n* main");
  at.repository.git("checkout", "--quiet", "-b", "topic");
  at.repository.commit("one", { "b.txt": "b\n" });
  expect((await at.call("git_branch", { merged: "main" })).text).toBe("  done\n  main\n[not merged: topic]");
});

test("git_branch delete deletes a merged branch and names its commit", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("branch", "merged");
  const hash = at.repository.git("rev-parse", "HEAD");
  const { text, data } = await at.call("git_branch", { action: "delete", name: "merged" });
  expect(text).toBe(`Deleted branch 'merged' (was ${hash}); git_create_branch with base_branch ${hash} brings it back`);
  expect(data).toEqual({ name: "merged", hash });
  expect(at.repository.git("branch", "--format=%(refname:short)")).toBe("main");
});

test("git_branch delete asks before it loses unmerged commits, and keeps the branch without consent", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("checkout", "--quiet", "-b", "topic");
  at.repository.commit("one", { "b.txt": "b\n" });
  at.repository.commit("two", { "c.txt": "c\n" });
  at.repository.git("checkout", "--quiet", "main");
  const refused = await at.failure("git_branch", { action: "delete", name: "topic" });
  expect(refused).toContain("Delete the branch topic of the repository project with 2 commits that no other branch or tag has?");
  expect(refused).toContain("--allow-discard");
  expect(at.repository.git("branch", "--list", "topic")).toBe("  topic");
});

test("git_branch delete deletes unmerged commits when the operator allows it", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, allowDiscard: true });
  at.repository.git("checkout", "--quiet", "-b", "topic");
  const hash = at.repository.commit("one", { "b.txt": "b\n" });
  at.repository.git("checkout", "--quiet", "main");
  expect((await at.call("git_branch", { action: "delete", name: "topic" })).data).toEqual({ name: "topic", hash });
  expect(at.repository.git("branch", "--list", "topic")).toBe("");
});

test("git_branch delete refuses the current branch, one of another work tree and an unknown one", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("worktree", "add", "--quiet", "-b", "elsewhere", at.folder.at("elsewhere"));
  const refusal = (name: string) => at.failure("git_branch", { action: "delete", name });
  expect(await refusal("main")).toBe('Branch "main" is checked out: switch to another branch with git_checkout first.');
  expect(await refusal("elsewhere")).toBe('Branch "elsewhere" is checked out in another work tree, which git_worktree lists.');
  expect(await at.failure("git_branch", { action: "delete", name: "mian" })).toBe('There is no branch "mian": did you mean "main"?');
  expect(await at.failure("git_branch", { action: "delete", name: "a..b" })).toContain("cannot name a branch");
});

test("git_branch rename renames the current branch or another one", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  expect(await at.call("git_branch", { action: "rename", new_name: "trunk" })).toEqual({
    text: "Renamed branch 'main' to 'trunk'",
    data: { name: "trunk", from: "main" },
  });
  expect(at.repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/trunk");
  at.repository.git("branch", "other");
  await at.call("git_branch", { action: "rename", name: "other", new_name: "renamed" });
  expect(at.repository.git("branch", "--format=%(refname:short)")).toBe("renamed\ntrunk");
  expect(await at.failure("git_branch", { action: "rename", name: "renamed", new_name: "trunk" })).toBe(
    'Branch "trunk" already exists: choose another name.',
  );
  expect(await at.failure("git_branch", { action: "rename", name: "none", new_name: "x" })).toContain('There is no branch "none"');
});

test("git_branch rename renames a branch without commits, and needs a name on a detached HEAD", async () => {
  await using at = await world();
  expect((await at.call("git_branch", { action: "rename", new_name: "trunk" })).data).toMatchObject({ from: "main" });
  at.repository.commit("first", { a: "a" });
  at.repository.git("checkout", "--quiet", "--detach");
  expect(await at.failure("git_branch", { action: "rename", new_name: "x" })).toContain("HEAD is detached: give the branch to rename");
});

test.each([
  ["soft", "M  a.txt", "Changes since then stay staged."],
  ["mixed", " M a.txt", "Changes since then stay in the files, not staged."],
])("git_reset with revision and mode %s undoes the last commit and keeps its changes", async (mode, status, kept) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const first = at.repository.git("rev-parse", "HEAD");
  const second = at.repository.commit("second", { "a.txt": "b\n" });
  const { text, data } = await at.call("git_reset", { revision: "HEAD~1", mode });
  expect(text).toBe(`HEAD is now at ${first}. To go back: git_reset with revision ${second} and mode ${mode}. ${kept}`);
  expect(data).toMatchObject({ head: first, previousHead: second });
  expect(at.repository.raw(["status", "--porcelain"]).toString()).toBe(`${status}\n`);
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe("b\n");
  expect(at.repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
});

test("names the tags and branches that keep the commits which git_reset and git_commit with amend take away", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("tag", "old");
  repository.commit("second", { "a.txt": "b\n" });
  repository.git("tag", "--annotate", "--message=second", "v1");
  const amended = await at.call("git_commit", { message: "second, again", amend: true });
  expect(amended.text).toContain("\n[v1 still points to commits that left this branch]");
  repository.git("branch", "kept");
  const { text } = await at.call("git_reset", { revision: "HEAD~1", mode: "soft" });
  expect(text).toMatch(/stay staged\.\n\[kept still points to commits that left this branch\]$/);
  expect((await at.call("git_reset", { revision: "kept" })).text).not.toContain("left this branch");
});

test("git_reset with revision and mode hard asks before it moves the branch", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const second = at.repository.commit("second", { "a.txt": "b\n" });
  const refused = await at.failure("git_reset", { revision: "HEAD~1", mode: "hard" });
  expect(refused).toMatch(/Move main from [0-9a-f]{7} to [0-9a-f]{7} with its files in the repository project\?/);
  at.repository.write({ "a.txt": "changed\n" });
  expect(await at.failure("git_reset", { revision: "HEAD~1", mode: "hard" })).toContain("Discard all changes in 1 file and move main from");
  expect(at.repository.git("rev-parse", "HEAD")).toBe(second);
  expect(await at.failure("git_reset", { revision: "HEAD~1", files: ["a.txt"] })).toContain("files are only unstaged");
  expect(await at.failure("git_reset", { revision: "nope" })).toContain('Unknown revision "nope"');
});
