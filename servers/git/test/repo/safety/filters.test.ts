// Filters, such as Git LFS: without --filters a path with a filter is refused before anything changes; with it the user's own filters run.
import { existsSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cloneOf, makeRepository, type TestRepository } from "../../support/repository.ts";
import { worldOf, type World, type WorldOptions } from "../../support/world.ts";

/** Stores capitals and writes small letters, so that each direction is visible. */
const USER_CONFIG =
  "[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n" +
  '[filter "lfs"]\n\tclean = tr a-z A-Z\n\tsmudge = tr A-Z a-z\n\trequired = true\n';
const RUN_FILTER = ["-c", "filter.lfs.clean=tr a-z A-Z", "-c", "filter.lfs.smudge=tr A-Z a-z"];

/** A repository whose `*.bin` have the filter `lfs`, with such files on `main` and, changed, on `other`. */
function filteredRepository(folder: TempFolder): TestRepository {
  const repository = makeRepository(folder.at("project"), { ".gitattributes": "*.bin filter=lfs\n", "a.txt": "a\n" });
  const git = (...args: string[]): string => repository.git(...RUN_FILTER, ...args);
  const commit = (message: string, tree: Record<string, string>): void => {
    repository.write(tree);
    git("add", "-A");
    git("commit", "--quiet", "-m", message);
  };
  commit("big", { "big.bin": "main\n" });
  git("checkout", "--quiet", "-b", "other");
  commit("bigger", { "big.bin": "other\n" });
  git("checkout", "--quiet", "-b", "text", "main");
  commit("text only", { "a.txt": "b\n" });
  git("checkout", "--quiet", "main");
  // Older than the index, so that git trusts its times and does not compare the content.
  for (const name of ["big.bin", "a.txt", ".gitattributes"]) utimesSync(`${repository.path}/${name}`, 1, 1);
  git("update-index", "-q", "--refresh");
  return repository;
}

async function filtered(options: Omit<WorldOptions, "tree"> = {}) {
  const folder = tempFolder({ home: { ".gitconfig": USER_CONFIG } });
  const repository = filteredRepository(folder);
  return worldOf(folder, repository, { allowDiscard: true, env: { HOME: folder.at("home"), PATH: process.env["PATH"] ?? "" }, ...options });
}

const stored = (repository: TestRepository, object: string): string => repository.git("cat-file", "blob", object);

test("git_add refuses a file whose filter does not run, and names the switch", async () => {
  await using at = await filtered();
  at.repository.write({ "new.bin": "new\n", "new.txt": "new\n" });
  const message =
    "Refused: new.bin has the filter lfs, which does not run here: the content would be stored unconverted. Start the server with --filters to run the filters of your own git configuration, or use git itself.";
  for (const files of [["new.bin"], ["."], ["new.txt", "new.bin"]]) expect(await at.failure("git_add", { files })).toBe(message);
  expect(await at.failure("git_add", { files: ["."], dry_run: true })).toBe(message);
  expect(at.repository.git("status", "--porcelain")).toBe("?? new.bin\n?? new.txt");
  expect((await at.call("git_add", { files: ["new.txt"] })).data["staged"]).toEqual(["new.txt"]);
});

test("git_add refuses any filter, by a macro or in a folder too, and accepts files without one", async () => {
  await using at = await filtered();
  at.repository.write({
    ".gitattributes": "[attr]large filter=other\n*.iso large\n*.txt filter\n*.log !filter\n",
    "d/.gitattributes": "*.raw filter=lfs\n",
    "x.iso": "x",
    "d/y.raw": "y",
    "y.raw": "y",
    "z.txt": "z",
    "z.log": "z",
  });
  expect(await at.failure("git_add", { files: ["x.iso"] })).toContain("x.iso has the filter other");
  expect(await at.failure("git_add", { files: ["d"] })).toContain("d/y.raw has the filter lfs");
  const { data } = await at.call("git_add", { files: ["y.raw", "z.txt", "z.log"] });
  expect(data["staged"]).toEqual(["y.raw", "z.log", "z.txt"]);
});

