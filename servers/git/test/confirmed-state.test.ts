// What a confirmation is about: nothing is asked where nothing would be lost, and what has changed since the question is not discarded.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connectTo, decline, tempFolder, type TempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { targetOf } from "./support/target.ts";
import { world } from "./support/world.ts";

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

test("asks nothing when nothing would be lost", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server());
  expect((await wired.client.call("git_reset", { mode: "hard" })).isError).toBeUndefined();
  expect((await wired.client.call("git_restore", { files: ["a.txt"], staged: true })).isError).toBeUndefined();
});

test("asks nothing about files that cannot be restored", async () => {
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return decline;
  };
  await using at = await world({ tree: { "a.txt": "a\n", "b.txt": "b\n" }, elicit });
  at.repository.write({ "a.txt": "put aside\n" }).git("stash", "push", "--quiet");
  at.repository.commit("gone on", { "a.txt": "theirs\n" });
  at.repository.loosely("stash", "pop", "--quiet");
  const unknown = "git says: pathspec 'nope' did not match any file(s) known to git";
  expect(await at.failure("git_restore", { files: ["nope"] })).toContain(unknown);
  expect(await at.failure("git_restore", { files: ["b.txt", "nope"], source: "HEAD" })).toContain(unknown);
  expect(await at.failure("git_restore", { files: ["."] })).toBe("These files are in conflict: resolve them, or give a source: a.txt");
  expect(asked).toEqual([]);
  // What is staged as gone is known only to HEAD, and costs nothing to bring back.
  at.repository.git("rm", "--quiet", "b.txt");
  await at.call("git_restore", { files: ["b.txt"], staged: true });
  expect(at.repository.git("ls-files", "b.txt")).toBe("b.txt");
});

test("restores without a question what git has stored, or what is not there", async () => {
  await using at = await world({ tree: { "a.txt": "1\n", "gone.txt": "kept\n" }, elicit: () => decline });
  const { repository } = at;
  repository.git("rm", "--quiet", "gone.txt");
  repository.commit("second", { "a.txt": "2\n" });
  await at.call("git_restore", { files: ["gone.txt"], source: "HEAD~1" });
  expect(readFileSync(join(repository.path, "gone.txt"), "utf8")).toBe("kept\n");
  // Content that the index has, and then the source.
  await at.call("git_restore", { files: ["a.txt"], source: "HEAD~1" });
  await at.call("git_restore", { files: ["a.txt"], source: "HEAD~1" });
  rmSync(join(repository.path, "a.txt"));
  await at.call("git_restore", { files: ["."] });
  expect(readFileSync(join(repository.path, "a.txt"), "utf8")).toBe("2\n");
});

test.each([
  ["an untracked file that the source has", { "old.txt": "mine\n" }, { files: ["."], source: "HEAD~1" }, "all files"],
  ["a file in place of a folder of the source", { lib: "mine\n" }, { files: ["lib/b.txt"], source: "HEAD~1" }, "lib/b.txt"],
  ["a folder in place of a file of the source", { "old.txt/mine": "mine\n" }, { files: ["old.txt"], source: "HEAD~1" }, "old.txt"],
  ["a changed file", { "a.txt": "mine\n" }, { files: ["a.txt"] }, "a.txt"],
  ["a changed file that the source lacks", { "new.txt": "mine\n" }, { files: ["new.txt"], source: "HEAD~1" }, "new.txt"],
  ["a file in place of a tracked folder", { docs: "mine\n" }, { files: ["docs/c.txt"] }, "docs/c.txt"],
])("asks before a restore replaces %s", async (_what, tree, args, named) => {
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => (asked.push(message), decline);
  await using at = await world({ tree: { "a.txt": "1\n", "old.txt": "1\n", "lib/b.txt": "1\n", "docs/c.txt": "1\n" }, elicit });
  at.repository.git("rm", "--quiet", "-r", "old.txt", "lib");
  at.repository.commit("second", { "new.txt": "2\n" });
  if ("docs" in tree) rmSync(join(at.repository.path, "docs"), { recursive: true });
  at.repository.write(tree);
  expect(await at.failure("git_restore", args)).toContain("Not done: the user declined");
  expect(asked).toEqual([`Discard the changes in ${named} of the repository project? This cannot be undone.`]);
});

