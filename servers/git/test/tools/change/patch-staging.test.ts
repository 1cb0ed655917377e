// Staging parts of files by a patch.
import { chmodSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { linkTo } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);
const edited = LINES.map((line, index) => (index === 1 || index === 27 ? line.toUpperCase() : line)).join("");

async function withTwoHunks(): Promise<World> {
  const at = await world({ tree: { "a.txt": LINES.join(""), "b.txt": "b\n" } });
  at.repository.write({ "a.txt": edited });
  return at;
}

/** The diff as the tool shows it, without the hunks from the second on. */
async function firstHunk(at: World): Promise<string> {
  const { text } = await at.call("git_diff_unstaged");
  const [title = "", ...hunks] = text.split(/^(?=@@ )/m);
  return title + (hunks[0] ?? "");
}

test("git_add with patch stages one hunk of git_diff_unstaged and leaves the file as it is", async () => {
  await using at = await withTwoHunks();
  const { text, data } = await at.call("git_add", { files: [], patch: await firstHunk(at) });
  expect({ text, data }).toEqual({
    text: "Files staged successfully\nStaged: a.txt\nOther changes are left in: a.txt",
    data: { staged: ["a.txt"], ignored: [] },
  });
  expect(at.repository.git("show", ":a.txt")).toBe(LINES.join("").replace("line 2\n", "LINE 2\n").trimEnd());
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe(edited);
});

test("git_add with patch takes a hunk whose lines were left out, and a new file", async () => {
  await using at = await withTwoHunks();
  at.repository.write({ "n.txt": "n\n" });
  const shortened = (await firstHunk(at)).replace(/^ line 4\n line 5\n/m, "");
  await at.call("git_add", {
    patch: `${shortened}diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n\n`,
  });
  expect(at.repository.git("diff", "--cached", "--name-only")).toBe("a.txt\nn.txt");
});

test.each([
  ["changed lines", ["line 2\n", "line 28\n"], (line: string) => line.toUpperCase()],
  ["new lines", ["line 2\n", "line 28\n"], (line: string) => `${line}new\nmore\n`],
  ["removed lines", ["line 1\n", "line 30\n"], () => ""],
])("git_add with patch stages one hunk of %s without context", async (_what, lines, edit) => {
  const text = (...changed: string[]): string => LINES.map((line) => (changed.includes(line) ? edit(line) : line)).join("");
  for (const line of lines) {
    await using at = await world({ tree: { "a.txt": LINES.join("") } });
    at.repository.write({ "a.txt": text(...lines) });
    const { text: diff } = await at.call("git_diff_unstaged", { context_lines: 0 });
    const [title = "", ...hunks] = diff.split(/^(?=@@ )/m);
    await at.call("git_add", { patch: `${title}${hunks[lines.indexOf(line)] ?? ""}` });
    expect(at.repository.raw(["show", ":a.txt"]).toString()).toBe(text(line));
  }
});

test("git_add with patch and dry_run stages nothing", async () => {
  await using at = await withTwoHunks();
  expect((await at.call("git_add", { patch: await firstHunk(at), dry_run: true })).data["staged"]).toEqual(["a.txt"]);
  expect(at.repository.git("diff", "--cached", "--name-only")).toBe("");
});

test("git_add refuses a patch that does not apply, and stages no part of it", async () => {
  await using at = await withTwoHunks();
  const patch = await firstHunk(at);
  const other = "diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-other\n+B\n";
  expect(await at.failure("git_add", { patch: `${patch}${other}` })).toContain(
    "The patch does not apply to what is staged: nothing was changed.",
  );
  expect(at.repository.git("diff", "--cached", "--name-only")).toBe("");
  expect(await at.failure("git_add", { patch: "LINE 2" })).toContain("patch is not a patch");
  expect(await at.failure("git_add", { patch, files: ["a.txt"] })).toContain("patch goes without files");
  expect(await at.failure("git_add")).toContain("No files were given");
});

test.each(["../out.txt", ".git/config", "/etc/x"])("git_add refuses a patch for %s", async (path) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const patch = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
  await at.failure("git_add", { patch });
  expect(at.repository.git("status", "--porcelain")).toBe("");
});

const newFile = (path: string, line: string, mode = "100644"): string =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
const withoutBreak = "\\ No newline at end of file\n";
const ID = "1234567890123456789012345678901234567890";
const edit = (removed: string, added: string): string =>
  `--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-${removed}\n+${added}\n three\n`;

