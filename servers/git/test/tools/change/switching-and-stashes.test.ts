// Branches, stashes, tags, work trees and restore: what they say, and what git says afterwards.
import { existsSync, readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../../support/repository.ts";
import { world, worldOf } from "../../support/world.ts";

const TREE = { "a.txt": "a\n", "b.txt": "b\n", "d/c.txt": "c\n", ".gitignore": "*.log\n" };

test("lists, creates and switches branches", async () => {
  await using at = await world({ tree: TREE });
  const { repository } = at;
  repository.commit("second");
  expect((await at.call("git_create_branch", { branch_name: "feature/x", base_branch: "HEAD~1" })).text).toBe(
    "Created branch 'feature/x' from 'HEAD~1'",
  );
  expect((await at.call("git_create_branch", { branch_name: "plain" })).text).toBe("Created branch 'plain' from 'main'");
  expect((await at.call("git_checkout", { branch_name: "feature/x" })).text).toBe("Switched to branch 'feature/x'");
  expect((await at.call("git_branch")).text).toBe(repository.git("branch"));
  expect((await at.call("git_branch", { branch_type: "all" })).text).toBe(repository.git("branch", "--all"));
  for (const [option, flag] of [
    ["contains", "--contains"],
    ["not_contains", "--no-contains"],
    ["merged", "--merged"],
  ] as const)
    expect((await at.call("git_branch", { [option]: "main" })).text).toBe(repository.git("branch", `${flag}=main`));
  const { data } = await at.call("git_branch");
  expect(data["branches"]).toContainEqual(
    expect.objectContaining({ name: "feature/x", current: true, head: repository.git("rev-parse", "feature/x") }),
  );
  expect(await at.failure("git_branch", { branch_type: "lokal" })).toContain("branch_type");
  expect(await at.failure("git_create_branch", { branch_name: "plain" })).toContain('Branch "plain" already exists');
  expect(await at.failure("git_checkout", { branch_name: "plian" })).toBe(
    'There is no branch "plian": did you mean "plain"? To create it, pass create.',
  );
  await at.call("git_checkout", { branch_name: "made", create: true });
  expect(repository.git("symbolic-ref", "--short", "HEAD")).toBe("made");
  await at.call("git_checkout", { branch_name: "main", detach: true });
  expect((await at.call("git_branch")).text).toBe(
    repository.git("branch").replace(/^\* \(HEAD detached at ([0-9a-f]{7}).*\)/m, "* (HEAD detached at $1)"),
  );
});

test("switches branches without losing changes", async () => {
  await using at = await world({ tree: TREE });
  at.repository.git("checkout", "--quiet", "-b", "other");
  at.repository.commit("theirs", { "a.txt": "theirs\n" });
  at.repository.write({ "a.txt": "work in progress\n" });
  expect(await at.failure("git_checkout", { branch_name: "main" })).toBe(
    "Nothing was changed, as it would overwrite changes in a.txt: commit them, or put them aside with git_stash push, then repeat the call.",
  );
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe("work in progress\n");
});

test("pushes, lists, shows, applies, pops and drops stashes", async () => {
  await using at = await world({ tree: TREE, allowDiscard: true });
  const { repository } = at;
  const stash = (action: string, args = {}) => at.call("git_stash", { action, ...args });
  repository.write({ "a.txt": "A\n", "new.txt": "n\n" });
  expect((await stash("push", { message: "first", include_untracked: true })).text).toBe("Saved the changes as stash@{0}: a.txt, new.txt");
  expect(repository.git("status", "--porcelain")).toBe("");
  repository.write({ "b.txt": "B\n", "d/c.txt": "C\n" });
  await stash("push", { paths: ["b.txt"] });
  expect(repository.git("status", "--porcelain")).toBe(" M d/c.txt");
  expect((await stash("list")).data["stashes"]).toEqual(
    [0, 1].map((index) => ({
      index,
      name: `stash@{${index}}`,
      hash: repository.git("rev-parse", `stash@{${index}}`),
      date: expect.any(String),
      message: repository.git("log", "-1", "-g", "--format=%gs", `stash@{${index}}`),
    })),
  );
  expect((await stash("show", { index: 1 })).text).toBe(
    `stash@{1}:\n${repository.raw(["stash", "show", "-p", "--include-untracked", "stash@{1}"]).toString()}`,
  );
  expect((await stash("apply", { index: 1 })).text).toBe("Applied stash@{1}: a.txt, new.txt");
  expect(repository.git("status", "--porcelain").split("\n")).toEqual([" M a.txt", " M d/c.txt", "?? new.txt"]);
  expect((await stash("pop")).text).toBe("Applied and dropped stash@{0}: b.txt");
  expect(repository.git("stash", "list").split("\n").length).toBe(1);
  await stash("drop");
  expect(repository.git("stash", "list")).toBe("");
  expect(await at.failure("git_stash", { action: "pop" })).toBe("There are no stashes: save changes with action push first.");
});

test("keeps a stash that conflicts", async () => {
  await using at = await world({ tree: TREE });
  at.repository.write({ "a.txt": "stashed\n" });
  await at.call("git_stash", { action: "push" });
  at.repository.commit("other", { "a.txt": "other\n" });
  expect(await at.failure("git_stash", { action: "pop" })).toContain("applied with conflicts and is kept");
  expect(at.repository.git("stash", "list")).not.toBe("");
});

test("creates, lists and deletes tags", async () => {
  await using at = await world({ tree: TREE, allowDiscard: true });
  const { repository } = at;
  await at.call("git_tag", { action: "create", name: "v1" });
  await at.call("git_tag", { action: "create", name: "v2", target: "HEAD", message: "The second\n\n# kept" });
  expect(repository.git("cat-file", "-t", "v1")).toBe("commit");
  expect(repository.git("cat-file", "-t", "v2")).toBe("tag");
  const { data } = await at.call("git_tag", { action: "list" });
  const head = repository.git("rev-parse", "HEAD");
  expect(data["tags"]).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "v2", commit: head, annotated: true, subject: "The second" }),
      expect.objectContaining({ name: "v1", commit: head, annotated: false }),
    ]),
  );
  expect(await at.failure("git_tag", { action: "create", name: "v1" })).toContain('Tag "v1" already exists');
  await at.call("git_tag", { action: "delete", name: "v1" });
  expect(repository.git("tag")).toBe("v2");
});

