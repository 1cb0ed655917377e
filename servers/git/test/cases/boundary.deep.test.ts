// GIT-01 to GIT-10, GIT-16 and GIT-31: what lies outside the allowed area is not opened, by whatever way it is reached.
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startRaw, tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository, TestRepository } from "../support/repository.ts";
import { bin } from "../support/target.ts";
import { ENTRY_POINTS, tryAll } from "./entry-points.ts";
import { LEADING_OUT } from "./escape-attempts.ts";
import { startStress, StressRun } from "./stress.ts";

/** What opens a repository; init and clone make a new one (GIT-05). */
const OPENING = ENTRY_POINTS.filter(({ tool }) => tool !== "git_init" && tool !== "git_clone");

/** Refused by every way in; git has not run in there, and it is the same error whether something is there or not. */
async function refusedByAll(server: StressRun, repo: string, form: RegExp = /Access denied/, ways = OPENING): Promise<void> {
  for (const { entryPoint, failed, text } of await tryAll(server, repo, (way) => ways.includes(way))) {
    expect({ repo, entryPoint, failed, text }).toMatchObject({ failed: true });
    if (entryPoint.startsWith("git_")) expect({ repo, entryPoint, text }).toMatchObject({ text: expect.stringMatching(form) });
  }
}

/** One server for all tests that serve ROOT, each with a folder or repository of its own in it. */
let stress: StressRun;
let id = "";

beforeAll(async () => {
  stress = new StressRun({});
  const outer = new TestRepository(join(stress.out, "repo"));
  id = outer.git("rev-parse", "HEAD:canary.txt");
  // Objects both loose and packed, to be linked to.
  outer.git("repack", "-a", "-q");
  outer.git("pack-refs", "--all", "--no-prune");
  for (const [n, [, prepare]] of LEADING_OUT.entries()) prepare(stress, `r${n}`);
  await stress.start();
});

afterAll(() => stress[Symbol.asyncDispose]());

test("GIT-01 refuses an outside repository in every tool before git runs, with the same message whether it exists or not", async () => {
  await stress.checkRules();
  for (const path of [
    join(stress.out, "repo"),
    join(stress.out, "repo/.git"),
    stress.out,
    join(stress.out, "none"),
    "/",
    "../OUT/repo",
    `${stress.root}/../OUT/repo`,
    `${stress.root}/plain/../../OUT/repo`,
  ])
    await refusedByAll(stress, path);
  expect(stress.commands).toEqual([]);
  await stress.checkRules();
});

test("GIT-02 refuses to start or denies every call without a configured repository", async () => {
  await using folder = tempFolder({ empty: {} });
  makeRepository(folder.at("other"), { f: "other" });
  for (const args of [[], ["--repository", ""], ["--repository", " "], ["--repositories-root", ""], ["--repository", folder.at("none")]]) {
    await using server = startRaw({ ...bin(args), cwd: folder.at("empty") });
    void server.handshake().catch(() => undefined);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "git_log", arguments: { repo_path: folder.at("other") } } };
    const answer = await server.request(call).catch(() => undefined);
    if (answer === undefined) expect([2, 3], args.join(" ")).toContain((await server.exit()).code);
    else
      expect(answer, args.join(" ")).toMatchObject({
        result: { isError: true, content: [{ text: expect.stringMatching(/^Access denied/) }] },
      });
  }
});

test("GIT-03 refuses a symbolic link to an outside repository", async () => {
  symlinkSync(join(stress.out, "repo"), stress.at("to-repo"));
  symlinkSync("to-repo", stress.at("to-link"));
  symlinkSync(stress.out, stress.at("to-out"));
  for (const path of ["to-repo", "to-link", "to-out/repo", stress.at("to-repo"), stress.at("to-out/repo")])
    await refusedByAll(stress, path);
  await stress.checkRules();
});

test("GIT-04 refuses a sibling whose name begins like the repository's name", async () => {
  const serve = (base: string): string[] => ["--repository", `${base}/ROOT/repo`];
  await using own = await startStress(
    (run) => {
      run.repository("repo");
      run.repository("repo-private", { "f.txt": run.secret });
    },
    { serve },
  );
  for (const path of [own.at("repo-private"), `${own.at("repo")}/../repo-private`, "../repo-private", `${own.at("repo")}-private/.git`])
    await refusedByAll(own, path);
  await own.checkRules();
});

