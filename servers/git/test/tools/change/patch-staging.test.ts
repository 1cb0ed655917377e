// Staging parts of files by a patch.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
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
  expect({ text, data }).toEqual({ text: "Files staged successfully", data: { staged: ["a.txt"], ignored: [] } });
  expect(at.repository.git("show", ":a.txt")).toBe(LINES.join("").replace("line 2\n", "LINE 2\n").trimEnd());
  expect(readFileSync(`${at.repository.path}/a.txt`, "utf8")).toBe(edited);
});

test("git_add with patch takes a hunk whose lines were left out, and a new file", async () => {
  await using at = await withTwoHunks();
  const shortened = (await firstHunk(at)).replace(/^ line 4\n line 5\n/m, "");
  await at.call("git_add", {
    patch: `${shortened}diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1 @@\n+n`,
  });
  expect(at.repository.git("diff", "--cached", "--name-only")).toBe("a.txt\nn.txt");
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
  expect(await at.failure("git_add", { patch, files: ["a.txt"] })).toContain("files and patch exclude each other");
  expect(await at.failure("git_add")).toContain("No files were given");
});

test.each(["../out.txt", ".git/config", "/etc/x"])("git_add refuses a patch for %s", async (path) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const patch = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
  await at.failure("git_add", { patch });
  expect(at.repository.git("status", "--porcelain")).toBe("");
});
