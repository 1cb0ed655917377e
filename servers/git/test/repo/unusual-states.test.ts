// States of a repository that are legal and rare: replies match what git knows, and errors name the next step.
import { existsSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { readableMessage } from "../../src/repo/messages/readable-message.ts";
import { makeRepository, TestRepository } from "../support/repository.ts";
import { world, worldOf } from "../support/world.ts";

test("shows the object of a tag, through other tags too", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("tag", "-a", "-m", "inner", "inner");
  repository.git("tag", "-a", "-m", "outer", "outer", "inner");
  repository.git("tag", "-a", "-m", "outermost", "outermost", "outer");
  repository.git("tag", "-a", "-m", "a file", "file", "HEAD:a.txt");
  repository.git("tag", "-a", "-m", "a tag of a file", "file2", "file");
  repository.git("tag", "tree", "HEAD^{tree}");
  const { data } = await at.call("git_tag", { action: "list" });
  const listed = (data["tags"] as { name: string; commit: string; type?: string }[]).map(({ name, commit, type }) => [name, commit, type]);
  const id = (name: string): string => repository.git("rev-parse", `${name}^{}`);
  expect(listed.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1))).toEqual([
    ["file", id("file"), "blob"],
    ["file2", id("file"), "blob"],
    ["inner", id("HEAD"), undefined],
    ["outer", id("HEAD"), undefined],
    ["outermost", id("HEAD"), undefined],
    ["tree", id("tree"), "tree"],
  ]);
});

test("returns no head of a work tree and no blame before the first commit", async () => {
  await using folder = tempFolder({ project: { "a.txt": "a\n" } });
  const repository = new TestRepository(folder.at("project"));
  repository.git("init", "--quiet");
  await using at = await worldOf(folder, repository);
  const { data } = await at.call("git_worktree", { action: "list" });
  expect((data["worktrees"] as object[])[0]).not.toHaveProperty("head");
  expect(await at.failure("git_blame", { path: "a.txt" })).toBe("There are no commits yet: no line has a history.");
});

test("invents no ref at the end of a shallow history", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("origin")).fill(5, 2);
  repository.git("clone", "--quiet", "--depth=2", `file://${repository.path}`, folder.at("project"));
  await using at = await worldOf(folder, new TestRepository(folder.at("project")));
  const { data } = await at.call("git_log");
  expect((data["commits"] as { refs: string[] }[])[1]?.refs).toEqual([]);
  expect((await at.call("git_show", { revision: "HEAD~1" })).data["refs"]).toEqual([]);
  for (const revision of ["HEAD~2", "main~1^", "HEAD~2..HEAD", repository.git("rev-parse", "HEAD~3")])
    expect(await at.failure("git_log", { revision })).toMatch(/^Unknown revision "[^"]+": the history of this repository is shallow/);
});

test("reports a missing parent without suggesting another name", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  for (const revision of ["HEAD~3", "HEAD^2", "main~1"])
    expect(await at.failure("git_log", { revision })).toBe(
      `Unknown revision "${revision}": "${revision.slice(0, 4)}" has no such parent or ancestor.`,
    );
});

test("shows the untracked files of a stash, limited to the given paths", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "d/b.txt": "b\n" } });
  const { repository } = at;
  repository.write({ "a.txt": "A\n", "d/b.txt": "B\n", "d/new.txt": "new\n", "z.txt": "z\n" });
  await at.call("git_stash", { action: "push", include_untracked: true });
  const names = async (paths: string[]): Promise<string[]> =>
    ((await at.call("git_stash", { action: "show", paths })).data["files"] as { path: string }[]).map(({ path }) => path);
  expect((await at.call("git_stash", { action: "show" })).text).toBe(
    `stash@{0}:\n${repository.raw(["stash", "show", "--include-untracked", "-p"]).toString()}`,
  );
  expect(await names([])).toEqual(["a.txt", "d/b.txt", "d/new.txt", "z.txt"]);
  expect(await names(["d"])).toEqual(["d/b.txt", "d/new.txt"]);
  expect(await names(["z.txt", "a.txt"])).toEqual(["a.txt", "z.txt"]);
  expect(await names(["*.txt"])).toEqual([]);
  expect(await at.failure("git_stash", { action: "show", paths: ["a\nb"] })).toContain("line break");
});

