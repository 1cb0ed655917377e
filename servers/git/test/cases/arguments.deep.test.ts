// GIT-11 to GIT-14, GIT-17 and GIT-18: what is said in an argument is a value, never an option, a pattern or a second argument.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { TestRepository } from "../support/repository.ts";
import { startStress, type StressRun } from "./stress.ts";
import { dashes, FREE, hidden, placesOf, tricky } from "./text-arguments.ts";

/** All of them where there is time; else each place has its share, so that together every value is tried at many places. */
const shareOf = (values: readonly string[], at: number): readonly string[] =>
  process.env["OARLOCK_LONG"] === "1" ? values : values.filter((_, index) => index % 8 === at % 8);

/** One server for all tests, each with the repository of its own number. */
let stress: StressRun;
let tests = 0;
let repo: TestRepository;
let r: string;

beforeAll(async () => {
  stress = await startStress();
});

beforeEach(() => {
  r = `r${++tests}`;
  repo = tricky(stress, r);
});

afterEach(() => stress.checkRules());
afterAll(() => stress[Symbol.asyncDispose]());

test("GIT-11 GIT-12 GIT-14 GIT-29 treats an option in a text argument as text in every tool", async () => {
  const accepted: string[] = [];
  for (const [at, place] of (await placesOf(stress, repo.path)).entries()) {
    for (const value of shareOf(dashes(stress), at)) {
      const { failed } = await stress.reply(place.tool, place.with(value));
      if (!failed && !FREE.has(place.argument)) accepted.push(`${place.tool} ${JSON.stringify(place.with(value))}`);
    }
  }
  expect(accepted).toEqual([]);
});

test("GIT-13 treats hidden options, lines and commands in a text argument as text", async () => {
  const accepted: string[] = [];
  for (const [at, place] of (await placesOf(stress, repo.path)).entries()) {
    for (const value of shareOf(hidden(stress), at)) {
      const { failed } = await stress.reply(place.tool, place.with(value));
      // No name of git contains control characters.
      if (!failed && !FREE.has(place.argument) && ["\n", "\u0000", "\t", "\r"].some((control) => value.includes(control)))
        accepted.push(`${place.tool} ${JSON.stringify(place.with(value))}`);
    }
  }
  expect(accepted).toEqual([]);
  expect(readdirSync(stress.base).toSorted()).toEqual(["OUT", "ROOT", "trace"]);
});

test("GIT-12 refuses options in URIs, prompts and completions", async () => {
  expect(await stress.request("resources/read", { uri: `git:///${r}/status` })).toHaveProperty("result");
  for (const value of shareOf([...dashes(stress), ...hidden(stress)], 0)) {
    const part = encodeURIComponent(value);
    for (const uri of [
      `git:///${r}/commit/${part}`,
      `git:///${r}/diff/${part}`,
      `git:///${r}/blob/${part}/f.txt`,
      `git:///${r}/blob/HEAD/${part}`,
      `git:///${r}/tree/${part}/`,
      `git:///${part}/status`,
    ])
      await stress.request("resources/read", { uri });
    for (const [name, args] of [
      ["review_changes", { repo: r, target: value }],
      ["summarize_history", { repo: r, since: value }],
      ["release_notes", { repo: r, from: value, to: value }],
      ["commit_message", { repo: value }],
    ] as const)
      await stress.request("prompts/get", { name, arguments: args });
    const ref = { type: "ref/resource", uri: "git:///{repo}/blob/{revision}/{+path}" };
    for (const [name, known] of [
      ["repo", {}],
      ["revision", { repo: r }],
      ["revision", { repo: value }],
      ["path", { repo: r, revision: value }],
      ["path", { repo: r, revision: "HEAD" }],
    ] as const)
      await stress.request("completion/complete", { ref, argument: { name, value }, context: { arguments: known } });
  }
});

