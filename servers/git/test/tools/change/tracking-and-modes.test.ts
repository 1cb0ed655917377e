// git_untrack, and the executable bit of git_add.
import { existsSync, statSync } from "node:fs";
import { linkTo } from "@oarlock/testing";
import { expect, test } from "vitest";
import { world } from "../../support/world.ts";

test("git_untrack keeps the files, and names how to keep them out and how to take it back", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "d/b.txt": "b\n", "d/c.txt": "c\n" } });
  const { repository } = at;
  repository.write({ ".gitignore": "d/\n" });
  const reply = await at.call("git_untrack", { paths: ["a.txt", "d"] });
  expect(reply.data).toEqual({ untracked: ["a.txt", "d/b.txt", "d/c.txt"] });
  expect(reply.text).toMatch(/^No longer tracked, kept as files: a\.txt, d\/b\.txt, d\/c\.txt\n/);
  expect(reply.text).toMatch(/No \.gitignore names a\.txt: write a line there with a file tool, or git_add \["\."\] stages it again\.$/);
  expect(reply.text).toContain("Earlier commits keep them (git_log with paths)");
  expect(existsSync(`${repository.path}/d/b.txt`)).toBe(true);
  expect(repository.git("ls-files")).toBe("");
  await at.call("git_reset", { files: ["a.txt"] });
  expect(repository.git("ls-files")).toBe("a.txt");
});

test("git_untrack names no earlier commits of a file that was only staged", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.write({ "b.txt": "b\n" }).git("add", "b.txt");
  expect((await at.call("git_untrack", { paths: ["b.txt"] })).text).not.toContain("Earlier commits");
});

test("git_untrack refuses what would be lost, what is not tracked, and what lies outside", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "*.txt": "star\n" } });
  const { repository } = at;
  repository.write({ "a.txt": "staged\n" }).git("add", "a.txt");
  repository.write({ "a.txt": "later\n" });
  expect(await at.failure("git_untrack", { paths: ["a.txt"] })).toMatch(/^What is staged is neither in the file nor in the last commit/);
  expect(await at.failure("git_untrack", { paths: ["nope"] })).toMatch(/^git knows no such file here/);
  expect(await at.failure("git_untrack", { paths: ["../x"] })).toMatch(/^Access denied/);
  expect(await at.failure("git_untrack", { paths: [] })).toMatch(/^No files were given/);
  await at.call("git_untrack", { paths: ["*.txt"] });
  expect(repository.git("ls-files")).toBe("a.txt");
});

test("git_add sets and clears the executable bit, in the index and on the file", async () => {
  await using at = await world({ tree: { "run.sh": "#!/bin/sh\n", link: linkTo("run.sh"), "d/x": "x\n" } });
  const { repository } = at;
  const isExecutable = (): boolean => (statSync(`${repository.path}/run.sh`).mode & 0o100) !== 0;
  for (const executable of [true, false]) {
    const { text } = await at.call("git_add", { files: ["run.sh"], executable });
    expect(text).toContain(`Executable bit ${executable ? "set" : "cleared"}`);
    expect(repository.git("ls-files", "--stage", "run.sh").slice(0, 6)).toBe(executable ? "100755" : "100644");
    expect(repository.git("diff", "--name-only")).toBe("");
    if (process.platform !== "win32") expect(isExecutable()).toBe(executable);
  }
  for (const name of ["link", "d", "nope"])
    expect(await at.failure("git_add", { files: [name], executable: true })).toMatch(/is not a plain file|git knows no such file/);
});
