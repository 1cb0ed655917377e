// Failures in whose words git names no next step: the reply names one.
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { cloneOf, makeRepository } from "./support/repository.ts";
import { serverWithToolsets } from "./support/target.ts";
import { textOf, world, worldOf } from "./support/world.ts";

test("names the parents for the revert of a merge", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("b", { "b.txt": "b\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("c", { "c.txt": "c\n" });
  repository.git("merge", "--quiet", "--no-edit", "side");
  const [merge, first, second] = repository.git("rev-list", "--parents", "--no-walk", "HEAD").split(" ");
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path] }, ["default", "integrate"]));
  expect(textOf(await wired.client.call("git_revert", { revisions: ["HEAD"] }))).toBe(
    `${merge} is a merge: repeat the call with mainline, the number of the parent whose side stays: 1 for ${first}, 2 for ${second}.`,
  );
  expect((await wired.client.call("git_revert", { revisions: ["HEAD"], mainline: 1 })).isError).toBeUndefined();
});

test("names the tool that brings back a file of another commit", async () => {
  await using at = await world({ tree: { a: "a" } });
  for (const name of ["git_add", "git_restore"])
    expect(await at.failure(name, { files: ["nofile.txt"] })).toContain(
      "git_restore with source brings back a file of another commit. git says",
    );
});

test("names what can be done before the first commit", async () => {
  await using at = await world();
  at.repository.write({ "a.txt": "a\n" }).git("add", "a.txt");
  expect(await at.failure("git_restore", { files: ["a.txt"], source: "HEAD" })).toBe('Unknown revision "HEAD": there are no commits yet.');
  expect((await at.call("git_restore", { files: ["a.txt"], staged: true })).text).toBe("Unstaged a.txt");
  expect((await at.call("git_restore", { files: ["a.txt"], staged: true })).text).toBe("Nothing of a.txt was staged");
  expect(at.repository.git("status", "--porcelain")).toBe("?? a.txt");
  at.repository.git("add", "a.txt");
  expect((await at.call("git_reset")).data).toEqual({ unstaged: ["a.txt"] });
});

test("names the command of git for an operation that only git itself ends", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("bisect", "start");
  expect((await at.call("git_status")).text).toContain("A bisect is in progress: only git itself ends it, by git bisect reset.");
  expect(await at.failure("git_merge", { step: "abort" })).toBe(
    "There is no merge in progress. A bisect is in progress: only git itself ends it, by git bisect reset.",
  );
  repository.git("bisect", "reset");
  repository.git("branch", "other", "HEAD");
  writeFileSync(`${repository.path}/.git/MERGE_HEAD`, `${repository.git("rev-parse", "HEAD")}\n`);
  writeFileSync(`${repository.path}/.git/MERGE_MODE`, "unheard-of");
  expect(await at.failure("git_merge", { step: "continue" })).toContain(
    "Look at the file, then end the operation with git itself: git merge, with --abort to go back or --continue.",
  );
});

test.each([
  { setting: "gpgSign", isReported: true },
  { setting: "gpgSign = yes", isReported: true },
  { setting: "gpgSign = false", isReported: false },
])("reports a missing signature only where the repository wants one: $setting", async ({ setting, isReported }) => {
  await using folder = tempFolder({ home: { ".gitconfig": "[commit]\n\tgpgSign = true\n" } });
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  appendFileSync(folder.at("project/.git/config"), `[commit]\n\t${setting}\n`);
  await using at = await worldOf(folder, repository, { env: { ...process.env, HOME: folder.at("home") } });
  const { data } = await at.call("git_commit", { message: "m", allow_empty: true });
  expect(JSON.stringify(data["warnings"]).includes("unsigned")).toBe(isReported);
});

test("names what to do where git only names what is wrong", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "d/b.txt": "b\n" } });
  rmSync(`${at.repository.path}/a.txt`);
  rmSync(`${at.repository.path}/d`, { recursive: true });
  at.repository.write({ d: "a file\n" });
  for (const path of ["a.txt", "d/b.txt"])
    expect(await at.failure("git_blame", { path })).toMatch(
      /^The file is not in the work tree\. Give a revision, such as HEAD, .* git says: /,
    );
  expect(await at.failure("git_log", { line_range: "7,9", paths: ["a.txt"] })).toMatch(
    /^The lines lie behind the end of the file\. .* only 1 line/,
  );
  for (const pattern of ["(", "a{2", "[", "*"])
    expect(await at.failure("git_grep", { pattern })).toMatch(/^The pattern is not a regular expression that git takes: .* git says: /);
  for (const args of [{ grep: "\\(" }, { grep_diff: "(" }, { author: "[" }])
    expect(await at.failure("git_log", args)).toMatch(/^The pattern is not a regular expression that git takes: /);
  await using empty = await world();
  empty.repository.write({ "a.txt": "a\n" });
  expect(await empty.failure("git_stash", { action: "push" })).toMatch(/^There is no commit yet: .* git_commit/);
  expect(await empty.failure("git_commit", { message: "m", amend: true })).toMatch(/^There is no commit yet: .* git_commit/);
});