describe("git_add refuses a patch that the work tree does not hold", () => {
  test.each<[what: string, patch: string, reason: string]>([
    ["a new file", newFile("n.txt", "n"), "adds a file that is not in the work tree: n.txt. Nothing was staged. Write it"],
    [".gitmodules", newFile(".gitmodules", "[submodule]"), "adds a file that is not in the work tree"],
    ["a line", edit("two", "else"), "holds a line that the work tree does not"],
    ["a line of a new file", newFile("new.txt", "other"), "holds a line that the work tree does not"],
    ["an executable", newFile("new.txt", "new", "100755"), "the mode 100755"],
    ["a mode", "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n", "the mode 100755"],
    ["a link", newFile("new.txt", "new", "120000") + withoutBreak, "the mode 120000"],
    [
      "where a link leads",
      "--- a/link\n+++ b/link\n@@ -1 +1 @@\n-a.txt\n\\ No newline at end of file\n+/etc/passwd\n" + withoutBreak,
      "link",
    ],
    ["a submodule", newFile("sub", `Subproject commit ${ID}`, "160000"), "a submodule that is not checked out"],
    [
      "a deletion",
      "diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n",
      "in the work tree",
    ],
    ["a rename", "diff --git a/b.txt b/c.txt\nsimilarity index 100%\nrename from b.txt\nrename to c.txt\n", "in the work tree"],
  ])("refuses %s", async (_what, patch, reason) => {
    await using at = await world({ tree: { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", link: linkTo("a.txt") } });
    at.repository.write({ "a.txt": "one\nTWO\nthree\n", "new.txt": "new\n" });
    mkdirSync(`${at.repository.path}/sub`);
    for (const dryRun of [true, false]) expect(await at.failure("git_add", { patch, dry_run: dryRun })).toContain(reason);
    expect(at.repository.git("diff", "--cached", "--name-only")).toBe("");
  });

  test("refuses an executable where git ignores modes", async () => {
    await using at = await world({ tree: { "a.txt": "a\n" } });
    at.repository.write({ "new.txt": "new\n" }).git("config", "core.fileMode", "false");
    expect(await at.failure("git_add", { patch: newFile("new.txt", "new", "100755") })).toContain("the mode 100755");
    await at.call("git_add", { patch: newFile("new.txt", "new") });
    expect(at.repository.git("diff", "--cached", "--name-only")).toBe("new.txt");
  });
});

test.each([false, true])("git_add refuses a patch that creates a file in conflict (dry_run %s)", async (dryRun) => {
  await using at = await world({ tree: { "a.txt": "one\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "topic");
  repository.commit("two", { "a.txt": "two\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("three", { "a.txt": "three\n" });
  repository.loosely("merge", "--quiet", "topic");
  const staged = repository.git("ls-files", "--stage");
  repository.write({ "a.txt": "n\n" });
  expect(await at.failure("git_add", { patch: newFile("a.txt", "n"), dry_run: dryRun })).toBe(
    "Refused: the patch creates a file that is in conflict: a.txt. Nothing was staged. Resolve the conflict in the file, then name it in files.",
  );
  expect(repository.git("ls-files", "--stage")).toBe(staged);
});

test("git_add with patch stages modes, links and deletions that the work tree holds", async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "b.txt": "b\n", link: linkTo("a.txt") } });
  const { repository } = at;
  chmodSync(`${repository.path}/a.txt`, 0o755);
  rmSync(`${repository.path}/b.txt`);
  rmSync(`${repository.path}/link`);
  repository.write({ link: linkTo("b.txt") });
  const patch = repository.git("diff");
  await at.call("git_add", { patch });
  expect(repository.git("diff", "--cached")).toBe(patch);
  expect(repository.git("status", "--porcelain").split("\n")).toEqual(["M  a.txt", "D  b.txt", "M  link"]);
});

test("git_add with patch stages one of several lines that changed together, in their order", async () => {
  await using at = await world({ tree: { "a.txt": "one\ntwo\nthree\nfour\n" } });
  at.repository.write({ "a.txt": "one\nTWO\nTHREE\nfour\n" });
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four\n";
  await at.call("git_add", { patch });
  expect(at.repository.git("show", ":a.txt")).toBe("one\nTWO\nthree\nfour");
});
