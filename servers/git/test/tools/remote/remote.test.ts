// The toolset remote: what is refused, what is never shown, and what a transfer that does not succeed leaves behind.
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { tempFolder, waitUntil } from "@oarlock/testing";
import type { Json } from "@oarlock/server-kit/protocol";
import { describe, expect, test } from "vitest";
import { makeRepository } from "../../support/repository.ts";
import { worldOf, type World } from "../../support/world.ts";

test.each([
  "ext::sh -c touch% mark",
  "EXT::sh -c x",
  "fd::3",
  "::x",
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

test("lists a remote without an address as git does, and takes its name for none", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  repository.git("config", "remote.zero.url", "https://example.invalid/z.git");
  repository.git("config", "remote.bare.fetch", "+refs/heads/*:refs/remotes/bare/*");
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  const { text, data } = await at.call("git_remote", { repo_path: "project", action: "list" });
  expect(text).toBe("bare (no address)\nzero https://example.invalid/z.git");
  expect((data["remotes"] as { name: string }[]).map(({ name }) => name)).toEqual(repository.git("remote").split("\n"));
  expect(await at.failure("git_fetch", { repo_path: "project", remote: "bare" })).toBe(
    'Remote "bare" has no address: set remote.bare.url.',
  );
});

test("hides the password of an address", async () => {
  await using folder = tempFolder({ all: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  repository.git("remote", "add", "origin", "https://ada:secret@example.invalid/x.git");
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  expect(JSON.stringify(await at.call("git_remote", { repo_path: "project", action: "list" }))).not.toContain("secret");
  expect(await at.failure("git_fetch", { repo_path: "project" })).not.toContain("secret");
});

test("hides the part of a password after an @", async () => {
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
  repository.git("config", `includeIf.${address}.path`, ".");
  expect(await at.failure("git_status", { repo_path: "project" })).toContain(`run something: includeif.${url}.path`);
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

test("leaves nothing behind when the server shuts down during a clone", async () => {
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

test("leaves nothing behind when a clone is cancelled", async () => {
  await using folder = tempFolder({ all: {} });
  await using at = await worldOf(folder, makeRepository(folder.at("project"), { a: "a" }), { repositoriesRoots: [folder.at("all")] });
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
  await waitUntil(
    () => existsSync(folder.at("all/never")),
    (exists) => !exists,
  );
  silent.close();
});

test("hides a token in the query of an address", async () => {
  await using folder = tempFolder({ all: {} });
  await using at = await worldOf(folder, makeRepository(folder.at("project"), { a: "a" }), { repositoriesRoots: [folder.at("all")] });
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

test("removes only the folders that a failed clone created", async () => {
  await using folder = tempFolder({ all: {} });
  await using at = await worldOf(folder, makeRepository(folder.at("project"), { a: "a" }), { repositoriesRoots: [folder.at("all")] });
  mkdirSync(folder.at("all/there"));
  expect(await at.failure("git_clone", { url: "http://127.0.0.1:1/x.git", path: "there/new/deep" })).toContain("git clone failed");
  expect(await at.failure("git_clone", { url: "http://127.0.0.1:1/x.git", path: "other/deep/er" })).toContain("git clone failed");
  expect(readdirSync(folder.at("all"), { recursive: true })).toEqual(["there"]);
});

describe("git_pull refuses before the transfer", () => {
  const REASONS: readonly (readonly [what: string, args: Json, prepare: (at: World) => void, refusal: string])[] = [
    ["a merge driver", { how: "merge" }, ({ repository }) => void repository.git("config", "merge.x.driver", ":"), "merge.x.driver"],
    [
      "an unknown setting",
      {},
      ({ repository }) => void repository.git("config", "rebase.unheardOf", "x"),
      "not known to be harmless when something is changed: rebase.unheardof",
    ],
    ["a conflict outside a merge", {}, conflict, "Files are in conflict: resolve those that git_status lists"],
    [
      "a merge in progress",
      {},
      ({ repository }) => void repository.loosely("merge", "--quiet", "other"),
      "A merge is in progress: git_merge with step continue finishes it",
    ],
    [
      "changes that a rebase would stop at",
      { how: "rebase" },
      ({ repository }) => void repository.write({ "f.txt": "changed\n" }),
      "A rebase needs a work tree without changes: commit them, or put them aside with git_stash, then pull again.",
    ],
  ];

  function conflict({ repository }: World): void {
    repository.write({ "f.txt": "put aside\n" }).git("stash");
    repository.commit("more", { "f.txt": "more\n" });
    repository.loosely("stash", "pop");
  }

  test.each(REASONS)("for %s", async (_what, args, prepare, refusal) => {
    await using folder = tempFolder({});
    let requests = 0;
    const server = createServer((socket) => (requests++, socket.destroy())).listen(0, "127.0.0.1");
    await once(server, "listening");
    const repository = makeRepository(folder.at("project"), { "f.txt": "f\n" });
    repository.git("checkout", "--quiet", "-b", "other");
    repository.commit("theirs", { "f.txt": "theirs\n" });
    repository.git("checkout", "--quiet", "main");
    repository.commit("ours", { "f.txt": "ours\n" });
    const { port } = server.address() as AddressInfo;
    repository.git("remote", "add", "origin", `http://127.0.0.1:${port}/x.git`);
    await using at = await worldOf(folder, repository, { protocols: ["http"] });
    prepare(at);
    expect(await at.failure("git_pull", args)).toContain(refusal);
    expect(requests).toBe(0);
    server.close();
  });
});
