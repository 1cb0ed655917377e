// Settings that are not known to be harmless block the commands that read them, until the operator names them with --allow-setting.
import { appendFileSync, chmodSync, existsSync, rmSync, utimesSync } from "node:fs";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../../../support/repository.ts";
import { worldOf, type World } from "../../../support/world.ts";

async function worldWith(text: string, allowSetting: readonly string[] = []): Promise<World> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  appendFileSync(folder.at("project/.git/config"), text);
  return worldOf(folder, repository, { allowSetting });
}

test("opens a repository with settings of other programs", async () => {
  await using at = await worldWith('[gitlens]\n\tlast = x\n[branch "main"]\n\tgk-last-accessed = x\n[vscode "a"]\n\tcommand = x\n');
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main" });
});

test("names the key and the switch, and opens with it in any case", async () => {
  const text = "[core]\n\tmyOwn = x\n";
  await using at = await worldWith(text);
  expect(await at.failure("git_status")).toMatch(
    /settings that are not known to be harmless: core\.myown\..* --allow-setting core\.myown /,
  );
  await using open = await worldWith(text, ["Core.myOwn"]);
  expect((await open.call("git_status")).data).toMatchObject({ branch: "main" });
});

test("blocks changes, not reads, by a setting that only changes read", async () => {
  const text = "[commit]\n\tmyOwn = x\n";
  await using at = await worldWith(text);
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main" });
  expect(await at.failure("git_create_branch", { branch_name: "b" })).toContain(
    "holds settings that are not known to be harmless when something is changed: commit.myown.",
  );
  await using open = await worldWith(text, ["commit.myOwn"]);
  await open.call("git_create_branch", { branch_name: "b" });
});

test("keeps an allowed subsection apart from others", async () => {
  await using at = await worldWith('[diff "a"]\n\tmyOwn = x\n[diff "A"]\n\tmyOwn = x\n', ["diff.a.MYOWN"]);
  expect(await at.failure("git_status")).toContain("are not known to be harmless: diff.A.myown.");
});

/** A repository with the settings of a program, two branches that conflict, and a mark where the program ran. */
async function withProgram(text: string, attributes: string, allowSetting: readonly string[] = []) {
  const at = await worldWith(text, allowSetting);
  at.repository.commit("attributes", { ".gitattributes": `${attributes}\n`, "f.txt": "one\n" });
  at.repository.git("checkout", "--quiet", "-b", "side");
  at.repository.commit("theirs", { "f.txt": "theirs\n" });
  at.repository.git("checkout", "--quiet", "main");
  at.repository.commit("ours", { "f.txt": "ours\n" });
  const hasRun = (): boolean => existsSync(`${at.repository.path}/.git/ran`);
  rmSync(`${at.repository.path}/.git/ran`, { force: true });
  return Object.assign(at, { hasRun });
}

test("blocks merges, nothing else, by a merge driver", async () => {
  await using at = await withProgram('[merge "x"]\n\tdriver = "touch .git/ran; :"\n', "*.txt merge=x");
  at.repository.write({ "b.txt": "b\n" });
  await at.call("git_add", { files: ["b.txt"] });
  await at.call("git_commit", { message: "b" });
  for (const [tool, args] of [
    ["git_merge", { revision: "side" }],
    ["git_cherry_pick", { revisions: ["side"] }],
    ["git_rebase", { upstream: "side" }],
  ] as const)
    expect(await at.failure(tool, args)).toContain("could run something when files are merged: merge.x.driver.");
  expect(at.hasRun()).toBe(false);
});

test("opens a repository with filters of its own, and runs none", async () => {
  const text = '[filter "x"]\n\tclean = "touch .git/ran; cat"\n\tsmudge = "touch .git/ran; cat"\n\trequired = true\n';
  await using at = await withProgram(text, "*.txt filter=x");
  at.repository.write({ "f.txt": "edited\n" });
  expect((await at.call("git_status")).text).toContain("[compared unconverted, may be unchanged: f.txt has the filter x. Start");
  expect((await at.call("git_diff_unstaged")).text).toContain("+edited");
  await at.call("git_blame", { path: "f.txt" });
  expect(await at.failure("git_add", { files: ["f.txt"] })).toContain("Refused: f.txt has the filter x, which does not run here");
  expect(await at.failure("git_checkout", { branch_name: "side" })).toContain("Refused: f.txt has the filter x");
  expect(at.hasRun()).toBe(false);
});