describe("a call that would write a file without its filter", () => {
  // All of them are refused and change nothing: one repository is enough.
  let at: World;
  beforeAll(async () => {
    at = await filtered();
  });
  afterAll(() => at[Symbol.asyncDispose]());

  test.each([
    ["git_checkout", { branch_name: "other" }],
    ["git_checkout", { branch_name: "other", detach: true }],
    ["git_merge", { revision: "other" }],
    ["git_rebase", { upstream: "other" }],
    ["git_cherry_pick", { revisions: ["other"] }],
    ["git_reset", { revision: "other", mode: "hard" }],
    ["git_restore", { files: ["big.bin"], source: "other" }],
    ["git_worktree", { action: "add", path: "tree", branch: "other" }],
  ])("%s %j refuses to write a file without its filter, and changes nothing", async (name, args) => {
    const before = at.repository.git("rev-parse", "HEAD");
    expect(await at.failure(name, args)).toMatch(
      /^Refused: big\.bin has the filter lfs, which does not run here: it would be written unconverted/,
    );
    expect(at.repository.git("rev-parse", "HEAD")).toBe(before);
    expect(readFileSync(`${at.repository.path}/big.bin`, "utf8")).toBe("main\n");
    expect(existsSync(`${at.repository.path}/tree`)).toBe(false);
  });
});

test("switches, merges and resets when no filtered file is touched", async () => {
  await using at = await filtered();
  await at.call("git_checkout", { branch_name: "text" });
  await at.call("git_checkout", { branch_name: "main" });
  await at.call("git_merge", { revision: "text" });
  at.repository.write({ "a.txt": "changed\n" });
  await at.call("git_reset", { mode: "hard" });
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe("b\n");
  expect(readFileSync(`${at.repository.path}/big.bin`, "utf8")).toBe("main\n");
});

test("git_restore refuses a filtered file that only the source has, and deletes one that it lacks", async () => {
  await using at = await filtered();
  at.repository.git("checkout", "--quiet", "--orphan", "empty");
  at.repository.git("rm", "--quiet", "--cached", "big.bin");
  rmSync(`${at.repository.path}/big.bin`);
  expect(await at.failure("git_restore", { files: ["big.bin"], source: "main" })).toContain("big.bin has the filter lfs");
  expect(existsSync(`${at.repository.path}/big.bin`)).toBe(false);
  at.repository.git("checkout", "--quiet", "--force", "main");
  await at.call("git_restore", { files: ["big.bin"], source: "main~1" });
  expect(existsSync(`${at.repository.path}/big.bin`)).toBe(false);
});

test("refuses a checkout over a filter that only the other branch names", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("with attributes", { ".gitattributes": "*.bin filter=lfs\n", "big.bin": "big\n" });
  repository.git("checkout", "--quiet", "main");
  await using at = await worldOf(tempFolder(), repository);
  expect(await at.failure("git_checkout", { branch_name: "other" })).toContain("big.bin has the filter lfs");
});

test("git_stash refuses to store or apply a filtered file", async () => {
  await using at = await filtered();
  at.repository.write({ "a.txt": "edited\n" });
  expect((await at.call("git_stash", { action: "push" })).data).toMatchObject({ done: true });
  expect((await at.call("git_stash", { action: "pop" })).data).toMatchObject({ done: true });
  at.repository.git("checkout", "--quiet", "a.txt");
  at.repository.write({ "big.bin": "edited\n" });
  expect(await at.failure("git_stash", { action: "push" })).toContain("big.bin has the filter lfs");
  at.repository.git(...RUN_FILTER, "stash", "push", "--quiet");
  expect(await at.failure("git_stash", { action: "pop" })).toContain("big.bin has the filter lfs");
});

test("git_stash refuses to store or apply an untracked file with a filter", async () => {
  await using at = await filtered();
  at.repository.write({ "new.bin": "new\n", "new.txt": "new\n" });
  const refused = "new.bin has the filter lfs";
  expect(await at.failure("git_stash", { action: "push", include_untracked: true })).toContain(refused);
  expect(at.repository.git("status", "--porcelain")).toBe("?? new.bin\n?? new.txt");
  at.repository.git(...RUN_FILTER, "stash", "push", "--quiet", "--include-untracked");
  for (const action of ["pop", "apply"]) expect(await at.failure("git_stash", { action })).toContain(refused);
  expect(at.repository.git("status", "--porcelain")).toBe("");
});

