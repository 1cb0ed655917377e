// Programs of a repository's own configuration that are switched off: each command that converts or compares files, tried for real.
import { appendFileSync, existsSync, utimesSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "../../../support/repository.ts";
import { worldOf, type World } from "../../../support/world.ts";

/** The attributes say `set` and `unset` of a file without a filter too, so that these filters are refused nowhere: only git could run them. */
const ATTRIBUTES = "*.txt diff=x filter=set\n*.raw diff=x filter=unset\n*.odd filter=\n";

/** Settings that run `command`. */
const programs = (command: string): string => `
[filter "set"]
	clean = ${command}; cat
	smudge = ${command}; cat
	required = true
[filter "unset"]
	process = ${command}
[filter ""]
	clean = ${command}; cat
[diff]
	external = ${command}
[diff "x"]
	command = ${command}
	textconv = ${command}; cat
`;

let at: World;
let hasRun: () => boolean;
let time = 1;

beforeAll(async () => {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { ".gitattributes": ATTRIBUTES, "f.txt": "one\n", "f.raw": "one\n" });
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("theirs", { "f.txt": "theirs\n", "f.raw": "theirs\n" });
  repository.commit("more", { "g.txt": "more\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "h.txt": "ours\n", "f.odd": "one\n" });
  hasRun = () => existsSync(folder.at("ran"));
  appendFileSync(`${repository.path}/.git/config`, programs(`touch '${folder.at("ran")}'`));
  at = await worldOf(folder, repository, { allowDiscard: true });
});

afterAll(() => at[Symbol.asyncDispose]());

/** In this order, each on what the ones before it have left. */
const CALLS = [
  ["git_status", {}],
  ["git_diff_unstaged", {}],
  ["git_diff", { target: "side" }],
  ["git_log", { pickaxe: "one" }],
  ["git_log", { grep_diff: "one", stat: true }],
  ["git_log", { line_range: "1,1", paths: ["f.txt"] }],
  ["git_show", { revision: "side~1" }],
  ["git_show", { revision: "HEAD", path: "f.txt" }],
  ["git_blame", { path: "f.txt" }],
  ["git_blame", { path: "f.raw", revision: "side" }],
  ["git_grep", { pattern: "o" }],
  ["git_stash", { action: "push" }],
  ["git_stash", { action: "show" }],
  ["git_stash", { action: "pop" }],
  ["git_add", { files: ["f.txt", "f.raw"], dry_run: true }],
  ["git_add", { files: ["f.txt", "f.raw"] }],
  ["git_diff_staged", {}],
  ["git_commit", { message: "edited" }],
  ["git_commit", { message: "amended", amend: true }],
  ["git_commit", { message: "reworded", amend: true, revision: "HEAD~1" }],
  ["git_restore", { files: ["f.txt", "f.raw"], source: "HEAD~1" }],
  ["git_reset", { mode: "hard" }],
  ["git_revert", { revisions: ["HEAD"] }],
  ["git_merge", { revision: "side", ff: "no" }],
  ["git_reset", { mode: "hard", revision: "HEAD~1" }],
  ["git_cherry_pick", { revisions: ["side"] }],
  ["git_worktree", { action: "add", path: "tree", branch: "side" }],
  ["git_worktree", { action: "remove", path: "tree" }],
  ["git_bisect", { good: "side~2", bad: "side", text: "more" }],
  ["git_checkout", { branch_name: "side" }],
  ["git_rebase", { upstream: "side~1", onto: "side~2" }],
  ["git_untrack", { paths: ["g.txt"] }],
] as const;

test.each(CALLS)("%s %j runs no program of the repository", async (tool, args) => {
  if (tool === "git_diff_unstaged" || tool === "git_add") at.repository.write({ "f.txt": "two\n", "f.raw": "two\n" });
  // Other times each time: git looks into these files again.
  for (const name of ["f.txt", "f.raw", "f.odd"])
    if (existsSync(`${at.repository.path}/${name}`)) utimesSync(`${at.repository.path}/${name}`, ++time, time);
  await at.call(tool, args);
  expect(hasRun()).toBe(false);
});

test("would run them in git itself", () => {
  at.repository.write({ "f.txt": "new\n" }).loosely("status");
  expect(hasRun()).toBe(true);
});
