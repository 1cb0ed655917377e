// Every way of looking, in every kind of repository, against git's own plumbing: submodules, linked work trees, bare, empty, detached,
// shallow and partial clones, conflicts, sha256, names that are not UTF-8.
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { cloneOf, makeRepository, TestRepository } from "../support/repository.ts";
import { world, worldOf, type World } from "../support/world.ts";

/** Some history in `a.txt`, with a rename, a branch and a tag. */
function origin(folder: TempFolder, name = "origin"): TestRepository {
  const repository = makeRepository(folder.at(name), { "a.txt": "one\ntwo\nthree\n", "dir/b.txt": "bee\n" });
  repository.commit("second", { "a.txt": "one\nTWO\nthree\nfour\n" });
  repository.git("mv", "dir/b.txt", "dir/c.txt");
  repository.commit("third: a rename");
  repository.git("branch", "side", "HEAD~1");
  repository.git("tag", "-m", "a tag", "v1");
  return repository;
}

interface Situation {
  readonly make: (folder: TempFolder) => TestRepository;
  /** No work tree to compare with. */
  readonly bare?: true;
  /** Only what is checked out is there: the author of a line is unknown. */
  readonly partial?: true;
}

const SITUATIONS: Readonly<Record<string, Situation>> = {
  plain: { make: (folder) => origin(folder).write({ "a.txt": "changed\n", "new.txt": "new\n" }) },
  bare: { make: (folder) => cloneOf(origin(folder), folder.at("bare.git"), "--bare"), bare: true },
  detached: {
    make(folder) {
      const repository = origin(folder);
      repository.git("checkout", "-q", "--detach", "HEAD~1");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  shallow: { make: (folder) => cloneOf(origin(folder), folder.at("shallow"), "--depth=2") },
  "partial, with what is checked out": { make: (folder) => partial(folder), partial: true },
  "a linked work tree": {
    make(folder) {
      const repository = origin(folder, "all/origin");
      repository.git("worktree", "add", "-q", folder.at("all/linked"), "side");
      return new TestRepository(folder.at("all/linked")).write({ "a.txt": "in the linked one\n" });
    },
  },
  "a git directory elsewhere inside": {
    make(folder) {
      const repository = origin(folder, "all/origin");
      renameSync(join(repository.path, ".git"), folder.at("all/apart.git"));
      repository.write({ ".git": `gitdir: ${folder.at("all/apart.git")}\n` });
      return repository;
    },
  },
  "with a submodule that has changed": {
    make(folder) {
      const inner = origin(folder, "inner");
      const repository = origin(folder);
      repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
      repository.commit("a submodule");
      new TestRepository(join(repository.path, "sub")).git("checkout", "-q", "HEAD~1");
      return repository;
    },
  },
  "a submodule itself": {
    make(folder) {
      const inner = origin(folder, "inner");
      const repository = makeRepository(folder.at("all/outer"), { f: "outer\n" });
      repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
      return new TestRepository(join(repository.path, "sub")).write({ "a.txt": "changed in the submodule\n" });
    },
  },
  "in the middle of a conflict": {
    make(folder) {
      const repository = origin(folder);
      repository.git("checkout", "-q", "side");
      repository.commit("theirs", { "a.txt": "theirs\n" });
      repository.git("checkout", "-q", "main");
      repository.commit("ours", { "a.txt": "ours\n" });
      repository.loosely("merge", "side");
      return repository;
    },
  },
  "with packed refs and objects": {
    make(folder) {
      const repository = origin(folder);
      repository.git("pack-refs", "--all");
      repository.git("gc", "-q");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  "with ids of sha256": {
    make(folder) {
      mkdirSync(folder.at("sha256"));
      const repository = new TestRepository(folder.at("sha256"));
      repository.git("init", "-q", "--object-format=sha256", "--initial-branch=main");
      repository.git("config", "user.name", "Ada");
      repository.git("config", "user.email", "ada@example.org");
      repository.commit("first", { "a.txt": "one\n" });
      repository.git("branch", "side");
      repository.commit("second", { "a.txt": "one\ntwo\n" });
      return repository.write({ "a.txt": "changed\n" });
    },
  },
  "a sparse checkout": {
    make(folder) {
      const repository = origin(folder);
      repository.git("sparse-checkout", "set", "--no-cone", "/a.txt");
      return repository.write({ "a.txt": "changed\n" });
    },
  },
};

/** A clone that has only the files of its last commit. */
function partial(folder: TempFolder): TestRepository {
  const from = origin(folder);
  from.git("config", "uploadpack.allowFilter", "true");
  const repository = cloneOf(from, folder.at("partial"), "--filter=blob:none");
  return repository.write({ "a.txt": "changed\n" });
}

async function served(folder: TempFolder, { make }: Situation): Promise<World> {
  const repository = make(folder);
  // What a linked work tree or a submodule belongs to is served with it.
  const inside = repository.path.startsWith(folder.at("all"));
  return worldOf(folder, repository, inside ? { repositoriesRoots: [folder.at("all")] } : {});
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");

/** The commit of each line. */
async function blamed({ repository, call }: World): Promise<unknown[]> {
  const { data } = await call("git_blame", { repo_path: repository.path, path: "a.txt", revision: "HEAD" });
  const hunks = data["hunks"] as { startLine: number; endLine: number; hash: string }[];
  return hunks.flatMap(({ startLine, endLine, hash }) => Array.from({ length: endLine - startLine + 1 }, () => hash));
}

const blamedByGit = (repository: TestRepository): string[] =>
  lines(repository.git("blame", "--line-porcelain", "HEAD", "--", "a.txt")).flatMap(
    (line) => /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1] ?? [],
  );

describe.each(Object.entries(SITUATIONS))("%s", (_title, situation) => {
  test("log, branches, tags, show, blame, grep and diff match git's own output", async () => {
    await using folder = tempFolder();
    await using at = await served(folder, situation);
    const { repository } = at;
    const where = { repo_path: repository.path };
    const git = (...args: string[]): string[] => lines(repository.git(...args));
    const names = (value: unknown, member = "name"): unknown[] => (value as Record<string, unknown>[]).map((one) => one[member]);

    expect(names((await at.call("git_log", { ...where, max_count: 50 })).data["commits"], "hash")).toEqual(git("log", "--format=%H"));
    const branches = (await at.call("git_branch", { ...where, branch_type: "all" })).data["branches"];
    expect(names(branches, "head")).toEqual(git("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes"));
    const tags = (await at.call("git_tag", { ...where, action: "list" })).data["tags"];
    expect(names(tags)).toEqual(git("tag", "--sort=refname"));
    const files = (await at.call("git_show", { ...where, revision: "HEAD", format: "stat" })).data["files"] as Record<string, unknown>[];
    expect(files.map(({ path, additions, deletions }) => [path, additions, deletions])).toEqual(
      git("show", "--format=", "--numstat", "--diff-merges=first-parent", "HEAD").map((line) => {
        const [added, deleted, ...path] = line.split("\t");
        return [path.join("").replace(/^dir\/\{.* => (.*)\}$/, "dir/$1"), Number(added), Number(deleted)];
      }),
    );
    if (situation.partial !== true) expect(await blamed(at)).toEqual(blamedByGit(repository));
    const found = (await at.call("git_grep", { ...where, pattern: "o", revision: "HEAD" })).data["matches"] as Record<string, unknown>[];
    expect(found.map(({ path, line }) => `${String(path)}:${String(line)}`)).toEqual(
      git("grep", "-n", "o", "HEAD").map((line) => line.split(":").slice(1, 3).join(":")),
    );
    if (situation.bare === true) return;
    for (const [name, args] of [
      ["git_diff_unstaged", ["diff"]],
      ["git_diff_staged", ["diff", "--cached"]],
    ] as const) {
      const { text } = await at.call(name, where);
      expect(text.slice(text.indexOf("\n") + 1)).toBe(repository.raw([...args, "--ignore-submodules=dirty"]).toString());
    }
  });

  test("status matches git's own output, or reports a missing work tree", async () => {
    await using folder = tempFolder();
    await using at = await served(folder, situation);
    const where = { repo_path: at.repository.path };
    if (situation.bare === true) return expect(await at.failure("git_status", where)).toMatch(/bare/);
    const { data } = await at.call("git_status", where);
    const output = lines(at.repository.raw(["status", "--porcelain=v2", "--branch", "--ignore-submodules=dirty"]).toString());
    const header = (name: string): string | undefined => output.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3);
    expect(data["head"]).toBe(header("branch.oid"));
    expect(data["branch"]).toBe(header("branch.head") === "(detached)" ? undefined : header("branch.head"));
    expect(data["upstream"]).toBe(header("branch.upstream"));
    const rest = output.filter((line) => !line.startsWith("#"));
    const count = (fits: RegExp): number => rest.filter((line) => fits.test(line)).length;
    const sizes = ["staged", "unstaged", "untracked", "conflicts"].map((name) => (data[name] as unknown[]).length);
    expect(sizes).toEqual([count(/^[12] [^.]/), count(/^[12] .[^.]/), count(/^\? /), count(/^u /)]);
  });
});

test("an empty repository reports no commits and accepts the first one", async () => {
  await using folder = tempFolder();
  await using at = await worldOf(folder, makeRepository(folder.at("empty")));
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main", staged: [], unstaged: [], untracked: [] });
  expect((await at.call("git_log")).data).toMatchObject({ commits: [] });
  expect((await at.call("git_branch")).data).toMatchObject({ branches: [] });
  for (const [name, args] of [
    ["git_show", { revision: "HEAD" }],
    ["git_diff", { target: "HEAD" }],
    ["git_create_branch", { branch_name: "x" }],
  ] as const)
    expect(await at.failure(name, args), name).toMatch(/no commits yet/);
  at.repository.write({ f: "one\n" });
  expect((await at.call("git_diff_staged")).text).toBe("Staged changes:\n");
  await at.call("git_add", { files: ["."] });
  await at.call("git_commit", { message: "the first" });
  expect(at.repository.git("log", "--format=%s")).toBe("the first");
});

test("a partial clone reports missing objects and fetches none", async () => {
  await using folder = tempFolder();
  const repository = partial(folder);
  await using at = await worldOf(folder, repository);
  const before = repository.git("count-objects", "-v");
  expect(await at.failure("git_show", { revision: "HEAD~1" })).toMatch(/missing|partial clone/i);
  expect(await at.failure("git_show", { revision: "HEAD~2", path: "a.txt" })).toMatch(/missing|partial clone/i);
  expect(await at.failure("git_diff", { target: "HEAD~2" })).toMatch(/missing|partial clone/i);
  expect(repository.git("count-objects", "-v")).toBe(before);
});

test("RES-25 a bare repository lists its refs and no status", async () => {
  const folder = tempFolder();
  await using at = await worldOf(folder, cloneOf(origin(folder), folder.at("bare.git"), "--bare"));
  const listed = (await Array.fromAsync(at.client.resources())).map(({ uri }) => uri);
  expect(listed).toEqual(["git:///bare/refs"]);
});

test.each(["garbage\n", "", "ref: elsewhere\n"])("V1 refuses a repository with %o as its HEAD", async (head) => {
  await using at = await world({ tree: { f: "one\n", g: "two\n" } });
  writeFileSync(`${at.repository.path}/.git/HEAD`, head);
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_log", {}],
    ["git_diff_unstaged", {}],
    ["git_diff_unstaged", { paths: ["f", "g"] }],
    ["git_diff_staged", {}],
    ["git_branch", {}],
  ] as const)
    expect(await at.failure(tool, args)).toMatch(
      /^Not a git repository: HEAD, objects or refs in the \.git of \S+ is missing or damaged\. Repair or recreate it\.$/,
    );
});
