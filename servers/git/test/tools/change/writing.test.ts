// git_add, git_reset and git_commit: what they say, and what git says afterwards.
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { linkTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { fields } from "../../support/oracle.ts";
import { makeRepository, type TestRepository } from "../../support/repository.ts";
import { world, worldOf } from "../../support/world.ts";

const TREE = { "a.txt": "a\n", "b.txt": "b\n", "d/c.txt": "c\n", ".gitignore": "*.log\n" };

const staged = (repository: TestRepository): string[] => fields(repository.raw(["diff", "--cached", "--name-only", "-z"]));
/** Nothing is broken, whatever was done. */
const whole = (repository: TestRepository): string => repository.loosely("fsck", "--full", "--strict", "--no-dangling");

test("git_add stages literal paths and lists those that .gitignore excludes", async () => {
  await using at = await world({ tree: TREE });
  const { repository } = at;
  repository.write({ "a.txt": "A\n", "new.txt": "n\n", "x.log": "x\n", "*.txt": "star\n", "-A": "dash\n", "with\nnewline": "n\n" });
  expect((await at.call("git_add", { files: ["*.txt"] })).data["staged"]).toEqual(["*.txt"]);
  expect((await at.call("git_add", { files: ["-A"] })).data["staged"]).toEqual(["-A"]);
  expect((await at.call("git_add", { files: ["with\nnewline"] })).data["staged"]).toEqual(["with\nnewline"]);
  expect(staged(repository).sort()).toEqual(["*.txt", "-A", "with\nnewline"].sort());
  const ignored = await at.call("git_add", { files: ["x.log", "new.txt"] });
  expect(ignored.data).toEqual({ staged: ["new.txt"], ignored: ["x.log"] });
  expect(ignored.text).toBe("Files staged successfully\nStaged: new.txt\nLeft out, excluded by .gitignore or .git/info/exclude: x.log");
  const dry = await at.call("git_add", { files: ["."], dry_run: true });
  expect(dry.data["staged"]).toEqual(["a.txt"]);
  expect((await at.call("git_add", { files: ["."] })).text).toMatch(/^Files staged successfully\nStaged: /);
  expect(repository.git("status", "--porcelain", "-z")).not.toContain(" M a.txt");
  expect(await at.failure("git_add", { files: ["nope.txt"] })).toMatch(
    /^git knows no such file here\..* git says: pathspec 'nope.txt' did not match any files$/,
  );
  expect(await at.failure("git_add", { files: [] })).toContain("No files were given");
  expect(whole(repository)).toBe("");
});

test("git_add stages a deletion and refuses a path behind a link", async () => {
  await using at = await world({ tree: { ...TREE, out: linkTo("../elsewhere") } });
  at.folder.write({ elsewhere: { "secret.txt": "s" } });
  const { rmSync } = await import("node:fs");
  rmSync(`${at.repository.path}/b.txt`);
  expect((await at.call("git_add", { files: ["b.txt"] })).data["staged"]).toEqual(["b.txt"]);
  expect(await at.failure("git_add", { files: ["out/secret.txt"] })).toBe("Access denied - path beyond a symbolic link: out/secret.txt");
});

test("git_reset unstages everything or the given files, and touches no file", async () => {
  await using at = await world({ tree: TREE });
  at.repository.write({ "a.txt": "A\n", "b.txt": "B\n", "new.txt": "n\n" }).git("add", "-A");
  const one = await at.call("git_reset", { files: ["a.txt"] });
  expect(one).toEqual({ text: "Files unstaged", data: { unstaged: ["a.txt"] } });
  expect(staged(at.repository)).toEqual(["b.txt", "new.txt"]);
  expect((await at.call("git_reset", { files: ["a.txt", "none.txt"] })).text).toBe("None of these files was staged");
  expect((await at.call("git_reset", { files: ["none.txt"] })).text).toBe("git tracks none of these files now. Check the paths.");
  const all = await at.call("git_reset");
  expect(all).toEqual({ text: "All staged changes reset", data: { unstaged: ["b.txt", "new.txt"] } });
  expect(staged(at.repository)).toEqual([]);
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe("A\n");
});

test("git_restore with staged and source says that it stages", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.commit("second", { "a.txt": "b\n" });
  const { text } = await at.call("git_restore", { files: ["a.txt"], source: "HEAD~1", staged: true });
  expect(text).toBe("Staged a.txt as in HEAD~1; the files stay");
  expect(staged(at.repository)).toEqual(["a.txt"]);
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe("b\n");
});

