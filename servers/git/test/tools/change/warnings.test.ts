// What git warns of, and what it does not warn of although work may be lost, stands in the reply.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { collectNotices } from "../../../src/repo/messages/notices.ts";
import { reportMessages } from "../../../src/repo/messages/git-messages.ts";
import { makeRepository } from "../../support/repository.ts";
import { world } from "../../support/world.ts";

test("tells that a repository in a folder is staged as a link", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  makeRepository(`${at.repository.path}/vendor/lib`, { "b.txt": "b\n" });
  const expected = /\[staged as a link to a commit, without its files, as it is a repository of its own: vendor\/lib\. git_reset/;
  expect((await at.call("git_add", { files: ["."], dry_run: true })).text).toMatch(expected);
  const { text, data } = await at.call("git_add", { files: ["."] });
  expect(text).toMatch(expected);
  expect(data["warnings"]).toHaveLength(1);
});

test("tells that a work tree inside another one would be staged, unless it is ignored", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", ".gitignore": "/trees/\n" } });
  expect((await at.call("git_worktree", { action: "add", path: "inner", branch: "one", create: true })).text).toContain(
    '[it lies inside this work tree, where git_add ["."] would stage it as a link: put a line /inner/ into .gitignore',
  );
  expect((await at.call("git_worktree", { action: "add", path: "trees/two", branch: "two", create: true })).data).not.toHaveProperty(
    "warnings",
  );
});

describe("a detached HEAD", () => {
  test("names a detached HEAD with its commits, and those left behind", async () => {
    await using at = await world({ tree: { "a.txt": "a\n" } });
    await at.call("git_checkout", { branch_name: "HEAD", detach: true });
    at.repository.write({ "a.txt": "b\n" });
    await at.call("git_add", { files: ["a.txt"] });
    const { text, data } = await at.call("git_commit", { message: "second" });
    const hash = String(data["hash"]);
    expect(text).toContain(`[HEAD is detached: 1 commit is on no branch or tag. git_create_branch with base_branch ${hash} keeps it]`);
    const left = `[left behind: a commit that no branch or tag has, the last one ${hash.slice(0, 7)} second. git_create_branch with base_branch ${hash.slice(0, 7)} keeps it]`;
    expect(await at.call("git_checkout", { branch_name: "main" })).toEqual({
      text: `Switched to branch 'main'\n${left}`,
      data: { branch: "main", head: expect.any(String), warnings: [left] },
    });
  });

  test("keeps quiet about a detached HEAD whose commits another branch has", async () => {
    await using at = await world({ tree: { "a.txt": "a\n" } });
    await at.call("git_checkout", { branch_name: "main", detach: true });
    expect((await at.call("git_checkout", { branch_name: "main" })).text).toBe("Switched to branch 'main'");
  });

  test("of a removed work tree leaves its commits behind", async () => {
    await using at = await world({ tree: { "a.txt": "a\n", ".gitignore": "/w/\n" } });
    await at.call("git_worktree", { action: "add", path: "w" });
    at.repository.git("-C", "w", "commit", "--quiet", "--allow-empty", "-m", "x");
    const head = at.repository.git("-C", "w", "rev-parse", "HEAD");
    expect((await at.call("git_worktree", { action: "remove", path: "w" })).text).toContain(
      `[left behind: 1 commit is on no branch or tag. git_create_branch with base_branch ${head} keeps it]`,
    );
  });
});

test("tells which line ends git converts", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("config", "core.autocrlf", "input");
  at.repository.write({ "a.txt": "a\r\nb\r\n", "new.txt": "n\r\n" });
  expect((await at.call("git_add", { files: ["."] })).text).toMatch(
    /\[line ends: git turns CRLF into LF when it next writes a\.txt, new\.txt \(/,
  );
});

test("names files that were staged as resolved with their markers", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "b.txt": "b\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("side", { "a.txt": "side\n", "b.txt": "side\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("main", { "a.txt": "main\n", "b.txt": "main\n" });
  repository.loosely("merge", "side");
  repository.write({ "b.txt": "resolved\n" });
  expect((await at.call("git_add", { files: ["."] })).text).toContain(
    "[conflict markers are still in a.txt (line 1): edit, then stage again before you commit]",
  );
  expect((await at.call("git_add", { files: ["."] })).data).not.toHaveProperty("warnings");
});

describe("of what git prints", () => {
  const noticesFor = async (stderr: string): Promise<string[]> =>
    (
      await collectNotices(() =>
        reportMessages({ top: "/w/project", gitDir: "/w/project/.git", commonDir: "/w/project/.git", isBare: false }, stderr),
      )
    ).collected;

  test("drops progress, advice and repetitions of the reply, and keeps everything else", async () => {
    expect(
      await noticesFor(
        "hint: try this\nReceiving objects:  45% (9/20)\rremote: Counting objects: 3, done.\nFrom https://u:p@h.example/x\n   abc..def  main -> origin/main\nwarning: remote HEAD refers to nonexistent ref\nremote: Create a pull request at https://u:p@h.example/new\nwarning: could not open /w/project/.git/x\n",
      ),
    ).toEqual([
      "[git says: remote HEAD refers to nonexistent ref\nremote: Create a pull request at https://h.example/new\ncould not open .git/x]",
    ]);
    expect(await noticesFor("")).toEqual([]);
  });

  test("joins warnings of one kind, in the wording of older versions too", async () => {
    const old = (name: string): string =>
      `warning: LF will be replaced by CRLF in ${name}.\nThe file will have its original line endings in your working directory\n`;
    expect(await noticesFor(Array.from({ length: 7 }, (_, at) => old(`f${at}.txt`)).join(""))).toEqual([
      "[line ends: git turns LF into CRLF when it next writes f0.txt, f1.txt, f2.txt, f3.txt, f4.txt and 2 more (attribute text or eol, core.autocrlf)]",
    ]);
    const advice =
      "\nIf you want to keep them by creating a new branch, this may be a good time\nto do so with:\n\n git branch <new-branch-name> abc1234\n\n";
    expect(
      await noticesFor(
        `Warning: you are leaving 2 commits behind, not connected to\nany of your branches:\n\n  abc1234 two\n  def5678 one\n${advice}Switched to branch 'main'\n`,
      ),
    ).toEqual([
      "[left behind: 2 commits that no branch or tag has, the last one abc1234 two. git_create_branch with base_branch abc1234 keeps them]",
    ]);
  });

  test("many lines are cut", async () => {
    const [notice = ""] = await noticesFor(Array.from({ length: 50 }, (_, at) => `odd line ${at}\n`).join(""));
    expect(notice).toMatch(/odd line 19\n… and 30 more lines\]$/);
  });
});

test("has no reader for notices outside of a call", async () => {
  await using folder = tempFolder();
  expect(() => reportMessages({ top: folder.path, gitDir: folder.path, commonDir: folder.path, isBare: false }, "odd\n")).not.toThrow();
});