test("GIT-06 never opens the larger repository around an allowed directory", async () => {
  await using own = await startStress((run) => {
    makeRepository(run.base, {});
    mkdirSync(run.at("folder/deep"), { recursive: true });
  });
  for (const path of [own.at("folder"), own.at("folder/deep"), own.root, "folder"]) await refusedByAll(own, path, /Not a git repository/i);
  await own.checkRules();
});

test("GIT-06 --repository refuses a folder inside a larger work tree and names the top", async () => {
  await using folder = tempFolder();
  const repo = makeRepository(folder.at("top"), { "sub/f.txt": "f" });
  await using server = startRaw(bin(["--repository", join(repo.path, "sub")]));
  expect((await server.exit()).code).toBe(2);
  expect(server.stderr).toContain(repo.path);
});

describe("refuses an escape from an allowed repository", () => {
  // All ways in open a repository by the same code: a quarter of them for each escape, by turns, where there is no time for all.
  test.each(LEADING_OUT.map(([title], n) => [title, n] as const))("%s", async (_title, n) => {
    const name = `r${n}`;
    const ways = OPENING.filter((_, at) => process.env["OARLOCK_LONG"] === "1" || at % 4 === n % 4);
    await refusedByAll(stress, stress.at(name), /^Access denied|^Refused|^Not a git repository/, ways);
    for (const revision of [id, id.slice(0, 10), "HEAD"])
      expect(await stress.reply("git_show", { repo_path: name, revision })).toMatchObject({ failed: true });
    await stress.checkRules();
  });
});

test("GIT-07 refuses an escape that appears after the repository was opened", async () => {
  const repo = stress.repository("late");
  const canBeSeen = () => stress.reply("git_log", { repo_path: repo.path });
  expect(await canBeSeen()).toMatchObject({ failed: false });
  writeFileSync(stress.at("late/.git/objects/info/alternates"), `${stress.out}/repo/.git/objects\n`);
  expect(await canBeSeen()).toMatchObject({ failed: true });
  rmSync(stress.at("late/.git/objects/info/alternates"));
  expect(await canBeSeen()).toMatchObject({ failed: false });
  repo.git("config", "core.worktree", stress.out);
  expect(await canBeSeen()).toMatchObject({ failed: true });
  repo.git("config", "--unset", "core.worktree");
  renameSync(stress.at("late/.git"), stress.at("late/away"));
  symlinkSync(join(stress.out, "repo/.git"), stress.at("late/.git"));
  expect(await canBeSeen()).toMatchObject({ failed: true });
  await stress.checkRules();
});

test("GIT-07 GIT-08 accepts a work tree, a .git file, a link and alternates that stay inside", async () => {
  const repo = stress.repository("inside");
  repo.git("worktree", "add", "-q", stress.at("linked"), "-b", "linked");
  repo.git("clone", "-q", "--shared", ".", stress.at("shared"));
  repo.git("clone", "-q", "--separate-git-dir", stress.at("apart.git"), ".", stress.at("apart"));
  symlinkSync("inside", stress.at("way"));
  for (const name of ["inside", "linked", "shared", "apart", "way"]) {
    expect(await stress.reply("git_log", { repo_path: stress.at(name) }), name).toMatchObject({
      failed: false,
      text: expect.stringContaining("first"),
    });
    expect(await stress.reply("git_status", { repo_path: name }), name).toMatchObject({ failed: false });
  }
  await stress.checkRules();
});

test("GIT-16 stages, shows and blames no outside file by any spelling or link", async () => {
  const tree = { "f.txt": "one\n", "d/secret.txt": "harmless\n", "d/sub/deep.txt": "harmless\n" };
  const repo = stress.repository("spelled", tree);
  rmSync(stress.at("spelled/d"), { recursive: true });
  symlinkSync(stress.out, stress.at("spelled/d"));
  symlinkSync(join(stress.out, "secret.txt"), stress.at("spelled/l"));
  const paths = [
    "../../OUT/secret.txt",
    join(stress.out, "secret.txt"),
    "d/secret.txt",
    "d/sub/deep.txt",
    "d/./sub/../secret.txt",
    "d/../../../OUT/secret.txt",
    `${repo.path}/../../OUT/secret.txt`,
    `${repo.path}/d/secret.txt`,
  ];
  for (const path of paths) {
    for (const [name, args] of Object.entries<object>({
      git_add: { files: [path] },
      git_blame: { path },
      git_grep: { pattern: "c", paths: [path] },
      git_diff_unstaged: { paths: [path] },
      git_diff: { target: "HEAD", paths: [path] },
      git_restore: { files: [path], staged: true },
      git_stash: { action: "push", paths: [path] },
      git_show: { revision: "HEAD", path },
      git_log: { paths: [path] },
      git_reset: { files: [path] },
    }))
      await stress.reply(name, { repo_path: "spelled", ...args });
  }
  for (const pattern of ["canary", "."]) await stress.reply("git_grep", { repo_path: "spelled", pattern });
  expect(await stress.reply("git_add", { repo_path: "spelled", files: ["."] })).toMatchObject({ failed: false });
  await stress.reply("git_commit", { repo_path: "spelled", message: "m" });
  await stress.reply("git_blame", { repo_path: "spelled", path: "l" });
  const objects = repo.git("cat-file", "--batch-all-objects", "--batch");
  expect(objects).not.toContain(stress.secret);
  expect(readFileSync(stress.at("spelled/l"), "utf8")).toBe(stress.secret);
  await stress.checkRules();
});

