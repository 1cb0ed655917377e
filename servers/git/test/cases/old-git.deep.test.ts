// Hostile repositories on the oldest git that is supported: OARLOCK_OLD_GIT names one, else the installed git stands in for it, without
// the variables that git 2.36 does not know.
import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository, TestRepository } from "../support/repository.ts";
import { ENTRY_POINTS, tryAll } from "./entry-points.ts";
import { LEADING_OUT } from "./escape-attempts.ts";
import { MemoryRun } from "./memory-run.ts";
import { caseOf, PAYLOADS } from "./payloads.ts";

const STAND_IN = `#!/bin/sh
unset GIT_NO_LAZY_FETCH GIT_ADVICE
[ "$1" = --version ] && exec echo "git version 2.36.0"
exec git "$@"
`;

/** An object is missing, and what git would call to fetch it is an alias of the repository. */
function plantPartialClone(repo: TestRepository, run: string): void {
  const id = repo.git("rev-parse", "HEAD:f.txt");
  rmSync(join(repo.path, ".git/objects", id.slice(0, 2), id.slice(2)));
  repo.configure(["remote.origin.url", "::x"], ["remote.origin.promisor", "true"], ["alias.remote-", `!${run}`]);
}

/** A remote that no partial clone uses, and an alias that has a harmless name. */
function plantRemote(repo: TestRepository, run: string): void {
  repo.configure(["remote.origin.url", `ext::sh -c "${run}"`], ["alias.x", `!${run}`]);
}

/** All of them on a git that is old, and where there is time. The stand-in differs by two variables: it meets the first of each case. */
const ALL = process.env["OARLOCK_OLD_GIT"] !== undefined || process.env["OARLOCK_LONG"] === "1";
const isMet = ({ title }: { title: string }, _: number, all: readonly { title: string }[]): boolean =>
  ALL || all.find((one) => caseOf(one.title) === caseOf(title))?.title === title;

const HOSTILE = [
  ...PAYLOADS.filter(isMet),
  { title: "GIT-27 a partial clone with the empty protocol", plant: plantPartialClone },
  { title: "GIT-27 a remote that is a command", plant: plantRemote },
];

const OUTSIDE = LEADING_OUT.map(([title, prepare]) => ({ title, prepare })).filter(isMet);

let run: MemoryRun;
let own = "";

beforeAll(async () => {
  run = new MemoryRun();
  for (const [n, { plant }] of HOSTILE.entries()) {
    plant(run.repository(`r${n}`), `touch '${run.executionMark}'`);
    rmSync(run.executionMark, { force: true });
  }
  const outer = new TestRepository(join(run.out, "repo"));
  outer.git("repack", "-a", "-q");
  outer.git("pack-refs", "--all", "--no-prune");
  for (const [n, { prepare }] of OUTSIDE.entries()) prepare(run, `out${n}`);
  run.repository("plain");
  own = run.at("../old-git");
  writeFileSync(own, STAND_IN);
  chmodSync(own, 0o755);
  await run.start(process.env["OARLOCK_OLD_GIT"] ?? own);
});

afterAll(() => run[Symbol.asyncDispose]());

test("serves an ordinary repository with an old git", async () => {
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_log", {}],
    ["git_branch", {}],
    ["git_checkout", { branch_name: "side", create: true }],
    ["git_add", { files: ["."] }],
    ["git_commit", { message: "side", allow_empty: true }],
    ["git_checkout", { branch_name: "main" }],
    ["git_commit", { message: "main", allow_empty: true }],
    ["git_diff", { target: "side" }],
    ["git_rebase", { upstream: "side" }],
    ["git_merge", { revision: "side" }],
    ["git_cherry_pick", { revisions: ["side"], step: "start" }],
    ["git_cherry_pick", { step: "skip" }],
    ["git_worktree", { action: "add", path: "../linked", branch: "side" }],
    ["git_worktree", { action: "prune" }],
    ["git_stash", { action: "list" }],
    ["git_blame", { path: "f.txt" }],
    ["git_grep", { pattern: "one" }],
    ["git_reflog", {}],
  ] as const)
    expect((await run.reply(tool, { repo_path: "plain", ...args })).text, tool).not.toMatch(
      /unknown option|usage:|Unknown argument|Internal/,
    );
});

test.each(HOSTILE.map(({ title }, n) => [title, n] as const))("with an old git, %s: runs nothing", async (_title, n) => {
  const wanted = ENTRY_POINTS.filter(({ tool }, at) => tool !== undefined && (ALL || at % 2 === n % 2));
  const outcomes = await tryAll(run, run.at(`r${n}`), (entryPoint) => wanted.includes(entryPoint));
  expect(outcomes.length).toBe(wanted.length);
  try {
    run.checkRules();
  } finally {
    rmSync(run.executionMark, { force: true });
  }
});

test.each(OUTSIDE.map(({ title }, n) => [title, n] as const))("refuses, with an old git, %s", async (_title, n) => {
  for (const tool of ["git_status", "git_log", "git_branch", "git_diff_unstaged"])
    expect(await run.reply(tool, { repo_path: run.at(`out${n}`) })).toMatchObject({ failed: true });
  run.checkRules();
});

describe("GIT-27 plain git", () => {
  test("calls an alias when an object of a partial clone is missing", async () => {
    await using folder = tempFolder();
    const repo = makeRepository(folder.at("r"), { "f.txt": "one\n" });
    const id = repo.git("rev-parse", "HEAD:f.txt");
    plantPartialClone(repo, `touch '${folder.at("MARK")}'`);
    repo.loosely("cat-file", "-p", id);
    expect(existsSync(folder.at("MARK"))).toBe(true);
  });
});
