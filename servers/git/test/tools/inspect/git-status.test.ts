// git_status against `git status --porcelain`.
import { execFileSync } from "node:child_process";
import { linkTo, needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { cloneOf, makeRepository } from "../../support/repository.ts";
import { world, worldOf } from "../../support/world.ts";

const FILES = { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n", "d/e.txt": "e\n", "old.txt": "1\n2\n3\n4\n5\n" };

test("reports every kind of change as git does", async () => {
  await using at = await world({ tree: { ...FILES, link: linkTo("a.txt") } });
  const { repository } = at;
  repository.write({ "a.txt": "A\n", "new.txt": "n\n", "stray/x.txt": "x\n" });
  repository.git("rm", "--quiet", "b.txt");
  repository.git("mv", "old.txt", "moved.txt");
  repository.git("add", "new.txt");
  repository.write({ "new.txt": "n2\n" });
  repository.git("rm", "--quiet", "--cached", "c.txt");
  const { data, text } = await at.call("git_status");
  expect(data).toEqual({
    branch: "main",
    head: repository.git("rev-parse", "HEAD"),
    staged: [
      { path: "b.txt", status: "deleted" },
      { path: "c.txt", status: "deleted" },
      { path: "moved.txt", status: "renamed", oldPath: "old.txt" },
      { path: "new.txt", status: "added" },
    ],
    unstaged: [
      { path: "a.txt", status: "modified" },
      { path: "new.txt", status: "modified" },
    ],
    untracked: ["c.txt", "stray/"],
    conflicts: [],
    stashCount: 0,
    truncated: false,
  });
  // What git says to people, without its advice.
  const output = repository
    .git("status")
    .split("\n")
    .filter((line) => !/^ {2}\(use /.test(line));
  expect(text).toBe(`Repository status:\n${output.join("\n").trimEnd()}`.replace(/\n\nno changes added.*$/, ""));
});

test("reports a repository without commits, and a clean one", async () => {
  await using at = await world();
  expect((await at.call("git_status")).text).toBe(
    "Repository status:\nOn branch main\n\nNo commits yet\n\nnothing to commit, working tree clean",
  );
  at.repository.commit("first", FILES);
  expect((await at.call("git_status")).text).toBe("Repository status:\nOn branch main\nnothing to commit, working tree clean");
});

test("reports ahead and behind of the upstream, and a stash", async () => {
  await using folder = tempFolder();
  const origin = makeRepository(folder.at("origin"), FILES);
  const clone = cloneOf(origin, folder.at("clone"));
  origin.commit("theirs", { "t.txt": "t\n" });
  clone.git("fetch", "--quiet");
  clone.commit("ours", { "o.txt": "o\n" });
  clone.write({ "a.txt": "stashed\n" });
  clone.git("stash", "push", "--quiet");
  await using at = await worldOf(folder, clone);
  const { data } = await at.call("git_status");
  expect(data).toMatchObject({ upstream: "origin/main", ahead: 1, behind: 1, stashCount: 1 });
});

test("shows no branch on a detached HEAD", async () => {
  await using at = await world({ tree: FILES });
  at.repository.git("checkout", "--quiet", "--detach");
  const { data, text } = await at.call("git_status");
  expect(Object.keys(data)).not.toContain("branch");
  expect(text).toBe(
    `Repository status:\nHEAD detached at ${at.repository.git("rev-parse", "--short=7", "HEAD")}\nnothing to commit, working tree clean`,
  );
});

test.each([
  ["merge", (run: (...args: string[]) => string) => run("merge", "other")],
  ["rebase", (run: (...args: string[]) => string) => run("rebase", "other")],
  ["cherry-pick", (run: (...args: string[]) => string) => run("cherry-pick", "other")],
  ["revert", (run: (...args: string[]) => string) => run("revert", "--no-edit", "HEAD~1")],
])("reports the conflicts of a %s in progress", async (operation, begin) => {
  await using at = await world({ tree: { "f.txt": "1\n2\n3\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { "f.txt": "1\ntheirs\n3\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "f.txt": "1\nours\n3\n" });
  repository.commit("more", { "f.txt": "1\nours too\n3\n" });
  begin((...args) => repository.loosely(...args));
  const { data } = await at.call("git_status");
  expect(data).toMatchObject({ operation, conflicts: [{ path: "f.txt", status: "both modified" }] });
  expect(await at.failure("git_commit", { message: "too early" })).toContain("in conflict");
});

test("lists up to the limit and counts the rest", async () => {
  await using at = await world({ tree: FILES });
  at.repository.write(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`n${n}`, "x"])));
  const { data, text } = await at.call("git_status", { limit: 10 });
  expect(data).toMatchObject({ truncated: true, omitted: 20 });
  expect(text).toContain("[truncated: 20 more entries; a higher limit lists them]");
});

test("leaves the index unchanged and takes no lock", async () => {
  await using at = await world({ tree: FILES });
  const { readFileSync, utimesSync } = await import("node:fs");
  const index = `${at.repository.path}/.git/index`;
  utimesSync(`${at.repository.path}/a.txt`, 1, 1);
  const before = readFileSync(index);
  await at.call("git_status");
  expect(readFileSync(index)).toEqual(before);
});

test("says where the attributes file of a repository would count, which is not read", needs("named pipes"), async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  execFileSync("mkfifo", [at.folder.at("pipe")]);
  at.repository.git("config", "core.attributesFile", at.folder.at("pipe"));
  const notice = "[core.attributesFile of this repository is not read: ";
  for (const tool of ["git_status", "git_diff_unstaged"]) expect((await at.call(tool)).text).not.toContain(notice);
  at.repository.write({ "a.txt": "b\n" });
  for (const tool of ["git_status", "git_diff_unstaged"]) expect((await at.call(tool)).text).toContain(notice);
  expect((await at.call("git_add", { files: ["."] })).text).toContain(notice);
  expect((await at.call("git_diff_staged")).text).toContain(notice);
});

