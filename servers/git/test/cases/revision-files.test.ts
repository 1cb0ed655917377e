// L1: git looks a revision up as a path below the git directory first, and reads whatever file is there whole.
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { linkTo, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { listTools } from "../support/call-tables.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { world, worldOf, type World } from "../support/world.ts";

const HUGE = 64 * 1024 * 1024;
const NOT_A_REF = "of the git directory, which cannot be a ref";

function pipe({ path }: TestRepository, name = "hooks/x"): void {
  mkdirSync(dirname(`${path}/.git/${name}`), { recursive: true });
  execFileSync("mkfifo", [`${path}/.git/${name}`]);
}

function huge({ path }: TestRepository, name: string): void {
  writeFileSync(`${path}/.git/${name}`, "");
  truncateSync(`${path}/.git/${name}`, HUGE);
}

async function prepared(prepare: (repository: TestRepository) => void): Promise<World> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("branch", "topic");
  prepare(repository);
  return await worldOf(folder, repository, { allowDiscard: true });
}

const FORMS = [
  "hooks/x",
  "hooks/x~1",
  "hooks/x^",
  "hooks/x^{tree}",
  "hooks/x^{/one}",
  "hooks/x@{1}",
  "hooks/x@{yesterday}",
  "hooks/x@{u}",
  "hooks/x..HEAD",
  "HEAD..hooks/x",
  "HEAD...hooks/x",
  "HEAD~0..hooks/x^0",
  "hooks/x:a.txt",
];

/** Names of arguments that become revisions. */
const REVISIONS = /^(?:base|base_branch|bad|contains|good|merged|not_contains|onto|revisions?|source|target|upstream)$/;

/** Every argument that becomes a revision. */
const CALLS: readonly (readonly [tool: string, args: Json])[] = [
  ["git_log", { revision: "hooks/x" }],
  ["git_shortlog", { revision: "hooks/x" }],
  ["git_bisect", { good: "hooks/x", text: "a" }],
  ["git_bisect", { good: "HEAD", bad: "hooks/x", text: "a" }],
  ["git_commit", { message: "m", amend: true, revision: "hooks/x" }],
  ["git_show", { revision: "hooks/x" }],
  ["git_show", { revision: "hooks/x", path: "a.txt" }],
  ["git_diff", { target: "hooks/x" }],
  ["git_diff", { target: "HEAD", base: "hooks/x" }],
  ["git_diff", { target: "HEAD..hooks/x" }],
  ["git_blame", { path: "a.txt", revision: "hooks/x" }],
  ["git_grep", { pattern: "a", revision: "hooks/x" }],
  ["git_branch", { contains: "hooks/x" }],
  ["git_branch", { not_contains: "hooks/x" }],
  ["git_branch", { merged: "hooks/x" }],
  ["git_checkout", { branch_name: "hooks/x" }],
  ["git_checkout", { branch_name: "hooks/x", detach: true }],
  ["git_create_branch", { branch_name: "new", base_branch: "hooks/x" }],
  ["git_tag", { action: "create", name: "v", target: "hooks/x" }],
  ["git_reset", { revision: "hooks/x" }],
  ["git_restore", { files: ["a.txt"], source: "hooks/x" }],
  ["git_worktree", { action: "add", path: "w", revision: "hooks/x" }],
  ["git_merge", { revision: "hooks/x" }],
  ["git_rebase", { upstream: "hooks/x" }],
  ["git_rebase", { upstream: "HEAD", onto: "hooks/x" }],
  ["git_cherry_pick", { revisions: ["hooks/x"] }],
  ["git_revert", { revisions: ["hooks/x"] }],
  ["view_diff", { kind: "commit", target: "hooks/x" }],
  ["view_diff", { kind: "revisions", target: "HEAD...hooks/x" }],
];

