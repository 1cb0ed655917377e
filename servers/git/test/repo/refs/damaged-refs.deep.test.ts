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
  { title: "an empty branch file", damage: (gitDir: string) => writeFileSync(join(gitDir, "refs/heads/main"), "") },
  {
    title: "a branch that leads to itself",
    damage: (gitDir: string) => writeFileSync(join(gitDir, "refs/heads/main"), "ref: refs/heads/main\n"),
  },
  { title: "a HEAD that is cut", damage: (gitDir: string) => writeFileSync(join(gitDir, "HEAD"), "ref: refs/he") },
])("takes the files for new in no tool behind $title", async ({ damage }) => {
  await using at = await damagedWorld(damage);
  at.repository.write({ "a.txt": "b\n" });
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_diff_staged", {}],
    ["git_blame", { path: "a.txt" }],
    ["git_checkout", { branch_name: "new", create: true }],
    ["git_commit", { message: "m", allow_empty: true }],
    ["git_log", {}],
  ] as const)
    expect(await at.failure(tool, args), tool).toMatch(/^Damaged repository: .*\.git\/logs/);
});

test("lists branches and tags beside one whose date git cannot write", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  const [tree, head] = repository.git("rev-parse", "HEAD^{tree}", "HEAD").split("\n");
  const person = "A <a@example.org> -5 +0000";
  const input = `tree ${tree}\nparent ${head}\nauthor ${person}\ncommitter ${person}\n\nodd\n`;
  const odd = repository.raw(["hash-object", "-t", "commit", "-w", "--stdin", "--literally"], { input }).toString().trim();
  repository.git("branch", "odd", odd);
  repository.git("update-ref", "refs/tags/odd", odd);
  for (const [tool, args, list] of [
    ["git_branch", {}, "branches"],
    ["git_tag", { action: "list" }, "tags"],
  ] as const)
    expect(((await at.call(tool, args)).data[list] as { name: string }[]).map(({ name }) => name)).toContain("odd");
});

test("names what is lost where the commit of a branch is missing", async () => {
  await using at = await damagedWorld((gitDir) => writeFileSync(join(gitDir, "refs/heads/main"), `${"1".repeat(40)}\n`));
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_diff_staged", {}],
    ["git_diff", { target: "HEAD" }],
    ["git_show", { revision: "main" }],
    ["git_log", {}],
    ["git_blame", { path: "a.txt" }],
    ["git_commit", { message: "m", allow_empty: true }],
    ["git_create_branch", { branch_name: "x" }],
    ["git_reset", {}],
  ] as const)
    expect(await at.failure(tool, args), tool).toMatch(/^Damaged repository: .* git fsck /);
});

test("names a packed-refs that has been emptied", async () => {
  await using at = await damagedWorld((gitDir) => writeFileSync(join(gitDir, "packed-refs"), ""), true);
  expect(await at.failure("git_log")).toMatch(/^Damaged repository: \.git\/packed-refs is empty/);
  expect(await at.failure("git_status")).toMatch(/^Damaged repository: \.git\/packed-refs is empty/);
});

test.each([
  { title: "a conflict marker", damage: (file: string) => appendFileSync(file, "<<<<<<< HEAD\n") },
  { title: "a last line that is cut", damage: (file: string) => writeFileSync(file, readFileSync(file, "latin1").slice(0, -30)) },
])("gives git's own error for a packed-refs with $title", async ({ damage }) => {
  await using at = await damagedWorld((gitDir) => damage(join(gitDir, "packed-refs")), true);
  for (const tool of [...READS, "git_branch", "git_status"])
    expect(await at.failure(tool), tool).toMatch(/^Damaged repository: \.git\/packed-refs has a line .* git says: .*packed-refs/);
});

test("an unborn branch has no commits, and its log is empty", async () => {
  await using at = await damagedWorld((gitDir) => rmSync(join(gitDir, "refs/heads/main")));
  expect((await at.call("git_log")).text).toContain("No commits");
});

test("takes a name that other names begin with, or a pattern, for an unknown one", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("branch", "release/1.0");
  at.repository.git("update-ref", "refs/remotes/upstream/main", "HEAD");
  for (const [revision, near] of [
    ["release", "release/1.0"],
    ["upstream", "upstream/main"],
    ["mai*", "main"],
  ])
    expect(await at.failure("git_log", { revision })).toMatch(new RegExp(`^Unknown revision ".*": .*${near}`));
});
