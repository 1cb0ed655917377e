// The toolset remote over HTTP, to git's own server on the loopback: clone, fetch, pull and push.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { serveGit } from "../../support/git-http.ts";
import { makeRepository, TestRepository } from "../../support/repository.ts";
import { worldOf, type World } from "../../support/world.ts";

interface Remote extends AsyncDisposable {
  readonly folder: TempFolder;
  /** What is served. */
  readonly origin: TestRepository;
  readonly url: string;
  readonly at: World;
}

async function remote(commits = 0): Promise<Remote> {
  const folder = tempFolder({ served: {}, all: {} });
  const origin = makeRepository(folder.at("served/origin"));
  if (commits === 0) origin.commit("first", { "a.txt": "a\n" });
  else origin.fill(commits, 7);
  origin.git("config", "http.receivepack", "true");
  origin.git("config", "receive.denyCurrentBranch", "ignore");
  const server = await serveGit(folder.at("served"));
  const at = await worldOf(folder, origin, { repositoriesRoots: [folder.at("all")], allowDiscard: true });
  return {
    folder,
    origin,
    url: `${server.url}/origin/.git`,
    at,
    async [Symbol.asyncDispose]() {
      await at[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

test("servers#1381 servers#518 clones, fetches, pulls and pushes with git's progress", async () => {
  await using with_ = await remote(50);
  const { at, origin, url, folder } = with_;
  const messages: string[] = [];
  const cloned = await at.client.call("git_clone", { url, path: "copy" }, { onProgress: ({ message }) => messages.push(message ?? "") });
  expect(cloned.isError).toBeUndefined();
  expect(
    messages.some((message) => /^(?:Receiving objects|Resolving deltas|Counting objects|Compressing objects): \d+%$/.test(message)),
  ).toBe(true);
  const copy = new TestRepository(folder.at("all/copy"));
  const head = (): string => copy.git("rev-parse", "HEAD");
  expect(head()).toBe(origin.git("rev-parse", "HEAD"));
  expect((await at.call("git_remote", { repo_path: "copy", action: "list" })).data).toEqual({ remotes: [{ name: "origin", url }] });

  const theirs = origin.commit("theirs", { "b.txt": "b\n" });
  const fetched = await at.call("git_fetch", { repo_path: "copy" });
  expect(fetched.data).toMatchObject({ remote: "origin", updates: [{ from: "main", to: "origin/main", rejected: false }] });
  expect((await at.call("git_pull", { repo_path: "copy" })).data).toMatchObject({ state: "done", head: theirs });

  copy.git("config", "user.name", "Ada");
  copy.git("config", "user.email", "ada@example.org");
  const ours = copy.commit("ours", { "c.txt": "c\n" });
  expect((await at.call("git_push", { repo_path: "copy" })).data).toMatchObject({ branch: "main", updates: [{ rejected: false }] });
  expect(origin.git("rev-parse", "main")).toBe(ours);

  // Both have gone on: a push is refused, a pull needs a strategy, a forced push wins only while the remote is unchanged.
  origin.git("reset", "--hard", "--quiet");
  origin.commit("theirs again", { "d.txt": "d\n" });
  copy.commit("ours again", { "e.txt": "e\n" });
  expect(await at.failure("git_push", { repo_path: "copy" })).toContain("The remote rejected refs/heads/main");
  expect(await at.failure("git_push", { repo_path: "copy", force: true })).toContain(
    "The remote rejected refs/heads/main: rejected (stale info)",
  );
  expect(await at.failure("git_pull", { repo_path: "copy" })).toContain("have diverged: pull with how merge or rebase");
  expect((await at.call("git_pull", { repo_path: "copy", how: "rebase" })).data).toMatchObject({ state: "done" });
  await at.call("git_push", { repo_path: "copy" });
  expect(origin.git("rev-parse", "main")).toBe(head());
});

test("fetches and pulls each its own branch concurrently", async () => {
  await using with_ = await remote();
  const { at, origin, url, folder } = with_;
  await at.call("git_clone", { url, path: "copy" });
  origin.git("branch", "other");
  const theirs = origin.commit("theirs", { "b.txt": "b\n" });
  const [fetches, pulls] = [Array.from({ length: 4 }, () => "git_fetch"), Array.from({ length: 4 }, () => "git_pull")];
  await Promise.all([...fetches, ...pulls, ...fetches].map((name) => at.call(name, { repo_path: "copy" })));
  const copy = new TestRepository(folder.at("all/copy"));
  expect(copy.git("rev-parse", "HEAD", "origin/main").split("\n")).toEqual([theirs, theirs]);
});

test("names the conflicts of a pull", async () => {
  await using with_ = await remote();
  const { at, origin, url, folder } = with_;
  await at.call("git_clone", { url, path: "copy" });
  const copy = new TestRepository(folder.at("all/copy"));
  copy.git("config", "user.name", "Ada");
  copy.git("config", "user.email", "ada@example.org");
  origin.commit("theirs", { "a.txt": "theirs\n" });
  copy.commit("ours", { "a.txt": "ours\n" });
  expect((await at.call("git_pull", { repo_path: "copy", how: "merge" })).data).toMatchObject({
    state: "conflict",
    conflicts: [{ path: "a.txt" }],
  });
  expect((await at.call("git_merge", { repo_path: "copy", step: "abort" })).data).toMatchObject({ state: "aborted" });
});

test("clones one branch or few commits, and refuses outside paths", async () => {
  await using with_ = await remote(20);
  const { at, url, folder } = with_;
  await at.call("git_clone", { url, path: "shallow", depth: 1, branch: "main" });
  expect(new TestRepository(folder.at("all/shallow")).git("rev-list", "--count", "HEAD")).toBe("1");
  expect((await at.call("git_log", { repo_path: "shallow" })).data["commits"]).toHaveLength(1);
  expect(await at.failure("git_clone", { url, path: "shallow" })).toContain("shallow already is a repository");
  expect(await at.failure("git_clone", { url, path: "other", branch: "nope" })).toContain('The remote has no branch "nope"');
  expect(existsSync(folder.at("all/other"))).toBe(false);
  for (const path of ["../outside", folder.at("outside"), "shallow/inner"]) await at.failure("git_clone", { url, path });
  expect(existsSync(folder.at("outside"))).toBe(false);
});

test("refuses a configuration that chooses how the network is used, for transfers only", async () => {
  await using with_ = await remote();
  const { at, url, folder } = with_;
  await at.call("git_clone", { url, path: "copy" });
  new TestRepository(folder.at("all/copy")).git("config", "core.sshCommand", "touch mark");
  expect(await at.failure("git_fetch", { repo_path: "copy" })).toContain("choose how the network is used: core.sshcommand");
  await at.call("git_status", { repo_path: "copy" });
});

test("signs in for a clone by the user's own configuration", async () => {
  const helper = '[credential]\n\thelper = "!f() { echo username=ada; echo password=secret; }; f"\n';
  await using folder = tempFolder({ served: {}, all: {}, home: { ".gitconfig": helper } });
  const origin = makeRepository(folder.at("served/origin"), { a: "a" });
  const server = await serveGit(folder.at("served"), "ada:secret");
  await using at = await worldOf(folder, origin, {
    repositoriesRoots: [folder.at("all")],
    env: { PATH: process.env["PATH"] ?? "", HOME: folder.at("home") },
  });
  const url = `${server.url}/origin/.git`;
  await at.call("git_clone", { url, path: "copy" });
  const head = origin.commit("more", { b: "b" });
  expect((await at.call("git_pull", { repo_path: "copy" })).data).toMatchObject({ head });
  await server.close();
});

test("asks about a forced push only after it found remote and branch", async () => {
  await using with_ = await remote();
  const { at, url, folder } = with_;
  await at.call("git_clone", { url, path: "copy" });
  await at.call("git_create_branch", { repo_path: "copy", branch_name: "topic" });
  const copy = new TestRepository(folder.at("all/copy"));
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return { action: "decline" as const };
  };
  await using asking = await worldOf(tempFolder(), copy, { elicit });
  await asking.failure("git_push", { branch: "none", force: true });
  await asking.failure("git_push", { remote: "none", force: true });
  await asking.failure("git_remote", { action: "remove", name: "none" });
  expect(asked).toEqual([]);
  await asking.failure("git_push", { force: true });
  expect(asked).toEqual([
    "Replace the branch main of the remote origin, and with it commits that only the remote has? This cannot be undone.",
  ]);
});

test("reports why a remote rejects a push, without passwords", async () => {
  await using with_ = await remote();
  const { at, origin, url, folder } = with_;
  await at.call("git_clone", { url, path: "copy" });
  const hook = `${origin.path}/.git/hooks/pre-receive`;
  mkdirSync(dirname(hook), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho 'branches need a ticket, see https://ada:secret@example.org/rules' >&2\nexit 1\n", { mode: 0o755 });
  new TestRepository(folder.at("all/copy")).commit("more", { "b.txt": "b" });
  expect(await at.failure("git_push", { repo_path: "copy" })).toBe(
    "The remote rejected refs/heads/main: remote rejected (pre-receive hook declined). The remote says: branches need a ticket, see https://example.org/rules",
  );
});