test("GIT-16 never writes through a link to the outside", async () => {
  const repo = stress.repository("written", { "d/secret.txt": "harmless\n", "f.txt": "one\n" });
  repo.git("checkout", "-q", "-b", "linked");
  rmSync(stress.at("written/d"), { recursive: true });
  symlinkSync(stress.out, stress.at("written/d"));
  repo.git("add", "-A");
  repo.git("commit", "-qm", "d is a link now");
  for (const [name, args] of [
    ["git_restore", { files: ["d/secret.txt"], source: "main" }],
    ["git_checkout", { branch_name: "main" }],
    ["git_checkout", { branch_name: "linked" }],
    ["git_worktree", { action: "add", path: "d/tree", branch: "main" }],
    ["git_worktree", { action: "add", path: "../../OUT/tree", branch: "main" }],
    ["git_worktree", { action: "add", path: `${stress.out}/tree`, branch: "main" }],
    ["git_worktree", { action: "remove", path: stress.out }],
    ["git_worktree", { action: "remove", path: `${stress.out}/repo` }],
    ["git_reset", { mode: "hard" }],
  ] as const)
    await stress.reply(name, { repo_path: "written", ...args });
  await stress.checkRules();
});

test("GIT-05 creates plain repositories inside the sandbox only", async () => {
  stress.write({ "ROOT/full": { "f.txt": "mine" }, template: { hooks: { "post-checkout": "#!/bin/sh\n" } } });
  for (const path of [
    stress.out,
    join(stress.out, "new"),
    "../OUT/new",
    "/tmp/oarlock-none",
    `${stress.root}/../OUT/new2`,
    stress.at("full"),
    "--template=x",
    "--separate-git-dir=x",
  ])
    for (const [name, args] of [
      [
        "git_init",
        { repo_path: path, path, template: `${stress.base}/template`, separate_git_dir: stress.out, initial_branch: "--template=x" },
      ],
      ["git_clone", { url: `file://${stress.at("plain")}`, path, repo_path: path }],
      ["git_clone", { url: "https://127.0.0.1:9/x.git", path }],
    ] as const)
      expect(await stress.reply(name, args), `${name} ${path}`).toMatchObject({ failed: true });
  expect(readdirSync(stress.at("full"))).toEqual(["f.txt"]);
  await stress.checkRules();
});

test("GIT-31 never uses a folder of a work tree as a git directory", async () => {
  stress.repository("whole");
  const buried = makeRepository(stress.at("whole/docs/buried"), undefined, { bare: true });
  buried.git("config", "core.fsmonitor", `touch '${stress.executionMark}';:`);
  buried.git("config", "alias.status", `!touch '${stress.executionMark}'`);
  mkdirSync(stress.at("whole/docs/bare.git/objects"), { recursive: true });
  mkdirSync(stress.at("whole/docs/bare.git/refs"));
  copyFileSync(stress.at("whole/.git/HEAD"), stress.at("whole/docs/bare.git/HEAD"));
  for (const name of ["docs/buried", "docs/buried/refs", "docs/bare.git", ".git", ".git/refs"])
    await refusedByAll(stress, stress.at("whole", name), /^Refused|^Not a git repository|^Access denied/);
  expect(await stress.reply("git_status", { repo_path: stress.at("whole/docs") })).toMatchObject({ failed: false });
  await stress.checkRules();
});

test("GIT-16 stages the content of a hard link in the operator's folder", async () => {
  stress.repository("hard");
  writeFileSync(stress.at("one"), "linked\n");
  linkSync(stress.at("one"), stress.at("hard/two.txt"));
  expect(await stress.reply("git_add", { repo_path: "hard", files: ["two.txt"] })).toMatchObject({ failed: false });
  await stress.checkRules();
});