test("never reads an ignore file that the configuration names", needs("named pipes"), async () => {
  await using at = await world({ tree: { "a.txt": "a" } });
  execFileSync("mkfifo", [at.folder.at("pipe")]);
  at.repository.git("config", "core.excludesFile", at.folder.at("pipe"));
  at.repository.write({ "b.tmp": "x" });
  const status = await at.call("git_status");
  expect(status.data).toMatchObject({ untracked: ["b.tmp"] });
  expect(status.text).toContain(
    "\n[core.excludesFile of this repository is not read: files that it ignores are among the untracked ones. ",
  );
  expect((await at.call("git_add", { files: ["."] })).text).toContain("[core.excludesFile of this repository is not read: ");
  expect((await at.call("git_status")).text).not.toContain("core.excludesFile");
});

test.each([
  ["all", "", []],
  ["dirty", "", ["new commits"]],
  ["untracked", "", ["new commits", "modified content"]],
  ["none", "", ["new commits", "modified content", "untracked content"]],
  ["all", "none", ["new commits", "modified content", "untracked content"]],
  ["none", "all", []],
])("reports a submodule with ignore = %s as git does, with %j in the configuration", async (module, own, expected) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  const inner = makeRepository(`${repository.path}/sub`, { "i.txt": "i\n" });
  repository.commit("inner", { ".gitmodules": `[submodule "x"]\n\tpath = sub\n\turl = ./y\n\tignore = ${module}\n` });
  if (own !== "") repository.git("config", "submodule.x.ignore", own);
  inner.commit("new", { "n.txt": "n\n" });
  inner.write({ "i.txt": "changed\n", "u.txt": "u\n" });
  const { data } = await at.call("git_status");
  expect(data["unstaged"]).toEqual(expected.length === 0 ? [] : [{ path: "sub", status: "modified", submodule: expected }]);
  expect(repository.git("status", "--porcelain") === "").toBe(expected.length === 0);
  const hint = (await at.call("git_diff_unstaged")).text.includes("which this diff leaves out");
  expect(hint).toBe(expected.includes("modified content"));
});