test("calls every tool that takes a revision", async () => {
  const has = (tool: string, argument: string): boolean =>
    CALLS.some(([name, args]) => name === tool && JSON.stringify(args[argument] ?? "").includes("hooks/x"));
  const missing = (await listTools()).flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema["properties"] ?? {}).flatMap((key) => (REVISIONS.test(key) && !has(name, key) ? [`${name} ${key}`] : [])),
  );
  expect(missing, "enter these arguments in CALLS of this test").toEqual([]);
});

describe("refuses a revision that names a pipe", () => {
  test("refuses one beside any other text", async () => {
    await using at = await prepared(pipe);
    for (const revision of FORMS) expect(await at.failure("git_log", { revision }), revision).toContain(NOT_A_REF);
  });

  test("refuses one in each argument of a tool", async () => {
    await using at = await prepared(pipe);
    for (const [tool, args] of CALLS) expect(await at.failure(tool, args), `${tool} ${JSON.stringify(args)}`).toContain(NOT_A_REF);
  });

  test("refuses one in each resource, prompt and completion", async () => {
    await using at = await prepared(pipe);
    const { client } = at;
    const repo = "project";
    for (const path of ["commit/hooks%2Fx", "diff/hooks%2Fx..HEAD", "diff/HEAD...hooks%2Fx", "blob/hooks%2Fx/a.txt", "tree/hooks%2Fx/"])
      await expect(client.read(`git:///${repo}/${path}`), path).rejects.toThrow(NOT_A_REF);
    const prompts = { review_changes: { target: "hooks/x" }, release_notes: { from: "hooks/x", to: "HEAD" } };
    for (const [name, args] of Object.entries(prompts))
      await expect(client.request("prompts/get", { name, arguments: { repo, ...args } }), name).rejects.toThrow(NOT_A_REF);
    const found = await client.request("completion/complete", {
      ref: { type: "ref/resource", uri: "git:///{repo}/blob/{revision}/{+path}" },
      argument: { name: "path", value: "" },
      context: { arguments: { repo, revision: "hooks/x" } },
    });
    expect(JSON.stringify(found)).not.toContain("a.txt");
  });

  test("refuses one by name in a linked work tree and in the common directory", async () => {
    await using folder = tempFolder();
    const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
    repository.git("worktree", "add", "--quiet", folder.at("linked"));
    pipe(repository);
    huge(repository, "worktrees/linked/y");
    await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.path] });
    for (const revision of ["hooks/x", "y", "worktrees/linked/y", "main-worktree/hooks/x"])
      expect(await at.failure("git_log", { repo_path: "linked", revision })).toContain(NOT_A_REF);
  });
});

test("refuses a revision that names a huge file, a file behind a link or a file that leads on", async () => {
  await using at = await prepared((repository) => {
    huge(repository, "big");
    repository.write({ "scripts/x": "x\n", ".git/hooks": linkTo("../scripts"), ".git/note": "ref: hooks/x\n" });
  });
  for (const revision of ["big", "big~1", "hooks/x", "note"]) expect(await at.failure("git_log", { revision })).toContain(NOT_A_REF);
});

test("serves a branch of that name by its full ref", async () => {
  await using at = await prepared((repository) => {
    repository.git("branch", "big");
    huge(repository, "big");
  });
  expect(await at.failure("git_checkout", { branch_name: "big" })).toContain("such as refs/heads/big");
  expect(await at.failure("git_worktree", { action: "add", path: "w", branch: "big" })).toContain("such as refs/heads/big");
  expect((await at.call("git_log", { revision: "refs/heads/big" })).text).toContain("first");
});

