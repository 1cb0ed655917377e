// Calls that come side by side: those that take git's locks go one after another, and who gives up does not wait for the others.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

test("runs concurrent changes without failures over each other's locks", async () => {
  const names = Array.from({ length: 8 }, (_, at) => `n${at}.txt`);
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.write(Object.fromEntries(names.map((name) => [name, `${name}\n`])));
  await Promise.all([
    ...names.map((name) => at.call("git_add", { files: [name] })),
    ...names.map((name) => at.call("git_create_branch", { branch_name: `b/${name}` })),
    ...names.map((name) => at.call("git_remote", { action: "add", name, url: `https://example.invalid/${name}` })),
  ]);
  expect(at.repository.git("diff", "--cached", "--name-only").split("\n")).toEqual(names);
  expect(at.repository.git("branch", "--list", "b/*").split("\n")).toHaveLength(names.length);
  expect(at.repository.git("remote").split("\n")).toEqual(names);
});

test("removes a cancelled call from the queue at once, and keeps the order of later calls", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, runHooks: true });
  const { repository, client } = at;
  repository.write({ "b.txt": "b\n", "c.txt": "c\n" });
  const goOn = await slowCommit(at, "pre-commit");
  const stop = new AbortController();
  const given = client.call("git_add", { files: ["b.txt"] }, { signal: stop.signal }).then(
    () => "answered",
    () => "stopped",
  );
  const kept = at.call("git_add", { files: ["c.txt"] });
  stop.abort();
  expect(await given).toBe("stopped");
  await Promise.all([goOn(), kept]);
  expect(repository.git("diff", "--cached", "--name-only")).toBe("c.txt");
});

test("makes a merge wait for the lock of an earlier commit", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, runHooks: true });
  const { repository } = at;
  repository.git("branch", "other");
  const goOn = await slowCommit(at, "reference-transaction");
  expect(existsSync(`${repository.path}/.git/HEAD.lock`)).toBe(true);
  const merged = at.call("git_merge", { revision: "other" });
  await at.call("git_status");
  await goOn();
  expect((await merged).data).toMatchObject({ state: "done" });
});

test("runs a read-only call during a slow commit", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, runHooks: true });
  at.repository.write({ "a.txt": "b\n", "new.txt": "n\n" });
  at.repository.git("stash", "--include-untracked");
  const goOn = await slowCommit(at, "pre-commit");
  expect((await at.call("git_stash", { action: "list" })).data).toMatchObject({ stashes: [{ index: 0 }] });
  expect((await at.call("git_stash", { action: "show" })).text).toContain("new.txt");
  expect((await at.call("git_worktree", { action: "list" })).data).toMatchObject({ worktrees: [{}] });
  await goOn();
});

/** A commit that stays in the middle, with its locks, until the returned function is called. */
async function slowCommit(at: World, hook: "pre-commit" | "reference-transaction"): Promise<() => Promise<unknown>> {
  const git = `${at.repository.path}/.git`;
  const [begun, go] = [`${git}/begun`, `${git}/go`];
  const guard = hook === "pre-commit" ? "" : '[ "$1" = prepared ] || exit 0\n';
  mkdirSync(`${git}/hooks`, { recursive: true });
  writeFileSync(`${git}/hooks/${hook}`, `#!/bin/sh\n${guard}touch '${begun}'\nuntil [ -e '${go}' ]; do sleep 0.05; done\n`, {
    mode: 0o755,
  });
  const committed = at.call("git_commit", { message: "slow", allow_empty: true });
  await waitUntil(
    () => existsSync(begun),
    (seen) => seen,
  );
  return () => {
    writeFileSync(go, "");
    return committed;
  };
}