test("git_status and git_diff_unstaged name files compared without a filter", async () => {
  await using at = await filtered();
  at.repository.write({ "big.bin": "edited\n" });
  const notice = "[compared unconverted, may be unchanged: big.bin has the filter lfs.";
  expect((await at.call("git_status")).text).toContain(notice);
  expect((await at.call("git_diff_unstaged")).text).toContain(notice);
});

test("--filters runs the filters of the user's own configuration", async () => {
  await using at = await filtered({ filters: true });
  at.repository.write({ "new.bin": "new\n" });
  expect((await at.call("git_add", { files: ["new.bin"] })).data["staged"]).toEqual(["new.bin"]);
  expect(stored(at.repository, ":new.bin")).toBe("NEW");
  await at.call("git_commit", { message: "filtered" });
  expect((await at.call("git_status")).data).toMatchObject({ staged: [], unstaged: [] });
  await at.call("git_checkout", { branch_name: "other" });
  expect(readFileSync(`${at.repository.path}/big.bin`, "utf8")).toBe("other\n");
  at.repository.write({ "big.bin": "edited\n" });
  expect((await at.call("git_diff_unstaged")).text).toContain("-OTHER\n+EDITED");
  at.repository.write({ ".gitattributes": "*.iso filter=unknown\n*.bin filter=lfs\n", "x.iso": "x" });
  expect(await at.failure("git_add", { files: ["x.iso"] })).toContain("Your own git configuration has no filter unknown");
});

test("--filters runs no filter when the repository chooses its program", async () => {
  await using at = await filtered({ filters: true });
  at.repository.git("config", "lfs.standalonetransferagent", "evil");
  at.repository.write({ "new.bin": "new\n" });
  expect(await at.failure("git_add", { files: ["new.bin"] })).toContain(
    "Filters do not run, as the configuration of the repository chooses what they use: lfs.standalonetransferagent.",
  );
  at.repository.git("config", "--unset", "lfs.standalonetransferagent");
  at.repository.git("config", "lfs.repositoryformatversion", "0");
  expect((await at.call("git_add", { files: ["new.bin"] })).data["staged"]).toEqual(["new.bin"]);
});

test("--filters runs the user's filter in place of the repository's, and none where that one would keep it from running", async () => {
  await using at = await filtered({ filters: true });
  at.repository.git("config", "filter.lfs.clean", "evil");
  at.repository.write({ "new.bin": "new\n" });
  await at.call("git_add", { files: ["new.bin"] });
  expect(stored(at.repository, ":new.bin")).toBe("NEW");
  at.repository.git("config", "filter.lfs.process", "evil");
  at.repository.write({ "new.bin": "newer\n" });
  expect(await at.failure("git_add", { files: ["new.bin"] })).toContain(
    "Filters do not run, as the configuration of the repository chooses what they use: filter.lfs.process.",
  );
  expect(stored(at.repository, ":new.bin")).toBe("NEW");
});

test("runs the own filter of a trusted repository", async () => {
  await using folder = tempFolder();
  const repository = filteredRepository(folder);
  repository.git("config", "filter.lfs.clean", "tr a-z A-Z");
  await using at = await worldOf(tempFolder(), repository, { trust: [repository.path] });
  repository.write({ "new.bin": "new\n" });
  await at.call("git_add", { files: ["new.bin"] });
  expect(stored(repository, ":new.bin")).toBe("NEW");
});

test("git_clone names files that it wrote unconverted, and converts them with --filters", async () => {
  await using folder = tempFolder({ home: { ".gitconfig": USER_CONFIG }, all: {} });
  const bare = cloneOf(filteredRepository(folder), folder.at("bare.git"), "--bare");
  const options = {
    repositoriesRoots: [folder.at("all")],
    protocols: ["file"],
    env: { HOME: folder.at("home"), PATH: process.env["PATH"] ?? "" },
  };
  const url = `file://${bare.path}`;
  await using without = await worldOf(tempFolder(), bare, options);
  expect((await without.call("git_clone", { url, path: "one" })).text).toContain(
    "[written unconverted, with Git LFS as pointers: big.bin has the filter lfs.",
  );
  await using filters = await worldOf(tempFolder(), bare, { ...options, filters: true });
  expect((await filters.call("git_clone", { url, path: "two" })).text).not.toContain("unconverted");
  expect(readFileSync(folder.at("all/two/big.bin"), "utf8")).toBe("main\n");
});