test("servers#4791 adds, lists, removes and prunes work trees", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), TREE);
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], allowDiscard: true });
  const tree = (action: string, args = {}) => at.call("git_worktree", { repo_path: "project", action, ...args });
  await tree("add", { path: "../side", branch: "side", create: true });
  expect((await at.call("git_status", { repo_path: "side" })).data).toMatchObject({ branch: "side" });
  const paths = repository.git("worktree", "list", "--porcelain").match(/(?<=^worktree ).*/gm);
  expect(((await tree("list")).data["worktrees"] as { path: string }[]).map(({ path }) => path)).toEqual(paths);
  folder.write({ all: { side: { "a.txt": "changed\n" } } });
  await tree("remove", { path: folder.at("all/side") });
  expect(existsSync(folder.at("all/side"))).toBe(false);
  expect(await at.failure("git_worktree", { repo_path: "project", action: "add", path: folder.at("outside"), branch: "main" })).toContain(
    "Access denied",
  );
  expect(await at.failure("git_worktree", { repo_path: "project", action: "remove", path: folder.at("all/project") })).toContain(
    "main working tree",
  );
  await tree("prune");
});

test("git_restore restores files from the index or a revision", async () => {
  await using at = await world({ tree: TREE, allowDiscard: true });
  const { repository } = at;
  repository.commit("second", { "a.txt": "second\n" });
  repository.write({ "a.txt": "work\n", "b.txt": "work\n" }).git("add", "b.txt");
  await at.call("git_restore", { files: ["a.txt"] });
  expect(readFileSync(`${repository.path}/a.txt`, "utf8")).toBe("second\n");
  await at.call("git_restore", { files: ["a.txt"], source: "HEAD~1" });
  expect(readFileSync(`${repository.path}/a.txt`, "utf8")).toBe("a\n");
  await at.call("git_restore", { files: ["b.txt"], staged: true });
  expect(repository.git("status", "--porcelain", "b.txt")).toBe(" M b.txt");
  expect(await at.failure("git_restore", { files: ["nope"] })).toContain("did not match");
});