test("git_log of all branches names the branches and tags of commits", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("branch", "side$&");
  at.repository.git("tag", "v1");
  expect((await at.call("git_log", { all_branches: true })).text).toMatch(
    /^Commit history:\nCommit: \w+\nRefs: HEAD -> main, tag: v1, side\$&\nAuthor: /,
  );
  expect((await at.call("git_log")).text).not.toContain("Refs:");
});

test("git_commit makes git's own commit and reports skipped hooks and signature", async () => {
  await using at = await world({ tree: TREE });
  const { repository } = at;
  repository.write({ "a.txt": "A\n" }).git("add", "-A");
  const message = "Subject with 'quotes' and ü\n\nBody\n# not a comment\n- --amend\n";
  const { text, data } = await at.call("git_commit", { message });
  const hash = repository.git("rev-parse", "HEAD");
  expect(data).toEqual({
    hash,
    branch: "main",
    filesChanged: 1,
    signed: false,
    hooksRun: false,
    // No hook is installed, and nothing asks for a signature.
    warnings: [],
  });
  expect(text).toBe(`Changes committed successfully with hash ${hash}\nOn main: 1 file changed, +1 -1`);
  expect(repository.raw(["log", "-1", "--format=%B"]).toString().trimEnd()).toBe(message.trimEnd());
  expect(repository.git("log", "-1", "--format=%an|%ae|%cn|%ce|%G?")).toBe("Ada Lovelace|ada@example.org|Ada Lovelace|ada@example.org|N");
  expect(await at.failure("git_commit", { message: "again" })).toBe("Nothing is staged: stage files with git_add, or pass allow_empty.");
  expect(await at.failure("git_commit", { message: " \n" })).toBe("The commit message is empty: give one.");
  const empty = await at.call("git_commit", { message: "empty", allow_empty: true, author: "Someone Else <else@example.org>" });
  expect(empty.data["filesChanged"]).toBe(0);
  expect(repository.git("log", "-1", "--format=%an <%ae>")).toBe("Someone Else <else@example.org>");
  await at.call("git_commit", { message: "amended", amend: true, allow_empty: true });
  expect(repository.git("log", "-2", "--format=%s")).toBe("amended\nSubject with 'quotes' and ü");
  expect(whole(repository)).toBe("");
});

test("commits as the first commit and on a detached HEAD", async () => {
  await using at = await world();
  at.repository.write({ a: "a" }).git("add", "-A");
  expect((await at.call("git_commit", { message: "first" })).data).toMatchObject({
    branch: "main",
    hash: at.repository.git("rev-parse", "HEAD"),
  });
  at.repository.git("checkout", "--quiet", "--detach");
  const { data } = await at.call("git_commit", { message: "second", allow_empty: true });
  expect(data["hash"]).toBe(at.repository.git("rev-parse", "HEAD"));
  expect(Object.keys(data)).not.toContain("branch");
});

test("runs hooks with --run-hooks, and names skipped ones without", async () => {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), TREE);
  repository.write({ ".git/hooks/pre-commit": "#!/bin/sh\ntouch ran\n" });
  chmodSync(`${repository.path}/.git/hooks/pre-commit`, 0o755);
  await using at = await worldOf(folder, repository);
  const { data } = await at.call("git_commit", { message: "without", allow_empty: true });
  expect(data["warnings"]).toContain("Hooks were not run: pre-commit; start the server with --run-hooks to run them.");
  expect(existsSync(`${repository.path}/ran`)).toBe(false);

  const target = await import("../../support/target.ts");
  const { connectTo } = await import("@oarlock/testing");
  const env = { PATH: process.env["PATH"]! };
  await using wired = await connectTo(await target.targetOf({ repositories: [repository.path], runHooks: true, env }));
  expect(await wired.client.call("git_commit", { message: "with", allow_empty: true })).toMatchObject({
    structuredContent: { hooksRun: true },
  });
  expect(existsSync(`${repository.path}/ran`)).toBe(true);
  repository.write({ ".git/hooks/pre-commit": "#!/bin/sh\necho the hook refuses >&2\nexit 1\n" });
  const refused = await wired.client.call("git_commit", { message: "no", allow_empty: true });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("the hook refuses") }] });
});

