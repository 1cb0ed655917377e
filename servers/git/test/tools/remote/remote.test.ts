// The toolset remote, over HTTP to git's own server on the loopback: clone, fetch, pull, push; and what is refused.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
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

test("concurrent fetches and pulls each bring their own branch", async () => {
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

test("a pull names its conflicts", async () => {
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

test("a clone that is cancelled leaves nothing behind", async () => {
  await using with_ = await remote();
  const { at, folder } = with_;
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as { port: number };
  const stop = new AbortController();
  const call = at.client.call("git_clone", { url: `http://127.0.0.1:${port}/x.git`, path: "never" }, { signal: stop.signal });
  const outcome = call.then(
    () => "answered",
    () => "stopped",
  );
  await new Promise((resolve) => silent.once("connection", resolve));
  stop.abort();
  expect(await outcome).toBe("stopped");
  await expect.poll(() => existsSync(folder.at("all/never"))).toBe(false);
  silent.close();
});

test.each([
  "ext::sh -c touch% mark",
  "EXT::sh -c x",
  "fd::3",
  "file:///etc",
  "/etc/repo",
  "../origin",
  "-oProxyCommand=x",
  "ssh://-oProxyCommand=x/y",
  "git://example.org/x",
  "HTTPS://example.org/x",
  "user@-oProxyCommand:x",
  "http://",
])("GIT-27 refuses the address %s", async (url) => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  await at.failure("git_clone", { url, path: "copy" });
  await at.failure("git_remote", { repo_path: "project", action: "add", name: "r", url });
  repository.git("config", "remote.evil.url", url);
  await at.failure("git_fetch", { repo_path: "project", remote: "evil" });
  await at.failure("git_push", { repo_path: "project", remote: "evil" });
  expect(existsSync(folder.at("all/copy"))).toBe(false);
});

test("refuses a configuration that chooses how the network is used, for transfers only", async () => {
  await using with_ = await remote();
  const { at, url, folder } = with_;
  await at.call("git_clone", { url, path: "copy" });
  new TestRepository(folder.at("all/copy")).git("config", "core.sshCommand", "touch mark");
  expect(await at.failure("git_fetch", { repo_path: "copy" })).toContain("chooses how the network is used: core.sshcommand");
  await at.call("git_status", { repo_path: "copy" });
});

test("never shows a password of an address", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  repository.git("remote", "add", "origin", "https://ada:secret@example.invalid/x.git");
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  expect(JSON.stringify(await at.call("git_remote", { repo_path: "project", action: "list" }))).not.toContain("secret");
  expect(await at.failure("git_fetch", { repo_path: "project" })).not.toContain("secret");
});

test("never shows the part of a password after an @", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], allowDiscard: true });
  const address = "https://ada:one@two@example.invalid/x.git";
  const url = "https://example.invalid/x.git";
  const added = await at.call("git_remote", { repo_path: "project", action: "add", name: "origin", url: address });
  expect(added.data).toEqual({ remotes: [{ name: "origin", url }] });
  expect(await at.failure("git_fetch", { repo_path: "project" })).not.toMatch(/one|two@/);
  expect(await at.failure("git_clone", { url: address.replace("https", "ftp"), path: "copy" })).not.toMatch(/one|two@/);
  // A branch may follow an address.
  repository.git("config", "branch.main.remote", address);
  expect(await at.failure("git_fetch", { repo_path: "project" })).toContain(`There is no remote "${url}"`);
  // Git notes pulls with their arguments; what people write stays.
  repository.raw(["commit", "-q", "--allow-empty", "-m", "ftp://grace@example.org"]);
  repository.raw(["reset", "-q", "--soft", "HEAD~1"], { env: { GIT_REFLOG_ACTION: `pull ${address} main` } });
  const log = JSON.stringify(await at.call("git_reflog", { repo_path: "project", max_count: 2 }));
  expect(log).toContain(`pull ${url} main: updating HEAD`);
  expect(log).toContain("commit: ftp://grace@example.org");
  expect(log).not.toMatch(/one|two@/);
  // Settings are refused by name, and a name may hold an address.
  repository.git("config", `url.${address}.insteadOf`, "x:");
  expect(await at.failure("git_fetch", { repo_path: "project", remote: "origin" })).toContain(`network is used: url.${url}.insteadof`);
  repository.git("config", `strange.${address}.setting`, "x");
  expect(await at.failure("git_status", { repo_path: "project" })).toContain(`run something: strange.${url}.setting`);
});

test("a clone signs in by the user's own configuration", async () => {
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

test("creates nothing in or below a bare repository", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  await at.call("git_init", { path: "bare", bare: true });
  expect(await at.failure("git_init", { path: "bare" })).toContain("bare already is a repository");
  expect(await at.failure("git_init", { path: "bare/objects/new" })).toContain("lies inside another repository");
  expect(await at.failure("git_clone", { url: "https://example.invalid/x.git", path: "bare/x" })).toContain("inside another repository");
});

test("asks about a forced push only after remote and branch were found", async () => {
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

test("never shows a token in the query of an address", async () => {
  await using with_ = await remote();
  const { at, folder } = with_;
  await at.call("git_init", { path: "own" });
  const url = "http://127.0.0.1:1/x.git?private_token=secret";
  const replies = [
    await at.failure("git_clone", { url }),
    await at.failure("git_clone", { url: url.replace("http:", "ftp:") }),
    JSON.stringify(await at.call("git_remote", { repo_path: "own", action: "add", name: "other", url })),
    await at.failure("git_fetch", { repo_path: "own", remote: "other" }),
  ];
  for (const text of replies) expect(text).toContain("://127.0.0.1:1/x.git?…");
  expect(replies.join("\n")).not.toContain("secret");
  mkdirSync(folder.at("all/x/y"), { recursive: true });
  expect(await at.failure("git_clone", { url })).toContain("x already exists");
});

test("a failed clone removes only the folders that it created", async () => {
  await using with_ = await remote();
  const { at, folder } = with_;
  mkdirSync(folder.at("all/there"));
  expect(await at.failure("git_clone", { url: "http://127.0.0.1:1/x.git", path: "there/new/deep" })).toContain("git clone failed");
  expect(await at.failure("git_clone", { url: "http://127.0.0.1:1/x.git", path: "other/deep/er" })).toContain("git clone failed");
  expect(readdirSync(folder.at("all"), { recursive: true })).toEqual(["there"]);
});

test("a clone in progress at shutdown leaves nothing behind", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("project"), { a: "a" });
  const at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")], transport: "memory" });
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as { port: number };
  const call = at.client.call("git_clone", { url: `http://127.0.0.1:${port}/x.git`, path: "new/deep" }).catch(() => "stopped");
  await once(silent, "connection");
  expect(existsSync(folder.at("all/new/deep"))).toBe(true);
  await at.wired[Symbol.asyncDispose]();
  expect(readdirSync(folder.at("all"))).toEqual([]);
  expect(await call).toBe("stopped");
  silent.close();
});