test("names the kind of object that is not a commit", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "b.txt": "b\n" } });
  at.repository.git("tag", "-a", "-m", "a file", "file", "HEAD:a.txt");
  for (const given of [{ target: "file" }, { target: "HEAD:a.txt" }, { target: "HEAD", base: "file" }, { target: "HEAD..file" }])
    expect(await at.failure("git_diff", given)).toMatch(/^A file of a revision can only be compared with another one/);
  expect((await at.call("git_diff", { target: "file", base: "HEAD:b.txt" })).text).toContain("-b\n+a\n");
  expect(await at.failure("git_show", { revision: "file" })).toBe(
    '"file" is a blob, not a commit. Give a branch, a tag of a commit, or a commit id.',
  );
  expect((await at.call("git_show", { revision: "HEAD:" })).text).toMatch(/\ta\.txt\n.*\tb\.txt$/);
});

test("shows and blames a file whose name holds a line break", async () => {
  await using at = await world({ tree: { "new\nline.txt": "a\n", "d\ne/f": "f\n" } });
  expect((await at.call("git_show", { revision: "HEAD", path: "new\nline.txt" })).text).toBe("a\n");
  expect((await at.call("git_show", { revision: "HEAD", path: "d\ne" })).text).toMatch(/^100644 blob [0-9a-f]{40}\tf$/);
  expect((await at.call("git_blame", { revision: "HEAD", path: "new\nline.txt" })).data["hunks"]).toHaveLength(1);
  expect(await at.failure("git_show", { revision: "HEAD", path: "no\nline.txt" })).toMatch(/^There is no no\\nline\.txt in /);
});

test("refuses a stash in a bare repository with the reason", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("origin")).fill(2, 2);
  repository.git("clone", "--quiet", "--bare", repository.path, folder.at("project.git"));
  await using at = await worldOf(folder, new TestRepository(folder.at("project.git")));
  for (const action of ["list", "show", "push", "apply", "drop"])
    expect(await at.failure("git_stash", { action })).toMatch(/^This repository is bare/);
});

test("refuses an empty amended commit and names the argument that allows it", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.raw(["commit", "--allow-empty", "--quiet", "-m", "empty"]);
  expect(await at.failure("git_commit", { message: "again", amend: true })).toBe(
    "The amended commit would be empty: stage files with git_add, or pass allow_empty.",
  );
});

test("removes a work tree by the path that added it", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { "a.txt": "a\n" });
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  for (const path of ["../side", "../side/", folder.at("all/side")]) {
    await at.call("git_worktree", { repo_path: "project", action: "add", path });
    await at.call("git_worktree", { repo_path: "project", action: "remove", path });
    expect(existsSync(folder.at("all/side"))).toBe(false);
  }
});

test("refuses contradictory arguments for a new work tree, and the removal of the work tree of the call", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { "a.txt": "a\n" });
  repository.git("branch", "side");
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], allowDiscard: true });
  const add = { repo_path: "project", action: "add", path: "../tree" };
  expect(await at.failure("git_worktree", { ...add, branch: "side", revision: "HEAD" })).toContain("pass create together with revision");
  expect(await at.failure("git_worktree", { ...add, create: true })).toBe("branch is missing: give the name of the branch to create.");
  expect(await at.failure("git_worktree", { ...add, branch: "nope" })).toMatch(/^There is no branch "nope": .* pass create/);
  expect(existsSync(folder.at("all/tree"))).toBe(false);
  await at.call("git_worktree", { ...add, branch: "side" });
  for (const path of [".", folder.at("all/tree")])
    expect(await at.failure("git_worktree", { repo_path: "tree", action: "remove", path })).toContain("is the work tree of this call");
  expect((await at.call("git_worktree", { ...add, path: "../new\nline" })).text.split("\n")).toHaveLength(4);
  expect((await at.call("git_worktree", { ...add, action: "remove", path: "../new\nline" })).text.split("\n")).toHaveLength(3);
});

