// L1: repositories and work trees inside a served one, whose git directory lies outside or was never checked.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { needs, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { worldOf, type World } from "../support/world.ts";

interface Ground extends World {
  /** The commit of the repository outside, which no reply may show. */
  readonly secret: string;
}

/** A served repository `all/r`, and `out` beside the served folder. */
async function ground(prepare: (r: TestRepository, out: TestRepository) => void): Promise<Ground> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("all/r"), { "a.txt": "a\n" });
  const out = makeRepository(folder.at("out"), { "secret.txt": "CANARY\n" });
  const secret = out.git("rev-parse", "HEAD");
  prepare(repository, out);
  const served = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], allowDiscard: true });
  return { ...served, secret };
}

const addGitlink = (r: TestRepository, path: string): string =>
  r.git("update-index", "--add", "--cacheinfo", `160000,${r.git("rev-parse", "HEAD")},${path}`);

/** A submodule `sub` whose `.git` file leads to the repository outside. */
const foreignSubmodule = (r: TestRepository, out: TestRepository): void => {
  addGitlink(r, "sub");
  r.write({ "sub/.git": `gitdir: ${out.path}/.git\n` });
};

describe("L1 a submodule whose .git file leads outside", () => {
  test.each<[tool: string, args: Record<string, string>]>([
    ["git_status", {}],
    ["git_diff_unstaged", {}],
    ["git_diff_unstaged", { format: "stat" }],
    ["git_diff", { target: "HEAD" }],
  ])("stays unread by %s %j", async (tool, args) => {
    await using at = await ground(foreignSubmodule);
    const reply = JSON.stringify(await at.client.call(tool, { repo_path: "r", ...args }));
    expect(reply).not.toContain(at.secret.slice(0, 7));
    expect(reply).toMatch(/not looked into: submodule sub|submodule sub was not looked into/);
  });

  test("stays unread by git_restore, whose question does not depend on it", async () => {
    const folder = tempFolder();
    const repository = makeRepository(folder.at("all/r"), { "a.txt": "a\n" });
    foreignSubmodule(repository, makeRepository(folder.at("out"), { "secret.txt": "CANARY\n" }));
    await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
    expect(await at.failure("git_restore", { repo_path: "r", files: ["."] })).toMatch(
      /^Access denied - the git directory of sub lies outside/,
    );
  });

  test("hides no change of another submodule in the status", async () => {
    await using at = await ground((r, out) => {
      foreignSubmodule(r, out);
      makeRepository(join(r.path, "own"), { "b.txt": "b\n" });
      addGitlink(r, "own");
      r.write({ "own/b.txt": "changed\n" });
    });
    const { text } = await at.call("git_status", { repo_path: "r" });
    expect(text).toMatch(/modified:\s+own/);
  });
});

describe("L1 git_add reads no HEAD of a repository outside", needs("named pipes"), () => {
  const withPipe = (r: TestRepository, out: TestRepository): void => {
    rmSync(`${out.path}/.git/HEAD`);
    execFileSync("mkfifo", [`${out.path}/.git/HEAD`]);
    r.write({ "nested/.git": `gitdir: ${out.path}/.git\n`, "n.txt": "n\n" });
  };

  test.each<[files: string[]]>([[["nested"]], [["nested/deep/x"]], [["."]]])("refuses %j, in a dry run too", async (files) => {
    await using at = await ground((r, out) => withPipe(r, out));
    for (const dryRun of [true, false])
      expect(await at.failure("git_add", { repo_path: "r", files, dry_run: dryRun })).toContain("Access denied");
  });

  test("stages the files beside an ignored one", async () => {
    await using at = await ground((r, out) => {
      withPipe(r, out);
      r.write({ ".gitignore": "nested\n" });
      r.write({ "[a]/.git": `gitdir: ${out.path}/.git\n`, ".git/info/exclude": "/[[]a]\n" });
    });
    expect((await at.call("git_add", { repo_path: "r", files: ["."] })).data["staged"]).toEqual([".gitignore", "n.txt"]);
  });

  test("stages nothing after git_status named the repository", async () => {
    await using at = await ground((r, out) => withPipe(r, out));
    expect(await at.failure("git_status", { repo_path: "r" })).toContain("git waits for the HEAD of nested/.git");
  });
});

describe("L1 git_add stages no commit of a repository outside", () => {
  test.each<[name: string, files: string[]]>([
    ["that is named", ["nested"]],
    ["that lies in a named folder", ["."]],
  ])("refuses %s", async (_name, files) => {
    await using at = await ground((r, out) => void r.write({ "nested/.git": `gitdir: ${out.path}/.git\n`, "n.txt": "n\n" }));
    expect(await at.failure("git_add", { repo_path: "r", files })).toContain("Access denied");
    expect(at.repository.git("ls-files", "--stage")).not.toContain(at.secret);
  });

  test("refuses a patch that names the commit's id", async () => {
    await using at = await ground((r, out) => void r.write({ "nested/.git": `gitdir: ${out.path}/.git\n` }));
    const patch = `diff --git a/nested b/nested\nnew file mode 160000\n--- /dev/null\n+++ b/nested\n@@ -0,0 +1 @@\n+Subproject commit ${at.secret}\n`;
    expect(await at.failure("git_add", { repo_path: "r", patch })).toContain("Access denied");
  });

  test("stages the commit of a repository inside", async () => {
    await using at = await ground((r) => void makeRepository(join(r.path, "nested"), { "b.txt": "b\n" }));
    expect((await at.call("git_add", { repo_path: "r", files: ["."] })).text).toContain("Files staged");
    expect(at.repository.git("ls-files", "--stage")).toContain("160000");
  });
});

test("L1 git_worktree removes no work tree whose own index is unchecked", async () => {
  await using at = await ground((r) => void r.git("worktree", "add", "-q", "../side", "-b", "side"));
  const index = join(at.repository.path, ".git/worktrees/side/index");
  const side = at.folder.at("all/side");
  at.repository.raw([
    "-C",
    side,
    "update-index",
    "--add",
    "--cacheinfo",
    `100644,${at.repository.git("rev-parse", "HEAD:a.txt")},xxxxxxxxxxxx`,
  ]);
  writeFileSync(index, readFileSync(index, "latin1").replace("xxxxxxxxxxxx", "../../out/ab"), "latin1");
  const answer = await at.failure("git_worktree", { repo_path: "r", action: "remove", path: "../side" });
  expect(answer).toContain("holds a path outside its work tree");
  expect(readFileSync(join(side, "a.txt"), "utf8")).toBe("a\n");
});