test("serves heads beside HEAD, and branches named like a small file or a folder", async () => {
  await using at = await prepared((repository) => {
    for (const name of ["config", "hooks/free", "objects"]) repository.git("branch", name);
    repository.git("update-ref", "ORIG_HEAD", "HEAD");
    repository.git("fetch", "--quiet", ".", "topic");
    repository.git("checkout", "--quiet", "topic");
    repository.git("checkout", "--quiet", "main");
  });
  for (const revision of ["config", "hooks/free", "objects", "ORIG_HEAD", "FETCH_HEAD", "@", "@{-1}", "HEAD@{1}", "main@{0}", "HEAD..main"])
    await at.call("git_log", { revision });
  await at.call("git_checkout", { branch_name: "config" });
});

describe("refuses a repository in which git would read a pipe or huge file", () => {
  test.each([
    ["refs/heads/sym", "git_branch"],
    ["CHERRY_PICK_HEAD", "git_status"],
    ["stash", "git_stash"],
  ])("refuses the symbolic ref %s", async (name, tool) => {
    await using at = await prepared((repository) => {
      pipe(repository);
      repository.write({ [`.git/${name}`]: "ref: hooks/x\n" });
    });
    const failure = await at.failure(tool, { action: tool === "git_stash" ? "apply" : undefined });
    expect(failure).toContain(`the file ${name} in the git directory of`);
    expect(failure).toContain("leads to a file outside refs/");
  });

  test("refuses the HEAD of another work tree", async () => {
    await using folder = tempFolder();
    const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
    repository.git("worktree", "add", "--quiet", folder.at("linked"));
    pipe(repository);
    repository.write({ ".git/worktrees/linked/HEAD": "ref: hooks/x\n" });
    await using at = await worldOf(folder, repository);
    expect(await at.failure("git_worktree", { action: "list" })).toContain("the file worktrees/linked/HEAD in the git directory of");
  });

  test("refuses the branch that another one follows", async () => {
    await using at = await prepared((repository) => {
      pipe(repository);
      repository.git("config", "branch.main.remote", ".");
      repository.git("config", "branch.main.merge", "hooks/x");
    });
    for (const tool of ["git_status", "git_branch", "git_log"]) expect(await at.failure(tool)).toContain(NOT_A_REF);
  });

  test("refuses the ref that a fetch stores its branches in", async () => {
    await using at = await prepared((repository) => {
      pipe(repository);
      repository.git("config", "branch.main.remote", "origin");
      repository.git("config", "branch.main.merge", "refs/heads/x");
      repository.git("config", "remote.origin.url", "https://example.org/x.git");
      repository.git("config", "remote.origin.fetch", "+refs/heads/*:hooks/*");
    });
    expect(await at.failure("git_status")).toContain(NOT_A_REF);
  });

  test("refuses the branch in the reflog of HEAD", async () => {
    await using at = await prepared((repository) => {
      pipe(repository);
      const id = repository.git("rev-parse", "HEAD");
      appendFileSync(
        `${repository.path}/.git/logs/HEAD`,
        `${id} ${id} Ada <ada@example.org> 1700000000 +0000\tcheckout: moving from hooks/x to main\n`,
      );
    });
    expect(await at.failure("git_log", { revision: "@{-1}" })).toContain(NOT_A_REF);
    expect(await at.failure("git_checkout", { branch_name: "@{-1}" })).toContain(NOT_A_REF);
  });

  test("refuses a huge file with the name of a commit", async () => {
    await using at = await world({ tree: { "a.txt": "a\n" } });
    const id = at.repository.git("rev-parse", "HEAD");
    huge(at.repository, id);
    expect(await at.failure("git_log")).toContain(`the file ${id} in the git directory of`);
  });
});

test("serves branches that track a local one by its short name, and stale refs of a fetch", async () => {
  await using at = await prepared((repository) => {
    repository.git("config", "branch.main.remote", ".");
    repository.git("config", "branch.main.merge", "topic");
    repository.git("config", "remote.origin.fetch", "refs/heads/master:origin");
    repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/topic");
    repository.git("symbolic-ref", "refs/heads/also", "HEAD");
  });
  expect((await at.call("git_status")).data).toMatchObject({ upstream: "topic" });
});
