// Files that a repository's own configuration includes: harmless ones are followed as git follows them, all others refuse.
import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { needs, tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository } from "../../../support/repository.ts";
import { worldOf, type World, type WorldOptions } from "../../../support/world.ts";

/** A repository at `in/project` with this in its configuration; `%/` stands for the folder around `in` and `out`. */
async function including(own: string, files: Record<string, string> = {}, options: WorldOptions = {}): Promise<World> {
  const folder = tempFolder({ in: { other: {} }, home: {} });
  folder.write({ "out/harmless": "[user]\n\temail = work@example.org\n", ...files });
  const repository = makeRepository(folder.at("in/project"), { "f.txt": "f\n" });
  appendFileSync(folder.at("in/project/.git/config"), own.replaceAll("%/", `${folder.path}/`));
  return await worldOf(folder, repository, { repositoriesRoots: [folder.at("in")], env: { HOME: folder.at("home") }, ...options });
}

const author = (at: World): string => at.repository.git("log", "-1", "--format=%ae");
const include = (path: string): string => `[include]\n\tpath = ${path}\n`;

test("reads beside the credentials of a CI checkout, and keeps them from transfers", async () => {
  const file = "%/out/git-credentials.config";
  const conditions = ["%/in/project/.git", "%/in/project/.git/worktrees/*", "/github/workspace/.git"];
  const own = conditions.map((condition) => `[includeIf "gitdir:${condition}"]\n\tpath = ${file}\n`).join("");
  const secret = '[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic c2VjcmV0\n';
  await using at = await including(own, { "out/git-credentials.config": secret });
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_log", {}],
    ["git_diff", { target: "HEAD" }],
    ["git_create_branch", { branch_name: "topic" }],
  ] as const)
    await at.call(tool, { repo_path: "project", ...args });
  at.repository.git("remote", "add", "origin", "https://github.com/x/y.git");
  const text = await at.failure("git_fetch", { repo_path: "project" });
  expect(text).toContain("settings that choose how the network is used: includeif.gitdir:");
  expect(text).not.toContain("c2VjcmV0");
});

test.each([
  ["without a condition", include("%/out/harmless"), "work@example.org"],
  ["for the folder of the repository", '[includeIf "gitdir:%/in/"]\n\tpath = %/out/harmless\n', "work@example.org"],
  ["for another folder", '[includeIf "gitdir:%/out/"]\n\tpath = %/out/harmless\n', "ada@example.org"],
  ["for a branch", '[includeIf "onbranch:main"]\n\tpath = %/out/harmless\n', "work@example.org"],
  ["from the home of the user", include("~/mail"), "home@example.org"],
  ["from the git directory", include("mail"), "git-dir@example.org"],
  ["by a further file", include("%/out/further"), "work@example.org"],
  ["of a file that is not there", include("%/out/none"), "ada@example.org"],
  ["between other settings", `${include("%/out/harmless")}[user]\n\temail = last@example.org\n`, "last@example.org"],
])("commits with the address of an include %s", async (_what, own, email) => {
  await using at = await including(own, {
    "home/mail": "[user]\n\temail = home@example.org\n",
    "in/project/.git/mail": "[user]\n\temail = git-dir@example.org\n",
    "out/further": "[include]\n\tpath = harmless\n[diff]\n\talgorithm = histogram\n",
  });
  await at.call("git_commit", { repo_path: "project", message: "second", allow_empty: true });
  expect(author(at)).toBe(email);
});

