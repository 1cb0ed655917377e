// Changing commands through simple-git: its check of arguments, and what its plugin store must do for us. When an update of simple-git
// breaks one of these tests, it cannot be taken.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { linkTo, needs, tempFolder, type TempFolder, waitUntil } from "@oarlock/testing";
import { expect, test } from "vitest";
import { newRepositoryEnvironment, repositoryEnvironment } from "../../../src/repo/process/environment.ts";
import type { GitCommand, GitContext } from "../../../src/repo/process/git-process.ts";
import { runThroughSimpleGit } from "../../../src/repo/process/simple-git-command.ts";
import { unfinishedFolder } from "../../../src/repo/remote/unfinished-folder.ts";
import { makeRepository } from "../../support/repository.ts";

/** A program in place of git. */
function contextWith(folder: TempFolder, script: string): GitContext {
  writeFileSync(folder.at("git"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { git: folder.at("git"), env: newRepositoryEnvironment(folder.at("git")), cwd: folder.path };
}

const run = (context: GitContext, command: GitCommand) => runThroughSimpleGit(context, command);

test("passes exact arguments, bytes included, with the built environment and nothing else", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const context = contextWith(folder, `printf '%s\\n' "$@" > args; env > env`);
  const args = ["commit", "", "--file=-", "a b", "--", "$(touch x)", Buffer.from([0x66, 0xe9])];
  expect(await run(context, { args })).toMatchObject({ exitCode: 0 });
  expect(readFileSync(folder.at("args"))).toEqual(Buffer.from("commit\n\n--file=-\na b\n--\n$(touch x)\nf\xe9\n", "latin1"));
  const names = readFileSync(folder.at("env"), "utf8").match(/^\w+(?==)/gm) ?? [];
  const own = new Set([...Object.keys(context.env), "PWD", "OLDPWD", "SHLVL", "_"]);
  expect(names.filter((name) => !own.has(name))).toEqual([]);
});

test("returns exit code, input and both outputs of git", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const context = contextWith(folder, "cat; echo problem >&2; exit 3");
  const { exitCode, stdout, stderr } = await run(context, { args: ["commit"], input: "text" });
  expect({ exitCode, stdout: stdout.toString(), stderr }).toEqual({ exitCode: 3, stdout: "text", stderr: "problem\n" });
});

test("cuts output at the limit and stops the process", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const result = await run(contextWith(folder, "exec yes"), { args: ["add"], maxBytes: 1000 });
  expect(result.isTruncated).toBe(true);
  // `yes` is killed, or exits with 1 where it notices first that its output is closed.
  expect([undefined, 1]).toContain(result.exitCode);
  expect(result.stdout).toHaveLength(1000);
});

test("ends the whole process group when the request is cancelled", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const context = contextWith(folder, "sleep 60 & echo $! > child; echo $$ > self; ps -o pgid= -p $$ > group; touch begun; wait");
  const request = new AbortController();
  const outcome = run(context, { args: ["add"], signal: request.signal }).catch((error: unknown) => String(error));
  await waitUntil(
    () => existsSync(folder.at("begun")),
    (exists) => exists,
  );
  request.abort(new Error("cancelled"));
  expect(await outcome).toContain("cancelled");
  const numberIn = (name: string): number => Number(readFileSync(folder.at(name), "utf8"));
  expect(numberIn("group")).toBe(numberIn("self"));
  await waitUntil(
    () => isRunning(numberIn("child")),
    (running) => !running,
  );
  await expect(run(context, { args: ["add"], signal: request.signal })).rejects.toThrow("cancelled");
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // An ended process that nothing has waited for yet still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("ends a process at its deadline", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  // The shell is replaced, so that the process which is stopped is the one that sleeps.
  await expect(run(contextWith(folder, "exec sleep 60"), { args: ["add"], timeoutMs: 50 })).rejects.toThrow(
    "git did not finish within 0.05 seconds",
  );
});