test("GIT-17 affects only the file whose name looks like an option", async () => {
  const git = (...args: string[]): string => repo.git(...args);
  for (const name of ["-A", "--pathspec-from-file=x"]) {
    repo.write({ "-A": "changed\n", "--pathspec-from-file=x": "changed\n", "f.txt": "changed\n" });
    expect((await stress.call("git_add", { repo_path: r, files: [name] }))["result"]).toMatchObject({
      structuredContent: { staged: [name] },
    });
    expect(git("diff", "--cached", "--name-only")).toBe(name);
    const diff = await stress.call("git_diff_staged", { repo_path: r, paths: [name], format: "names" });
    expect(diff["result"]).toMatchObject({ structuredContent: { files: [{ path: name }] } });
    expect((await stress.call("git_reset", { repo_path: r, files: [name] }))["result"]).toMatchObject({
      structuredContent: { unstaged: [name] },
    });
    expect(git("diff", "--cached", "--name-only")).toBe("");
    expect(await stress.reply("git_log", { repo_path: r, paths: [name] })).toMatchObject({
      failed: false,
      text: expect.stringContaining("first"),
    });
    expect(await stress.reply("git_blame", { repo_path: r, path: name, revision: "HEAD" })).toMatchObject({ failed: false });
    expect(await stress.reply("git_show", { repo_path: r, revision: "HEAD", path: name })).toMatchObject({ failed: false });
    expect(await stress.reply("git_grep", { repo_path: r, pattern: "dash\\|from", paths: [name], revision: "HEAD" })).toMatchObject({
      failed: false,
    });
    expect(await stress.reply("git_restore", { repo_path: r, files: [name] })).toMatchObject({ failed: false });
    expect(git("diff", "--name-only").split("\n")).toEqual(["--pathspec-from-file=x", "-A", "f.txt"].filter((other) => other !== name));
    git("checkout", "--", ".");
  }
});

test("GIT-18 treats pathspec magic and patterns as literal names", async () => {
  const all = [":(top)x", "*.c", "a.c", "[ab].c", "f.txt"];
  repo.write(Object.fromEntries(all.map((name) => [name, "changed\n"])));
  for (const name of [":(top)f.txt", ":(glob)**", ":!f.txt", ":^f.txt", ":(attr:y)", "**", "?.c", ":/", ":", ":(exclude)x", "f.tx?"]) {
    expect(await stress.reply("git_add", { repo_path: r, files: [name] }), name).toMatchObject({ failed: true });
    expect(repo.git("diff", "--cached", "--name-only"), name).toBe("");
    const { result } = await stress.call("git_diff_unstaged", { repo_path: r, paths: [name], format: "names" });
    expect(result, name).toMatchObject({ structuredContent: { files: [] } });
    await stress.reply("git_reset", { repo_path: r, files: [name] });
    await stress.reply("git_restore", { repo_path: r, files: [name] });
    await stress.reply("git_stash", { repo_path: r, action: "push", paths: [name] });
    expect(repo.git("diff", "--name-only").split("\n").length, name).toBe(all.length);
  }
  for (const name of ["*.c", "[ab].c", ":(top)x"]) {
    expect((await stress.call("git_add", { repo_path: r, files: [name] }))["result"], name).toMatchObject({
      structuredContent: { staged: [name] },
    });
    expect(repo.git("diff", "--cached", "--name-only"), name).toBe(name);
    repo.git("reset", "-q");
  }
});

test("GIT-12 refuses names of branches, tags and work trees that begin with a dash or climb", async () => {
  const before = repo.git("for-each-ref");
  for (const name of [
    "-D",
    "--force",
    "../x",
    "a..b",
    "a b",
    "a\nb",
    "a~b",
    "x.lock",
    "HEAD",
    "@",
    "refs/../../x",
    "a//b",
    "/a",
    "a/",
    ".a",
    "a.",
    "",
    "é\u0000",
    "x".repeat(300),
  ]) {
    for (const [tool, args] of [
      ["git_create_branch", { branch_name: name }],
      ["git_checkout", { branch_name: name, create: true }],
      ["git_tag", { action: "create", name }],
      ["git_worktree", { action: "add", path: "tree", branch: name }],
    ] as const)
      expect(await stress.reply(tool, { repo_path: r, ...args }), `${tool} ${JSON.stringify(name)}`).toMatchObject({ failed: true });
  }
  expect(repo.git("for-each-ref")).toBe(before);
  expect(existsSync(join(repo.path, "tree"))).toBe(false);
});
