// Which git commands may run as reads and as changes.
import { expect, test } from "vitest";
import { traitsOf } from "../../../src/repo/process/change-command.ts";
import { runRead } from "../../../src/repo/process/read-command.ts";

const context = { git: "/nonexistent/git", env: {}, cwd: "/" };

test.each([["commit"], ["stash", "pop"], ["worktree", "prune"], ["config", "user.name", "x"], ["update-ref", "HEAD"]])(
  "refuses to run git %s %s as a read",
  async (...args) => {
    await expect(runRead(context, { args })).rejects.toThrow(/not a read-only command|reads with --list or --get only/);
  },
);

test("refuses a change with an unknown command", () => {
  expect(() => traitsOf(["gc"])).toThrow("git gc is not a known changing command.");
});

test.each([
  ["commit", ["index"], true],
  ["tag", ["index"], false],
  ["fetch", ["fetch"], false],
  ["pull", ["fetch", "index"], true],
  ["push", [], false],
])("git %s takes the locks %j; enters submodules: %s", (command, locks, entersSubmodules) => {
  expect(traitsOf([command])).toMatchObject({ locks, entersSubmodules });
});

test("knows the commands that merge files", () => {
  const commands = [["merge"], ["pull"], ["rebase"], ["cherry-pick"], ["revert"], ["stash", "apply"], ["stash", "pop"]];
  expect(commands.filter((args) => traitsOf(args).mergesFiles !== true)).toEqual([]);
  expect(traitsOf(["rebase", "--abort"], true).mergesFiles).toBe(true);
  const others = [["add"], ["commit"], ["checkout"], ["restore"], ["reset"], ["apply"], ["stash", "push"], ["stash", "drop"], ["push"]];
  others.push(["merge", "--abort"], ["rebase", "--abort"], ["merge", "--no-edit", "--ff-only", "other"], ["pull", "--ff-only"]);
  expect(others.filter((args) => traitsOf(args).mergesFiles === true)).toEqual([]);
});