test("servers#2981 --sign signs by the user's own configuration only and never falls back to unsigned", async () => {
  await using folder = tempFolder({ home: {} });
  const { execFileSync } = await import("node:child_process");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder.at("home/key")]);
  folder.write({
    "home/.gitconfig": `[gpg]\n\tformat = ssh\n[user]\n\tsigningkey = ${folder.at("home/key.pub")}\n`,
    "home/allowed": `ada@example.org ${readFileSync(folder.at("home/key.pub"), "utf8")}`,
  });
  const repository = makeRepository(folder.at("project"), TREE);
  repository.git("config", "gpg.ssh.program", folder.at("evil"));
  const env = { HOME: folder.at("home"), PATH: process.env["PATH"]! };
  await using at = await worldOf(folder, repository, { sign: true, env });
  expect((await at.call("git_commit", { message: "signed", allow_empty: true })).data).toMatchObject({ signed: true });
  expect(
    repository.git(
      "-c",
      `gpg.ssh.allowedSignersFile=${folder.at("home/allowed")}`,
      "-c",
      "gpg.ssh.program=ssh-keygen",
      "log",
      "-1",
      "--format=%G?",
    ),
  ).toBe("G");
  const head = repository.git("rev-parse", "HEAD");
  folder.write({ "home/.gitconfig": "[gpg]\n\tformat = ssh\n[user]\n\tsigningkey = /nonexistent/key.pub\n" });
  await using later = await worldOf(tempFolder(), repository, { sign: true, env });
  await later.failure("git_commit", { message: "unsigned?", allow_empty: true });
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
});

test("servers#619 takes the committer from the environment, then the repository, then the user", async () => {
  await using folder = tempFolder({ home: { ".gitconfig": "[user]\n\tname = Home\n\temail = home@example.org\n" } });
  const repository = makeRepository(folder.at("project"), TREE);
  const author = async (env: Record<string, string>): Promise<string> => {
    await using other = tempFolder();
    await using at = await worldOf(other, repository, { env });
    const result = await at.client.call("git_commit", { message: "x", allow_empty: true });
    return result.isError === true ? "refused" : repository.git("log", "-1", "--format=%an <%ae> %cn <%ce>");
  };
  const both = (who: string): string => `${who} ${who}`;
  expect(await author({})).toBe(both("Ada Lovelace <ada@example.org>"));
  expect(
    await author({
      GIT_AUTHOR_NAME: "Op",
      GIT_AUTHOR_EMAIL: "op@example.org",
      GIT_COMMITTER_NAME: "Op",
      GIT_COMMITTER_EMAIL: "op@example.org",
    }),
  ).toBe(both("Op <op@example.org>"));
  repository.git("config", "--unset", "user.name");
  repository.git("config", "--unset", "user.email");
  expect(await author({ HOME: folder.at("home") })).toBe(both("Home <home@example.org>"));
  expect(await author({})).toBe("refused");
});

test("names a foreign lock and leaves it", async () => {
  await using at = await world({ tree: TREE });
  at.repository.write({ "a.txt": "A\n", ".git/index.lock": "" });
  for (const [name, args] of [
    ["git_add", { files: ["a.txt"] }],
    ["git_commit", { message: "x", allow_empty: true }],
    ["git_reset", {}],
    ["git_stash", { action: "push" }],
  ] as const)
    expect(await at.failure(name, args)).toContain("Another git process holds the lock .git/index.lock");
  expect(existsSync(`${at.repository.path}/.git/index.lock`)).toBe(true);
  expect((await at.call("git_status")).data).toMatchObject({ unstaged: [{ path: "a.txt", status: "modified" }] });
});

test("RPC-17 refuses half a surrogate pair in every text", async () => {
  await using at = await world({ tree: { f: "one\n" } });
  const before = at.repository.git("rev-parse", "HEAD");
  for (const [tool, args] of [
    ["git_commit", { message: "half \ud800", allow_empty: true }],
    ["git_tag", { action: "create", name: "t", message: "half \udc00" }],
    ["git_add", { files: ["half\ud800"] }],
    ["git_log", { author: "\ud800" }],
  ] as const)
    expect(await at.failure(tool, args)).toContain("not well-formed text");
  expect(at.repository.git("rev-parse", "HEAD")).toBe(before);
});
