// Entries of `git status --porcelain=v2 -z`.
import { expect, test } from "vitest";
import { parseStatus } from "../../../src/repo/worktree/status-parser.ts";

const HASHES = `${"1".repeat(40)} ${"2".repeat(40)}`;
const changed = (codes: string, path: string, submodule = "N..."): string =>
  `1 ${codes} ${submodule} 100644 100644 100644 ${HASHES} ${path}`;
const moved = (codes: string, path: string, old: string): string =>
  `2 ${codes} N... 100644 100644 100644 ${HASHES} ${codes.trim()[0]}90 ${path}\0${old}`;
const unmerged = (codes: string, path: string): string => `u ${codes} N... 100644 100644 100644 100644 ${HASHES} ${"3".repeat(40)} ${path}`;
const parse = (records: readonly string[], limit = 100) =>
  parseStatus(Buffer.from(records.map((record) => `${record}\0`).join("")), undefined, limit);

test("reads branch, commit, upstream and stashes from the headers", () => {
  const records = ["# branch.oid abc", "# branch.head a b", "# branch.upstream origin/main", "# branch.ab +12 -34", "# stash 4"];
  expect(parse(records)).toMatchObject({ head: "abc", branch: "a b", upstream: "origin/main", ahead: 12, behind: 34, stashCount: 4 });
});

test("reads a detached HEAD without branch, and a repository without commits without head", () => {
  expect(parse(["# branch.oid (initial)", "# branch.head (detached)"])).toEqual({
    branch: undefined,
    head: undefined,
    upstream: undefined,
    ahead: undefined,
    behind: undefined,
    staged: [],
    unstaged: [],
    untracked: [],
    conflicts: [],
    operation: undefined,
    stashCount: 0,
    omitted: 0,
    uninspected: [],
  });
});

test.each([
  ["M.", [{ path: "a b", status: "modified" }], []],
  [".M", [], [{ path: "a b", status: "modified" }]],
  ["AD", [{ path: "a b", status: "added" }], [{ path: "a b", status: "deleted" }]],
  ["T.", [{ path: "a b", status: "typechange" }], []],
  ["D.", [{ path: "a b", status: "deleted" }], []],
  ["X.", [{ path: "a b", status: "X" }], []],
])("reads a change %s as staged %j and unstaged %j", (codes, staged, unstaged) => {
  expect(parse([changed(codes, "a b")])).toMatchObject({ staged, unstaged });
});

test("reads the old name of a rename where it was staged", () => {
  const { staged, unstaged, untracked } = parse([moved("RM", "new name", "old name"), moved(".C", "copy", "source"), "? x"]);
  expect(staged).toEqual([{ path: "new name", status: "renamed", oldPath: "old name" }]);
  expect(unstaged).toEqual([
    { path: "new name", status: "modified" },
    { path: "copy", status: "copied", oldPath: "source" },
  ]);
  expect(untracked).toEqual(["x"]);
});

test.each([
  ["DD", "both deleted"],
  ["AU", "added by us"],
  ["UD", "deleted by them"],
  ["UA", "added by them"],
  ["DU", "deleted by us"],
  ["AA", "both added"],
  ["UU", "both modified"],
  ["XX", "unmerged"],
])("reads a conflict %s as %s", (codes, status) => {
  expect(parse([unmerged(codes, "a b")]).conflicts).toEqual([{ path: "a b", status }]);
});

test("names a submodule at another commit, and none with other changes", () => {
  const { unstaged } = parse([changed(".M", "lib", "SC.."), changed(".M", "dirty", "S.M."), changed(".M", "file", "NC..")]);
  expect(unstaged).toEqual([
    { path: "lib", status: "modified", submodule: ["new commits"] },
    { path: "dirty", status: "modified" },
    { path: "file", status: "modified" },
  ]);
  // The change is staged: the entry before it stays as it is.
  expect(parse([changed(".M", "a"), changed("M.", "lib", "SC..")]).unstaged).toEqual([{ path: "a", status: "modified" }]);
});

test("counts entries beyond the limit, a rename as one", () => {
  const records = ["? a", moved("R.", "b", "c"), changed("M.", "d"), "# stash 1"];
  expect(parse(records, 2)).toMatchObject({ untracked: ["a"], staged: [{ path: "b" }], omitted: 1, stashCount: 1 });
  expect(parse(records, 1)).toMatchObject({ untracked: ["a"], staged: [], omitted: 2 });
  expect(parse(records, 3)).toMatchObject({ omitted: 0 });
});

test("escapes a name that is not UTF-8", () => {
  const record = Buffer.concat([Buffer.from("? caf"), Buffer.from([0xe9, 0])]);
  expect(parseStatus(record, "merge", 1)).toMatchObject({ untracked: ["caf\\xE9"], operation: "merge" });
});