describe("an include is refused", () => {
  let at: World;

  beforeAll(async () => {
    const mail = "[user]\n\temail = x@example.org\n";
    at = await including("", { "in/project/mail": mail, "in/other/mail": mail, "out/foreign": mail });
  });

  afterAll(() => at[Symbol.asyncDispose]());

  function writeSpecialFiles(): void {
    if (existsSync(at.folder.at("out/link"))) return;
    symlinkSync(at.folder.at("out/harmless"), at.folder.at("out/link"));
    symlinkSync(at.folder.at("out"), at.folder.at("out/linked"));
    execFileSync("mkfifo", [at.folder.at("out/pipe")]);
    if (process.getuid?.() === 0) execFileSync("chown", ["12345", at.folder.at("out/foreign")]);
    else {
      rmSync(at.folder.at("out/foreign"));
      mkdirSync(at.folder.at("out/foreign"));
    }
  }

  /** The answer to a status of this repository while it has this in its configuration. */
  async function refusal(own: string, files: Record<string, string>): Promise<string> {
    const config = at.folder.read("in/project/.git/config");
    at.folder.write({ ...files, "in/project/.git/config": config + own.replaceAll("%/", `${at.folder.path}/`) });
    try {
      return await at.failure("git_status", { repo_path: "project" });
    } finally {
      at.folder.write({ "in/project/.git/config": config });
    }
  }

  test.each<[what: string, text: string]>([
    ["a monitor", "[core]\n\tfsmonitor = touch x\n"],
    ["a hook", '[hook "x"]\n\tcommand = touch x\n'],
    ["a filter", '[filter "x"]\n\tclean = touch x\n'],
    ["an address of a remote", '[remote "origin"]\n\turl = ext::sh -c touch% x\n'],
    ["what a branch follows", '[branch "main"]\n\tmerge = HEAD\n'],
    ["an update of a submodule", '[submodule "x"]\n\tupdate = !touch x\n'],
    ["another work tree", "[core]\n\tworktree = /\n"],
    ["a format", "[extensions]\n\trefStorage = /x\n"],
    ["an alias that git calls", "[alias]\n\tmerge-x = !touch x\n"],
    ["ignored revisions", "[blame]\n\tignoreRevsFile = /etc/passwd\n"],
    ["an unknown setting of git", "[core]\n\tunheardOf = 1\n"],
    ["itself", "[include]\n\tpath = hostile\n"],
    ["no configuration", "not a [configuration\n"],
    ["a NUL", "[user]\n\tname = a\0b\n"],
    ["more than is read", `[user]\n\tname = ${"a".repeat(1024 * 1024)}\n`],
  ])("with %s in it", async (_what, text) => {
    for (const own of [include("%/out/hostile"), '[includeIf "gitdir:/never"]\n\tpath = %/out/hostile\n', include("%/out/further")]) {
      expect(await refusal(own, { "out/hostile": text, "out/further": "[include]\n\tpath = hostile\n" })).toMatch(
        /^Refused: the configuration of project holds settings that (?:could run something|are not known to be harmless): include/,
      );
    }
  });

  test.each([
    ["in the work tree", include("../mail")],
    ["in another folder that is served", include("%/in/other/mail")],
    ["behind a symbolic link", include("%/out/link")],
    ["in a linked folder", include("%/out/linked/harmless")],
    ["that is a folder", include("%/out/.")],
    ["that is a pipe", include("%/out/pipe")],
    ["of another user's home", include("~root/mail")],
    ["of the installation of git", include("%(prefix)/mail")],
    ["of a process", include("/proc/self/environ")],
    ["without a name", "[include]\n\tpath\n"],
    ["by an empty name", include("")],
    ["that belongs to another user", include("%/out/foreign")],
  ])("from a file %s", needs("shell scripts"), async (_what, own) => {
    writeSpecialFiles();
    expect(await refusal(own, {})).toContain("settings that could run something: include.path.");
  });

  test("as soon as its file becomes hostile or appears", async () => {
    await using at = await including(include("%/out/a") + include("%/out/b"), { "out/a": "[user]\n\tname = Ann\n" });
    await at.call("git_status", { repo_path: "project" });
    writeFileSync(at.folder.at("out/b"), "[core]\n\tfsmonitor = touch x\n");
    await at.failure("git_status", { repo_path: "project" });
    rmSync(at.folder.at("out/b"));
    await at.call("git_status", { repo_path: "project" });
    writeFileSync(at.folder.at("out/a"), "[core]\n\tfsmonitor = x\n");
    await at.failure("git_status", { repo_path: "project" });
  });
});

test("blocks merges only by an included merge driver, and nothing by keys that the operator allows", async () => {
  const files = { "out/driver": '[merge "x"]\n\tdriver = ":"\n', "out/monitor": "[core]\n\tfsmonitor = false\n" };
  await using at = await including(include("%/out/driver") + include("%/out/monitor"), files, { allowSetting: ["core.fsmonitor"] });
  at.repository.git("branch", "other");
  await at.call("git_status", { repo_path: "project" });
  expect(await at.failure("git_merge", { repo_path: "project", revision: "other" })).toContain(
    "could run something when files are merged: include.path.",
  );
});
