// What git has started ends with it at the deadline.
import { readFileSync, writeFileSync } from "node:fs";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { newRepositoryEnvironment } from "../../../src/repo/process/environment.ts";
import { runThroughSimpleGit } from "../../../src/repo/process/simple-git-command.ts";

/** Longer than a shell takes to start another program, also on a busy machine. */
const DEADLINE_MS = 5000;

const isRunning = (pid: number): boolean => {
  try {
    // An ended process that nothing has waited for yet still has its number.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

test("ends the whole process group at the deadline", needs("Linux"), async () => {
  await using folder = tempFolder();
  writeFileSync(folder.at("git"), "#!/bin/sh\nsleep 60 & echo $! > child; wait\n", { mode: 0o755 });
  const context = { git: folder.at("git"), env: newRepositoryEnvironment(folder.at("git")), cwd: folder.path };
  await expect(runThroughSimpleGit(context, { args: ["add"], timeoutMs: DEADLINE_MS })).rejects.toThrow(
    "git did not finish within 5 seconds",
  );
  await expect.poll(() => isRunning(Number(readFileSync(folder.at("child"), "utf8")))).toBe(false);
});
