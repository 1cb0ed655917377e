// Each deviation of the manual, shown.
import { expect, test } from "vitest";
import { tempFolder } from "@oarlock/testing";
import { hashes } from "./support/oracle.ts";
import { cloneOf, makeRepository } from "./support/repository.ts";
import { world, worldOf } from "./support/world.ts";

test("deviation boundary: refuses unnamed repositories, accepts any path within a named one", async () => {
  await using at = await world({ tree: { "d/a.txt": "a" } });
  const other = makeRepository(at.folder.at("other"), { a: "a" });
  expect(await at.failure("git_status", { repo_path: other.path })).toContain("Access denied");
  for (const path of [undefined, at.repository.path, `${at.repository.path}/d`, "project", "."])
    expect((await at.call("git_status", path === undefined ? {} : { repo_path: path })).data).toMatchObject({ branch: "main" });
});

test("deviation hooks: reports in the reply of a commit that hooks did not run", async () => {
  await using at = await world({ tree: { a: "a" } });
  expect((await at.call("git_commit", { message: "x", allow_empty: true })).data).toMatchObject({ hooksRun: false, signed: false });
});

test("deviation configuration: refuses a hostile include by name, and opens the repository with --trust", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { a: "a" });
  repository.git("config", "include.path", "more");
  repository.git("config", "--file", ".git/more", "core.fsmonitor", "touch ran");
  await using at = await worldOf(tempFolder(), repository);
  expect(await at.failure("git_status")).toContain("holds settings that could run something: include.path");
  await using trusted = await worldOf(tempFolder(), repository, { trust: [repository.path] });
  expect((await trusted.call("git_status")).data).toMatchObject({ branch: "main" });
});

test("deviation empty-commits: refuses to commit when nothing is staged", async () => {
  await using at = await world({ tree: { a: "a" } });
  expect(await at.failure("git_commit", { message: "x" })).toBe("Nothing is staged: stage files with git_add, or pass allow_empty.");
});

test("deviation errors: reports an unknown branch type and an unknown revision as errors", async () => {
  await using at = await world({ tree: { a: "a" } });
  expect(await at.failure("git_branch", { branch_type: "other" })).toContain("branch_type");
  expect(await at.failure("git_show", { revision: "mian" })).toBe('Unknown revision "mian": did you mean "main"?');
});

test("deviation dates: reads dates as git does", async () => {
  await using at = await world();
  at.repository.fill(30, 3);
  const { data } = await at.call("git_log", { start_timestamp: "2023-11-14 22:30 +0000", max_count: 100 });
  expect((data["commits"] as { hash: string }[]).map(({ hash }) => hash)).toEqual(hashes(at.repository, "--since=2023-11-14 22:30 +0000"));
});

test("deviation log-text: prints plain hash, name and email, ISO date and message", async () => {
  await using at = await world({ tree: { a: "a" } });
  expect((await at.call("git_log")).text).toBe(
    `Commit history:\nCommit: ${at.repository.git("rev-parse", "HEAD")}\nAuthor: Ada Lovelace <ada@example.org>\nDate: 2023-11-14T22:13:20+00:00\nMessage: first\n`,
  );
});

test("deviation budget: cuts a long diff and continues it", async () => {
  await using at = await world({ tree: { a: "", b: "" } });
  at.repository.write({ a: "a\n".repeat(5000), b: "b\n".repeat(5000) });
  const { data } = await at.call("git_diff_unstaged", { max_bytes: 20_000 });
  expect(data).toMatchObject({ truncated: true, nextCursor: expect.any(String), omitted: [{ path: "b", reason: "budget" }] });
});

test("deviation literal: matches only a star with a star", async () => {
  await using at = await world({ tree: { "a.txt": "a" } });
  expect(await at.failure("git_add", { files: ["*.txt"] })).toContain("did not match any files");
  expect(await at.failure("git_diff", { target: "--output=x" })).toContain("target: cannot begin with -");
});

test("deviation filters: refuses to stage a file with a filter and names the switch", async () => {
  await using at = await world({ tree: { ".gitattributes": "*.bin filter=lfs\n" } });
  at.repository.write({ "a.bin": "large" });
  expect(await at.failure("git_add", { files: ["a.bin"] })).toMatch(/^Refused: a\.bin has the filter lfs, .* --filters/);
});

test("deviation submodules: leaves changed files of a submodule out of a diff, and counts it in the status", async () => {
  await using folder = tempFolder();
  const inner = makeRepository(folder.at("inner"), { a: "a" });
  const repository = makeRepository(folder.at("project"));
  repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.path, "sub");
  repository.commit("with submodule");
  await using at = await worldOf(tempFolder(), repository);
  repository.write({ "sub/a": "changed" });
  expect((await at.call("git_status")).data).toMatchObject({ unstaged: [{ path: "sub", submodule: ["modified content"] }] });
  expect((await at.call("git_diff_unstaged")).data).toMatchObject({ files: [] });
  inner.commit("second", { a: "b" });
  const sub = cloneOf(inner, folder.at("newer"));
  repository.git("-C", "sub", "fetch", "--quiet", sub.path, "main");
  repository.git("-C", "sub", "checkout", "--quiet", "--force", "FETCH_HEAD");
  expect((await at.call("git_status")).data).toMatchObject({ unstaged: [{ path: "sub", status: "modified" }] });
});

test("deviation replace: shows the content of the commits", async () => {
  await using at = await world();
  at.repository.fill(4, 2);
  const real = hashes(at.repository);
  at.repository.git("replace", "HEAD~1", "HEAD~3");
  expect(((await at.call("git_log")).data["commits"] as { hash: string }[]).map(({ hash }) => hash)).toEqual(real);
});

test("deviation ignore: skips the user's own ignore file", async () => {
  await using folder = tempFolder({ home: { ".gitconfig": "[core]\n\texcludesFile = ~/ignored\n", ignored: "*.tmp\n" } });
  const repository = makeRepository(folder.at("project"), { ".gitignore": "*.log\n" });
  repository.write({ "a.tmp": "x", "b.log": "x" });
  await using at = await worldOf(tempFolder(), repository, { env: { HOME: folder.at("home") } });
  expect((await at.call("git_status")).data).toMatchObject({ untracked: ["a.tmp"] });
});