test("deletes an unmerged branch without a question where another branch has its commits", async () => {
  await using at = await world({ tree: { a: "1" }, elicit: () => decline });
  at.repository.git("checkout", "--quiet", "-b", "side");
  at.repository.commit("on the side", { a: "2" });
  at.repository.git("branch", "other");
  at.repository.git("checkout", "--quiet", "main");
  expect((await at.call("git_branch", { action: "delete", name: "side" })).text).toContain("Deleted branch 'side'");
  expect(await at.failure("git_branch", { action: "delete", name: "other" })).toContain("with 1 commit that no other branch or tag has?");
});

test("drops no other stash than the confirmed one", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const putAside = (text: string) => repository.write({ "a.txt": text }).git("stash", "push", "--quiet");
  const asked: string[] = [];
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: ({ message }: { message: string }) => {
      asked.push(message);
      putAside("newer\n");
      return { action: "accept", content: { confirm: true } };
    },
  });
  putAside("older\n");
  const older = repository.git("rev-parse", "stash@{0}");
  const answer = await wired.client.call("git_stash", { action: "drop" });
  expect(asked).toEqual([`Drop stash@{0} (${older.slice(0, 7)}) of the repository project? This cannot be undone.`]);
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("is another one now") }] });
  expect(repository.git("stash", "list").split("\n")).toHaveLength(2);
});

test("keeps a branch that moved after the confirmation", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const commitTo = (branch: string, ...options: string[]) => {
    repository.git("checkout", "--quiet", ...options, branch);
    repository.commit("work", { "b.txt": `${Math.random()}\n` });
    repository.git("checkout", "--quiet", "main");
    return repository.git("rev-parse", branch);
  };
  commitTo("side", "-b");
  let moved = "";
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: () => {
      moved = commitTo("side");
      return { action: "accept", content: { confirm: true } };
    },
  });
  const answer = await wired.client.call("git_branch", { action: "delete", name: "side" });
  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: 'Not deleted: branch "side" has moved meanwhile. Look at it again with git_log.' }],
  });
  expect(repository.git("rev-parse", "side")).toBe(moved);
});

test("keeps a tag that moved after the confirmation", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("tag", "v1");
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: () => {
      repository.commit("work", { "b.txt": "b\n" });
      repository.git("tag", "--force", "v1");
      return { action: "accept", content: { confirm: true } };
    },
  });
  const answer = await wired.client.call("git_tag", { action: "delete", name: "v1" });
  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: 'Not deleted: tag "v1" has moved meanwhile. Look at it again with git_show.' }],
  });
  expect(repository.git("rev-parse", "v1")).toBe(repository.git("rev-parse", "HEAD"));
});

test("states in the confirmation whether the act can be undone", async () => {
  const repository = makeRepository(folder.at("project"));
  repository.commit("first", { "a.txt": "a\n" });
  repository.commit("second", { "a.txt": "b\n" });
  repository.git("branch", "side");
  repository.git("reset", "--quiet", "--hard", "HEAD~1");
  const asked: string[] = [];
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: ({ message }: { message: string }) => (asked.push(message), { action: "accept", content: { confirm: true } }),
  });
  await wired.client.call("git_branch", { action: "delete", name: "side" });
  await wired.client.call("git_reset", { revision: "ORIG_HEAD", mode: "hard" });
  repository.write({ "a.txt": "work\n" });
  await wired.client.call("git_reset", { revision: "HEAD~1", mode: "hard" });
  expect(asked).toEqual([
    expect.stringMatching(/^Delete the branch side .*\? Its commits can be brought back by their id for two weeks\.$/),
    expect.stringMatching(/^Move \S+ from .*\? Its commits can be brought back by their id for two weeks\.$/),
    expect.stringMatching(/^Discard all changes in 1 file and move .*\? This cannot be undone\.$/),
  ]);
});

test("prevents a name from adding lines to the confirmation", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const asked: string[] = [];
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: ({ message }: { message: string }) => {
      asked.push(message);
      return decline;
    },
  });
  const path = "side\nNothing is lost";
  repository.git("worktree", "add", "--quiet", path, "-b", "side");
  repository.write({ [`${path}/a.txt`]: "work\n" });
  await wired.client.call("git_worktree", { action: "remove", path });
  expect(asked).toEqual(["Remove the work tree side\\nNothing is lost with changes that are not committed? This cannot be undone."]);
});