test("tells of a path that git does not know where a reply is empty", async () => {
  await using at = await world({ tree: { "src/cart.ts": "a\n" } });
  at.repository.write({ "new.ts": "a\n" });
  for (const [tool, args] of [
    ["git_log", {}],
    ["git_grep", { pattern: "a" }],
    ["git_diff_unstaged", {}],
    ["git_diff_staged", {}],
    ["git_diff", { target: "HEAD" }],
  ] as const) {
    const textFor = async (path: string): Promise<string> => (await at.call(tool, { ...args, paths: ["src", path] })).text;
    const isEmpty = !["git_log", "git_grep"].includes(tool);
    const noticeFor = async (path: string): Promise<string> =>
      isEmpty ? textFor(path) : (await at.call(tool, { ...args, paths: [path] })).text;
    expect(await noticeFor("Cart.ts"), tool).toContain("[git tracks no Cart.ts now. Did you mean src/cart.ts?]");
    expect(await noticeFor("nope"), tool).toContain("[git tracks no nope now. Check the path.]");
    expect(await noticeFor("new.ts"), tool).toContain("[new.ts is not tracked: only git_add makes it known to git.]");
    expect(await textFor("src/cart.ts"), tool).not.toContain("[");
  }
});

test("knows the paths of a bare repository", async () => {
  await using folder = tempFolder();
  const bare = cloneOf(makeRepository(folder.at("project"), { "src/cart.ts": "a\n" }), folder.at("bare.git"), "--bare");
  await using at = await worldOf(tempFolder(), bare);
  const textFor = async (path: string): Promise<string> => (await at.call("git_log", { paths: [path], author: "nobody" })).text;
  for (const path of ["src/cart.ts", "src"]) expect(await textFor(path)).not.toContain("[");
  expect(await textFor("cart.ts")).toContain("[git tracks no cart.ts now. Did you mean src/cart.ts?]");
});

test("says that a tag is unsigned only where the configuration wants a signature", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  expect((await at.call("git_tag", { action: "create", name: "one", message: "m" })).text).not.toContain("unsigned");
  at.repository.git("config", "tag.gpgSign", "true");
  expect((await at.call("git_tag", { action: "create", name: "two", message: "m" })).text).toContain("The tag is unsigned; start");
});

test("names a folder inside for a work tree outside", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  expect(await at.failure("git_worktree", { action: "add", path: "../new", branch: "n", create: true })).toMatch(
    /outside the allowed repositories: \.\.\/new\. Give a folder inside the repository, such as new\.$/,
  );
});

test.each([
  { encoding: "UTF-16LE-BOM", bytes: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le") },
  { encoding: "UTF-16", bytes: (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16() },
])("names the attribute that makes $encoding text, and stages its hunks then", async ({ encoding, bytes }) => {
  await using at = await world({ tree: { "a.txt": bytes("one\ntwo\n"), "b.bin": Buffer.of(0, 1) } });
  at.repository.write({ "a.txt": bytes("eins\ntwo\n"), "b.bin": Buffer.of(0, 2) });
  const { text } = await at.call("git_diff_unstaged");
  expect(text).toContain(`[a.txt is UTF-16, which git takes for binary: it is shown and staged whole.`);
  expect(text).toContain(`working-tree-encoding=${encoding} makes it text]`);
  expect(text).not.toContain("[b.bin");
  at.repository.write({ ".gitattributes": `a.txt working-tree-encoding=${encoding}\n`, "a.txt": bytes("one\ntwo\n") });
  await at.call("git_add", { files: [".gitattributes", "a.txt"] });
  await at.call("git_commit", { message: "text" });
  at.repository.write({ "a.txt": bytes("eins\ntwo\n") });
  const patch = (await at.call("git_diff_unstaged", { paths: ["a.txt"] })).text.replace(/^[^]*?(?=diff --git)/, "");
  expect(patch).toContain("-one\n+eins\n");
  await at.call("git_add", { patch });
  expect(at.repository.git("show", ":a.txt")).toBe("eins\ntwo");
});

test("names the files that a command would overwrite", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("side", { "a.txt": "side\n", "new.txt": "side\n" });
  repository.git("checkout", "--quiet", "main");
  repository.write({ "a.txt": "mine\n", "new.txt": "mine\n" });
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path] }, ["default", "integrate"]));
  const failure = async (tool: string, args: Record<string, unknown>): Promise<string> => textOf(await wired.client.call(tool, args));
  const changed = "changes in a.txt: commit them, or put them aside with git_stash push, then repeat the call";
  const untracked = "files that are not tracked, new.txt: rename them, or put them aside with git_stash push and include_untracked";
  for (const [tool, args] of [
    ["git_checkout", { branch_name: "side" }],
    ["git_merge", { revision: "side" }],
  ] as const)
    expect(await failure(tool, args)).toBe(`Nothing was changed, as it would overwrite ${changed}; and ${untracked}.`);
  expect(await failure("git_cherry_pick", { revisions: ["side"] })).toContain("Nothing was changed, as it would overwrite changes");
  expect(await failure("git_rebase", { upstream: "side" })).toContain("Nothing was changed, as it would overwrite changes: commit them");
  repository.git("checkout", "--quiet", "a.txt");
  expect(await failure("git_merge", { revision: "side" })).toBe(`Nothing was changed, as it would overwrite ${untracked}.`);
});

test("names the files that a stash would overwrite", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.write({ "a.txt": "put aside\n" });
  await at.call("git_stash", { action: "push" });
  at.repository.write({ "a.txt": "mine\n" });
  expect(await at.failure("git_stash", { action: "pop" })).toBe(
    "Nothing was changed, as it would overwrite changes in a.txt: commit them first.",
  );
});
