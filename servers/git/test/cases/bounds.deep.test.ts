// V5 and V7: files that are pipes, a git that never ends, and a lock of another git.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Json } from "@oarlock/server-kit/protocol";
import { needs, startRaw, tempFolder, withMode } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { bin } from "../support/target.ts";
import { startStress } from "./stress.ts";

const fifo = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
};

const PIPES = [
  ".git/HEAD",
  ".git/config",
  ".git/config.worktree",
  ".git/index",
  ".git/refs/heads/main",
  ".git/packed-refs",
  ".git/commondir",
  ".git/objects/info/alternates",
  ".git/info/exclude",
  ".git/info/attributes",
  ".git/MERGE_HEAD",
  ".git/shallow",
  ".gitattributes",
  ".gitignore",
  ".gitmodules",
  "f.txt",
  ".git",
];

/** Longer than git takes on a machine that is very busy, and shorter than a test may take. */
const TIMEOUT_MS = 20_000;

test("V5 delays no call over a pipe in place of a repository file", needs("named pipes"), async () => {
  await using stress = await startStress(
    (own) => {
      for (const [n, name] of PIPES.entries()) {
        own.repository(`r${n}`);
        if (name === ".git/config.worktree") writeFileSync(own.at(`r${n}/.git/config`), "[extensions]\n\tworktreeConfig = true\n");
        fifo(own.at(`r${n}`, name));
      }
    },
    { args: [`--timeout=${TIMEOUT_MS}`] },
  );
  const each = async (n: number): Promise<void> => {
    for (const [tool, args] of Object.entries({ git_status: {}, git_blame: { path: "f.txt" }, git_add: { files: ["."] } }))
      await stress.reply(tool, { repo_path: `r${n}`, ...args });
    await stress.request("resources/read", { uri: `git:///r${n}/status` });
  };
  for (let from = 0; from < PIPES.length; from += 9) {
    const some = PIPES.slice(from, from + 9).map((_, n) => each(from + n));
    await stress.checkHealth();
    await Promise.all(some);
  }
  await stress.checkRules();
});

/** A git that never ends staging, with children of its own that would stay. */
const sleepy = (number: number): string => `#!/bin/sh
[ "$1" = add ] || exec git "$@"
trap '' TERM
sleep ${number} &
sleep ${number}
`;

const asleep = (number: number): number =>
  execFileSync("ps", ["-eo", "args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line === `sleep ${number}`).length;

const callAdd = (id: number): Json => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "git_add", arguments: { files: ["f"] } },
});

/** More than git needs until it sleeps, except on a machine that is very busy: then the test proves less, and does not fail. */
const SLEEPING_MS = 4000;
const HANG_MS = 60_000;

test("V5 ends a hanging git with its children at the deadline", needs("shell scripts"), async () => {
  const number = 100_000 + (process.pid % 100_000);
  await using folder = tempFolder({ "sleepy-git": withMode(0o755, sleepy(number)) });
  const repo = makeRepository(folder.at("r"), { f: "one" });
  await using server = startRaw(bin(["--repository", repo.path, `--git=${folder.at("sleepy-git")}`, `--timeout=${SLEEPING_MS}`]));
  await server.handshake();
  expect(await server.request(callAdd(1), HANG_MS)).toMatchObject({ id: 1 });
  await expect.poll(() => asleep(number), { timeout: HANG_MS }).toBe(0);
});

test("V5 ends a hanging git with its children on cancellation and at the end of input", needs("shell scripts"), async () => {
  const number = 200_000 + (process.pid % 100_000);
  await using folder = tempFolder({ "sleepy-git": withMode(0o755, sleepy(number)) });
  const repo = makeRepository(folder.at("r"), { f: "one" });
  await using server = startRaw(bin(["--repository", repo.path, `--git=${folder.at("sleepy-git")}`, `--timeout=${10 * HANG_MS}`]));
  await server.handshake();
  void server.send(callAdd(2));
  await expect.poll(() => asleep(number), { timeout: HANG_MS }).toBe(2);
  await server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
  await expect.poll(() => asleep(number), { timeout: HANG_MS }).toBe(0);
  void server.send(callAdd(3));
  await expect.poll(() => asleep(number), { timeout: HANG_MS }).toBe(2);
  server.end();
  await server.exit(HANG_MS);
  await expect.poll(() => asleep(number), { timeout: HANG_MS }).toBe(0);
});

test("V7 leaves a foreign lock and names it in time", async () => {
  await using stress = await startStress((own) => void own.repository("r"));
  const lock = stress.at("r/.git/index.lock");
  writeFileSync(lock, "");
  writeFileSync(stress.at("r/f.txt"), "changed\n");
  for (const [name, args] of [
    ["git_add", { files: ["f.txt"] }],
    ["git_commit", { message: "m", allow_empty: true }],
    ["git_reset", {}],
    ["git_checkout", { branch_name: "new", create: true }],
    ["git_stash", { action: "push" }],
    ["git_restore", { files: ["f.txt"] }],
  ] as const)
    expect(await stress.reply(name, { repo_path: "r", ...args }), name).toMatchObject({
      failed: true,
      text: expect.stringMatching(/index\.lock/),
    });
  for (const name of ["git_status", "git_diff_unstaged", "git_log"])
    expect(await stress.reply(name, { repo_path: "r" }), name).toMatchObject({ failed: false });
  expect(execFileSync("cat", [lock], { encoding: "utf8" })).toBe("");
  expect(execFileSync("cat", [join(stress.at("r"), "f.txt")], { encoding: "utf8" })).toBe("changed\n");
  rmSync(lock);
  await stress.checkRules();
});