test("refuses to switch to a branch of another work tree", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { "a.txt": "a\n" });
  repository.git("worktree", "add", "--quiet", "-b", "side", folder.at("all/project2"));
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], allowDiscard: true });
  expect(await at.failure("git_checkout", { repo_path: "project", branch_name: "side" })).toMatch(
    /^Branch "side" is checked out in another work tree/,
  );
});

test.each([
  ["'side' is already checked out at '/all/project2'", "'side' is already checked out at '/all/project2'"],
  ["/all/project/a.txt: no; /all/project: no; '/all/project'.", "a.txt: no; .: no; '.'."],
  ["in /all/project-side/a.txt and /all/project.git and /all/project.", "in /all/project-side/a.txt and /all/project.git and .."],
])("shows the top as a dot in git's messages and leaves its neighbours unchanged: %s", (message, readable) => {
  const paths = { top: "/all/project", gitDir: "/all/project/.git", commonDir: "/all/project/.git", isBare: false };
  expect(readableMessage(paths, message)).toBe(readable);
});

test("hides git directory and top in messages of git for Windows, which writes slashes", () => {
  const paths = { top: "C:\\p", gitDir: "C:\\p\\.git", commonDir: "C:\\p\\.git", isBare: false };
  const message = "Unable to create 'C:/p/.git/index.lock': C:/p/a.txt, C:\\p, C:/p-2/a";
  expect(readableMessage(paths, message, "win32")).toBe("Unable to create '.git/index.lock': a.txt, ., C:/p-2/a");
});

test("refuses a cursor whose commits are gone", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project")).fill(4, 2);
  await using at = await worldOf(folder, repository);
  const { data } = await at.call("git_log", { max_count: 1 });
  repository.git("checkout", "--quiet", "--orphan", "fresh");
  repository.git("commit", "--quiet", "--allow-empty", "-m", "fresh");
  repository.git("branch", "--quiet", "-D", "main");
  repository.git("reflog", "expire", "--expire=now", "--all");
  repository.git("gc", "--quiet", "--prune=now");
  expect(await at.failure("git_log", { max_count: 1, cursor: data["nextCursor"] as string })).toBe(
    "The cursor is too old: its first commits are gone from the repository. Leave it out to start again.",
  );
});

test("reports why a stash of conflicting files fails", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("side", { "a.txt": "side\n" });
  repository.git("checkout", "--quiet", "-");
  repository.commit("main", { "a.txt": "main\n" });
  repository.raw(["merge", "--quiet", "side"], { loose: true });
  expect(await at.failure("git_stash", { action: "push" })).toMatch(/^A conflict is in progress: .* git says: a\.txt: needs merge$/);
});

test("lists each conflicting file once, also one-sided ones", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "gone.txt": "1\n2\n3\n", "z.txt": "z\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("side", { "a.txt": "side\n", "gone.txt": "1\n2\nthree\n", "z.txt": "side\n" });
  repository.git("checkout", "--quiet", "-");
  repository.git("rm", "--quiet", "gone.txt");
  repository.commit("main", { "a.txt": "main\n", "z.txt": "main\n" });
  repository.raw(["merge", "--quiet", "side"], { loose: true });
  const { data, text } = await at.call("git_diff_unstaged");
  expect(text).toBe(`Unstaged changes:\n${repository.git("diff", "--no-color", "--src-prefix=a/", "--dst-prefix=b/")}\n`);
  const patches = (data["files"] as { path: string; patch: string }[]).map(({ path, patch }) => [path, patch.split("\n")[0]]);
  expect(patches).toEqual([
    ["a.txt", "diff --cc a.txt"],
    ["z.txt", "diff --cc z.txt"],
    ["gone.txt", "* Unmerged path gone.txt"],
  ]);
});

