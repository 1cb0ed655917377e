// Which arguments of a changing command are the names that it changes.
import { expect, test } from "vitest";
import { changedNames, isTrial } from "../../../src/repo/process/changed-names.ts";

test.each<[args: string[], names: string[]]>([
  [["checkout", "--quiet", "main", "--"], ["main"]],
  [
    ["branch", "--move", "--", "old", "new"],
    ["old", "new"],
  ],
  [
    ["worktree", "add", "--detach", "--", "/w", "HEAD"],
    ["/w", "HEAD"],
  ],
  [
    ["restore", "--", "-x", "--dry-run", "--", "a"],
    ["-x", "--dry-run", "--", "a"],
  ],
  [["add", "--", "--check"], ["--check"]],
  [["stash", "push", "--message=m", "--", "--pathspec-file-nul"], ["--pathspec-file-nul"]],
  [["apply", "--cached", "-"], []],
])("lists the changed names in git %j", (args, names) => {
  expect(changedNames({ args, input: "secret" })).toEqual(names);
});

test("lists names that are read from the input", () => {
  const args = ["add", "--pathspec-from-file=-", "--pathspec-file-nul"];
  expect(changedNames({ args, input: "-a\0--dry-run\0" })).toEqual(["-a", "--dry-run"]);
});

test("recognizes a dry run by its options, not by its names", () => {
  expect(isTrial({ args: ["add", "--dry-run", "--", "a"] })).toBe(true);
  expect(isTrial({ args: ["restore", "--", "--dry-run"] })).toBe(false);
});
