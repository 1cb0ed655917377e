// A damaged ref is never taken for a branch without commits.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

const READS = ["git_log", "git_reflog"] as const;

async function damagedWorld(damage: (gitDir: string) => void, pack = false): Promise<World> {
  const at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("branch", "other");
  if (pack) at.repository.git("pack-refs", "--all");
  damage(join(at.repository.path, ".git"));
  return at;
}

test.each([
  { title: "empty", content: "" },
  { title: "cut", content: "1234abcd" },
  { title: "full of NUL", content: "\0".repeat(41) },
])("names a branch file that is $title, and where its commit stands", async ({ content }) => {
  await using at = await damagedWorld((gitDir) => writeFileSync(join(gitDir, "refs/heads/main"), content));
  const text = await at.failure("git_log");
  expect(text).toMatch(/refs\/heads\/main/);
  expect(text).not.toContain("No commits");
  expect(await at.failure("git_reflog")).toMatch(/refs\/heads\/main/);
  expect((await at.call("git_branch")).text).toMatch(/damaged: refs\/heads\/main|refs\/heads\/main/);
});

test.each([
  { title: "a conflict marker", damage: (file: string) => appendFileSync(file, "<<<<<<< HEAD\n") },
  { title: "a last line that is cut", damage: (file: string) => writeFileSync(file, readFileSync(file, "latin1").slice(0, -30)) },
])("gives git's own error for a packed-refs with $title", async ({ damage }) => {
  await using at = await damagedWorld((gitDir) => damage(join(gitDir, "packed-refs")), true);
  for (const tool of READS) expect(await at.failure(tool)).toContain("packed-refs");
  expect(await at.failure("git_branch")).toContain("packed-refs");
});

test("an unborn branch has no commits, and its log is empty", async () => {
  await using at = await damagedWorld((gitDir) => rmSync(join(gitDir, "refs/heads/main")));
  expect((await at.call("git_log")).text).toContain("No commits");
});