test("stays out of submodules with filters when something is changed", async () => {
  await using at = await worldWith("");
  const inner = makeRepository(`${at.repository.path}/sub`, { "i.txt": "i\n" });
  at.repository.commit("with a repository inside");
  inner.git("config", "filter.x.clean", "touch ran");
  expect((await at.call("git_status")).text).not.toContain("not looked into");
  expect(await at.failure("git_add", { files: ["."] })).toContain(
    "configuration of sub holds settings that could run something: filter.x.clean.",
  );
});

test("runs a filter that the operator allows by name", async () => {
  await using at = await withProgram('[filter "x"]\n\tclean = "touch .git/ran; cat"\n', "*.txt filter=x", ["filter.x.clean"]);
  at.repository.write({ "f.txt": "edited\n" });
  await at.call("git_add", { files: ["f.txt"] });
  expect(at.hasRun()).toBe(true);
});

test("runs no filter of which the operator allows a part only, and stores nothing unconverted", async () => {
  const text = '[filter "x"]\n\tclean = "touch .git/ran; cat"\n\tsmudge = cat\n\trequired = true\n';
  await using part = await withProgram(text, "*.txt filter=x", ["filter.x.clean"]);
  part.repository.write({ "f.txt": "edited\n" });
  expect(await part.failure("git_add", { files: ["f.txt"] })).toContain("Refused: f.txt has the filter x, which does not run here");
  await using whole = await withProgram(text, "*.txt filter=x", ["filter.x.clean", "filter.x.smudge"]);
  whole.repository.write({ "f.txt": "edited\n" });
  await whole.call("git_add", { files: ["f.txt"] });
  expect(whole.hasRun()).toBe(true);
});

test("removes no work tree with filters of its own, which git would run there", async () => {
  await using at = await worldWith("");
  const { repository, hasRun } = Object.assign(at, { hasRun: () => existsSync(at.folder.at("ran")) });
  repository.commit("attributes", { ".gitattributes": "*.txt filter=set\n", ".gitignore": "tree\n" });
  repository.git("worktree", "add", "--quiet", "tree", "-b", "side");
  repository.git("config", "extensions.worktreeConfig", "true");
  appendFileSync(
    `${repository.path}/.git/worktrees/tree/config.worktree`,
    `[filter "set"]\n\tclean = touch '${at.folder.at("ran")}'; cat\n`,
  );
  utimesSync(`${repository.path}/tree/a.txt`, 1, 1);
  const remove = { action: "remove", path: "tree" };
  expect(await at.failure("git_worktree", remove)).toContain("holds settings that could run something: filter.set.clean.");
  expect(hasRun()).toBe(false);
  appendFileSync(`${repository.path}/.git/config`, '[filter "set"]\n\tclean = cat\n');
  await at.call("git_worktree", remove);
  expect(hasRun()).toBe(false);
});

test("merges with options of a branch that name no strategy", async () => {
  await using at = await worldWith('[branch "main"]\n\tmergeOptions = --no-ff\n');
  at.repository.git("checkout", "--quiet", "-b", "side");
  at.repository.commit("side", { "b.txt": "b\n" });
  at.repository.git("checkout", "--quiet", "main");
  await at.call("git_merge", { revision: "side" });
  expect(at.repository.git("log", "-1", "--format=%s")).toBe("Merge branch 'side'");
});

test("reads no file of names outside the repository", async () => {
  await using outside = tempFolder({ names: "Mallory <m@example.org> <ada@example.org>\n" });
  await using at = await worldWith(`[mailmap]\n\tfile = ${outside.at("names")}\n`);
  expect(at.repository.git("blame", "a.txt")).toContain("Mallory");
  expect((await at.call("git_blame", { path: "a.txt" })).text).not.toContain("Mallory");
});

test.each([
  { title: "lists its sections", help: "echo courier.command", isRefused: false },
  { title: "reads the section", help: "echo gitlens.last", isRefused: true },
  { title: "lists nothing", help: "exit 1", isRefused: true },
])("judges an unknown section under a newer git that $title", needs("shell scripts"), async ({ help, isRefused }) => {
  await using closed = await worldWith("[gitlens]\n\tlast = x\n");
  const { folder, repository } = closed;
  folder.write({
    git: `#!/bin/sh\ncase "$1" in --version) exec echo "git version 2.99.0";; help) ${help}; exit;; esac\nexec git "$@"\n`,
  });
  chmodSync(folder.at("git"), 0o755);
  await using at = await worldOf(tempFolder(), repository, { git: folder.at("git") });
  if (isRefused) expect(await at.failure("git_status")).toContain("are not known to be harmless: gitlens.last.");
  else await at.call("git_status");
});