test("reports a ref to a missing object and lists the others", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("branch", "side");
  repository.git("tag", "-a", "-m", "whole", "whole");
  const gone = "12".repeat(20);
  const tag = repository.raw(["hash-object", "-t", "tag", "-w", "--literally", "--stdin"], {
    input: `object ${gone}\ntype commit\ntag hollow\ntagger A <a@example.org> 1700000000 +0000\n\nhollow\n`,
  });
  for (const [name, id] of [
    ["heads/broken", gone],
    ["tags/broken", gone],
    ["tags/hollow", tag.toString().trim()],
  ] as const)
    repository.write({ [`.git/refs/${name}`]: `${id}\n` });
  for (const sort of ["name", "date"]) {
    const { text, data } = await at.call("git_branch", { sort });
    expect(text).toBe(
      "* main\n  side\n[left out, as their object is missing or their file is damaged: refs/heads/broken; .git/logs keeps what refs named before]",
    );
    expect(data).toMatchObject({ branches: [{ name: "main" }, { name: "side" }], broken: ["refs/heads/broken"], truncated: false });
  }
  expect((await at.call("git_tag", { action: "list" })).data).toMatchObject({
    tags: [{ name: "whole" }],
    broken: ["refs/tags/broken", "refs/tags/hollow"],
  });
  expect(await at.failure("git_log", { revision: "sidee" })).toBe('Unknown revision "sidee": did you mean "side"?');
});

test("shows a HEAD that names another ref than a branch", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("tag", "v1");
  for (const ref of ["refs/tags/v1", "refs/heads/(null)", "refs/tags/unborn"]) {
    at.repository.git("symbolic-ref", "HEAD", ref);
    const { text, data } = await at.call("git_status");
    expect(text).toContain(`On branch ${ref.replace("refs/heads/", "")}\n`);
    expect(data).toMatchObject({ branch: ref.replace("refs/heads/", "") });
  }
});

test("returns an empty reflog before the first commit", async () => {
  await using folder = tempFolder({ project: {} });
  const repository = new TestRepository(folder.at("project"));
  repository.git("init", "--quiet");
  await using at = await worldOf(folder, repository);
  expect((await at.call("git_reflog")).text).toBe("The reflog is empty");
});

test("reports a stash that was applied without its untracked files", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.write({ "a.txt": "put aside\n", "u.txt": "put aside\n" }).git("stash", "push", "--quiet", "--include-untracked");
  repository.write({ "u.txt": "mine\n" });
  const failure = await at.failure("git_stash", { action: "pop" });
  expect(failure).toMatch(/^Only changes of tracked files were applied: .* stash@\{0\}\^3 .* git says: u\.txt already exists, no checkout/);
  expect(repository.git("diff", "--name-only")).toBe("a.txt");
  expect((await at.call("git_show", { revision: "stash@{0}^3", path: "u.txt" })).text).toBe("put aside\n");
  repository.git("commit", "--quiet", "-a", "-m", "other");
  repository.commit("theirs", { "a.txt": "theirs\n", "u.txt": "mine\n" });
  expect(await at.failure("git_stash", { action: "pop" })).toMatch(
    /Resolve the conflicts and stage .* stash@\{0\}\^3[^]*CONFLICT \(content\)/,
  );
});

test("shortens a subject as long as a file in every list", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.commit("m".repeat(3_000_000));
  repository.git("tag", "long");
  repository.write({ "a.txt": "b\n" }).git("stash", "push", "--quiet");
  for (const [tool, args] of [
    ["git_reflog", {}],
    ["git_branch", {}],
    ["git_tag", { action: "list" }],
    ["git_stash", { action: "list" }],
  ] as const)
    expect(JSON.stringify((await at.call(tool, args)).data)).toMatch(/m{1900,2000}…/);
});