test("removes the new folder of a git that had to be killed", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const context = contextWith(folder, "trap '' TERM; mkdir -p new/objects; touch new/objects/part begun; sleep 60");
  for (const onKilled of [undefined, unfinishedFolder(folder.at("new"))]) {
    rmSync(folder.at("begun"), { force: true });
    const request = new AbortController();
    const outcome = run(context, { args: ["clone"], signal: request.signal, onKilled }).catch((error: unknown) => String(error));
    await waitUntil(() => existsSync(folder.at("begun")), Boolean);
    request.abort(new Error("cancelled"));
    expect(await outcome).toContain("cancelled");
    expect(existsSync(folder.at("new"))).toBe(onKilled === undefined);
  }
});

test("removes nothing through a link that has come into the path of a new folder", async () => {
  await using folder = tempFolder({ parent: {}, elsewhere: {} });
  const [behindLink, plain] = [unfinishedFolder(folder.at("parent/new")), unfinishedFolder(folder.at("elsewhere/new"))];
  rmSync(folder.at("parent"), { recursive: true });
  folder.write({ "elsewhere/new/file": "kept", parent: linkTo("elsewhere") });
  await behindLink?.();
  expect(existsSync(folder.at("elsewhere/new/file"))).toBe(true);
  await plain?.();
  expect(existsSync(folder.at("elsewhere/new"))).toBe(false);
  expect(unfinishedFolder(folder.at("elsewhere"))).toBeUndefined();
});

test("keeps the new folder of a git that ended by itself", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const context = contextWith(folder, "mkdir new; exit 128");
  expect(await run(context, { args: ["clone"], onKilled: unfinishedFolder(folder.at("new")) })).toMatchObject({ exitCode: 128 });
  expect(existsSync(folder.at("new"))).toBe(true);
});

test("reports a missing git program", async () => {
  await using folder = tempFolder();
  const context = { git: folder.at("none"), env: newRepositoryEnvironment(folder.at("none")), cwd: folder.path };
  await expect(run(context, { args: ["add"] })).rejects.toThrow("git was not found");
});

test.each([
  ["clone", "--upload-pack=touch x", "--", "https://example.org/x"],
  ["clone", "-u", "touch x", "--", "https://example.org/x"],
  ["push", "--receive-pack=x", "--", "origin"],
  ["push", "--exec=x", "--", "origin"],
  ["fetch", "--upload-pack=x", "--", "origin"],
  ["rebase", "--exec", "touch x", "main"],
  ["rebase", "-x", "touch x", "main"],
  ["init", "--template=/x"],
  ["clone", "--config=core.hooksPath=x", "--", "https://example.org/x"],
  ["-c", "core.sshCommand=x", "fetch"],
  ["-c", "filter.x.clean=x", "add", "."],
  ["--git-dir=/x", "add", "."],
])("refuses git %s %s before anything starts", async (...args) => {
  await using folder = tempFolder();
  const context = contextWith(folder, "touch started");
  await expect(run(context, { args })).rejects.toThrow(/^Refused: (?:Use of|Configuring) .* is not permitted/);
  expect(() => readFileSync(folder.at("started"))).toThrow("ENOENT");
});

test("runs real commands side by side, and takes a value after -- as a path", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a" });
  const folders = { gitDir: `${repository.path}/.git`, workTree: repository.path };
  const context = { git: "/usr/bin/git", env: repositoryEnvironment("/usr/bin/git", folders), cwd: repository.path };
  const results = await Promise.all(Array.from({ length: 12 }, (_, at) => run(context, { args: ["branch", "--", `b${at}`] })));
  expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
  expect(repository.git("branch", "--list", "b*").split("\n")).toHaveLength(12);
  repository.write({ "--exec": "x" });
  expect(await run(context, { args: ["add", "--", "--exec"] })).toMatchObject({ exitCode: 0 });
});
