// Changing commands wait for the locks that they take, and are checked once more right before they start.
import { writeFileSync } from "node:fs";
import { needs, tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { runChange } from "../../../src/repo/process/change-command.ts";
import { withLocks } from "../../../src/repo/process/command-queue.ts";
import { newRepositoryEnvironment } from "../../../src/repo/process/environment.ts";
import type { GitContext } from "../../../src/repo/process/git-process.ts";

/** A program in place of git, which prints its command. */
function contextIn(folder: TempFolder): GitContext {
  writeFileSync(folder.at("git"), '#!/bin/sh\necho "$1"\n', { mode: 0o755 });
  return { git: folder.at("git"), env: newRepositoryEnvironment(folder.at("git")), cwd: folder.path };
}

test.each([
  ["add", ["index"]],
  ["merge", ["index"]],
  ["tag", ["index"]],
  ["fetch", ["fetch"]],
  ["pull", ["fetch", "index"]],
] as const)("checks %s once the locks %j are free, before it starts", needs("shell scripts"), async (command, locks) => {
  await using folder = tempFolder();
  const events: string[] = [];
  for (const lock of locks) {
    const release = Promise.withResolvers<void>();
    const holding = withLocks(folder.path, [lock], () => release.promise, undefined);
    const beforeStart = (): void => void events.push("checked");
    const running = runChange(contextIn(folder), { args: [command], beforeStart }, folder.path).then((result) => {
      events.push("done");
      return result;
    });
    // Earlier work with the same locks goes first.
    await new Promise((resolve) => setImmediate(resolve));
    events.push("released");
    release.resolve();
    await holding;
    expect((await running).stdout.toString()).toBe(`${command}\n`);
  }
  expect(events).toEqual(locks.flatMap(() => ["released", "checked", "done"]));
});

test("runs no command that is refused right before its start, and frees its locks", async () => {
  await using folder = tempFolder();
  const context = contextIn(folder);
  const beforeStart = (): void => {
    throw new Error("another git is at work");
  };
  await expect(runChange(context, { args: ["merge"], beforeStart }, folder.path)).rejects.toThrow("another git is at work");
  expect((await runChange(context, { args: ["merge"] }, folder.path)).exitCode).toBe(0);
});

test("reports an unknown command as a bug of the server", async () => {
  await using folder = tempFolder();
  await expect(runChange(contextIn(folder), { args: ["gc"] }, folder.path)).rejects.toThrow("git gc is not a known changing command.");
});
