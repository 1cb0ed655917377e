// The end of a process, whatever its children hold.
import { tempFolder, withMode } from "@oarlock/testing";
import { expect, test } from "vitest";
import { environmentWithoutRepository } from "../../../src/repo/process/environment.ts";
import { spawnGit } from "../../../src/repo/process/git-process.ts";
import { taskkill } from "../../../src/repo/process/process-end.ts";

/** Runs a script of the shell in place of git. */
async function run(script: string, options: { readonly timeoutMs?: number } = {}) {
  await using folder = tempFolder();
  folder.write({ git: withMode(0o755, `#!/bin/sh\n${script}\n`) });
  const git = folder.at("git");
  return await spawnGit(
    { git, env: environmentWithoutRepository(git), cwd: folder.path },
    { args: ["status"], ...options },
    { ownGroup: false },
  );
}

test("answers when git has ended even if a child of git holds the pipes", async () => {
  const started = performance.now();
  const { exitCode, stdout } = await run("sleep 5 & echo out; exit 3");
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 3, stdout: "out\n" });
  expect(performance.now() - started).toBeLessThan(4000);
});

test("answers at the deadline even if a child of git holds the pipes", async () => {
  const started = performance.now();
  await expect(run("sleep 5", { timeoutMs: 50 })).rejects.toThrow("git did not finish within 0.05 seconds and was stopped");
  expect(performance.now() - started).toBeLessThan(4000);
});

test("reads output after the exit while it keeps coming", async () => {
  const { stdout } = await run("(for n in 1 2 3 4 5; do sleep 0.2; echo $n; done) & exit 0");
  expect(stdout.toString()).toBe("1\n2\n3\n4\n5\n");
});

test("ends a process tree on Windows by taskkill from the real system folder", () => {
  const machine = { platform: "win32", env: { SystemRoot: "D:\\Win" } } as const;
  expect(taskkill(12, machine)).toEqual(["D:\\Win\\System32\\taskkill.exe", ["/pid", "12", "/T", "/F"]]);
});
