// Calls that come side by side: those that take git's locks go one after another, and who gives up does not wait for the others.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { soon } from "./support/soon.ts";
import { world, type World } from "./support/world.ts";

test("none fails over the lock of another", async () => {
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

/** Commits, and gives what lets the commit, which is under way by then and holds a lock, go on to its end. */
async function slowCommit(at: World, args: Json): Promise<() => Promise<void>> {
  const git = `${at.repository.path}/.git`;
  mkdirSync(`${git}/hooks`, { recursive: true });
  writeFileSync(
    `${git}/hooks/pre-commit`,
    `#!/bin/sh\ncd '${git}'\ntouch index.lock begun\nuntil [ -e go ]; do sleep 0.05; done\nrm index.lock\n`,
    { mode: 0o755 },
  );
  const committed = at.call("git_commit", { message: "slow", ...args });
  await soon(
    () => existsSync(`${git}/begun`),
    (seen) => seen,
  );
  return async () => {
    writeFileSync(`${git}/go`, "");
    await committed;
  };
}

test("a call that is cancelled while it waits ends at once, and those behind it keep their turn", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, runHooks: true });
  const { repository, client } = at;
  repository.write({ "b.txt": "b\n", "c.txt": "c\n" });
  const goOn = await slowCommit(at, { allow_empty: true });
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

test("what may not begin beside a lock waits for the lock of a call beside it", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" }, runHooks: true });
  at.repository.git("branch", "side");
  const goOn = await slowCommit(at, { allow_empty: true });
  const merged = at.call("git_merge", { revision: "side" });
  const rebased = at.call("git_rebase", { upstream: "side" });
  await at.call("git_status"); // which waits for nobody: the two wait by now
  await Promise.all([goOn(), merged, rebased]);
});
