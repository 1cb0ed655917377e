// Values that are easily lost: 64 digits, hits in long lines, notes, tags, parents of merges, other encodings, ignored files.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { cutAround, shortenPatch } from "../../../src/repo/text/long-lines.ts";
import { TestRepository } from "../../support/repository.ts";
import { world, worldOf } from "../../support/world.ts";

test("gives ids of 64 digits in a SHA-256 repository", async () => {
  await using folder = tempFolder({ project: { "a.txt": "a\n" } });
  const repository = new TestRepository(folder.at("project"));
  repository.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main");
  await using at = await worldOf(folder, repository, {
    env: { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" },
  });
  await at.call("git_add", { files: ["."] });
  const { text, data } = await at.call("git_commit", { message: "first" });
  const head = repository.git("rev-parse", "HEAD");
  expect(head).toHaveLength(64);
  expect(text).toContain(`with hash ${head}`);
  expect(data["hash"]).toBe(head);
  for (const [name, args] of [
    ["git_status", {}],
    ["git_log", {}],
    ["git_show", { revision: "HEAD" }],
    ["git_blame", { path: "a.txt" }],
    ["git_checkout", { branch_name: "HEAD", detach: true }],
    ["git_create_branch", { branch_name: "b" }],
    ["git_tag", { action: "create", name: "v" }],
    ["git_tag", { action: "list" }],
    ["git_worktree", { action: "list" }],
  ] as const)
    expect(JSON.stringify((await at.call(name, args)).data), name).toContain(head);
});

describe("a long line", () => {
  const long = (word: string): string => `${"ä".repeat(30_000)}${word}${"b".repeat(30_000)}\n`;

  test("is cut around the hit of a search, with its column", async () => {
    await using at = await world({
      tree: { "min.js": `short\n${long("needle")}`, "latin.txt": Buffer.from(`${"\xe9".repeat(900)}needle\n`, "latin1") },
    });
    const { text, data } = await at.call("git_grep", { pattern: "needle" });
    expect(data["matches"]).toMatchObject([
      { path: "latin.txt", line: 1, column: 901 },
      { path: "min.js", line: 2, column: 30_001 },
    ]);
    expect(text).toMatch(/^min\.js:2:30001: …ä+needleb+…$/m);
    expect(text.length).toBeLessThan(3000);
  });

  test("is cut around what the blamed commit changed, with its column", async () => {
    await using at = await world({ tree: { "min.js": `short\n${long("needle")}` } });
    at.repository.commit("changed", { "min.js": `// new\nshort\n${long("thread")}` });
    at.repository.git("mv", "min.js", "max.js");
    at.repository.commit("moved");
    const committed = await at.call("git_blame", { path: "max.js" });
    expect(committed.text).toMatch(/^ {5}3\t…ä+threadb+… \[column 30001 of 60006\]$/m);
    expect(committed.text).toContain("[truncated: long lines are clipped");
    expect(committed.text.length).toBeLessThan(1500);
    at.repository.write({ "max.js": `short\n${long("thrice")}` });
    expect((await at.call("git_blame", { path: "max.js" })).text).toMatch(/…ä+thriceb+… \[column 30004 of 60006\]$/m);
    expect((await at.call("git_blame", { path: "max.js", end_line: 2 })).text.endsWith(long("thrice").trim())).toBe(true);
  });

  test("begins at its first column where the blamed commit wrote it anew", async () => {
    await using at = await world({ tree: { "min.js": long("needle") } });
    expect((await at.call("git_blame", { path: "min.js" })).text).toMatch(/^ {5}1\tä+… \[column 1 of 60006\]$/m);
  });

  test("is cut around the change of a diff, with its column, where the patch does not fit", async () => {
    await using at = await world({ tree: { "min.js": long("needle") } });
    at.repository.write({ "min.js": long("thread") });
    const { text, data } = await at.call("git_diff_unstaged");
    expect(text).toMatch(/^-…ä+needleb+… \[column 30001 of 60006\]$/m);
    expect(text).toMatch(/^\+…ä+threadb+… \[column 30001 of 60006\]$/m);
    expect(text).toContain("[long lines are cut around what changed in them");
    expect(data["truncated"]).toBe(false);
    expect((await at.call("git_diff_unstaged", { max_bytes: 500_000 })).text).toContain(long("thread"));
  });

  test("is cut between characters only", () => {
    expect(cutAround("short", { start: 2, length: 1 }, 10)).toBe("short");
    for (let start = 0; start < 40; start++) expect(cutAround("😀".repeat(20), { start, length: 2 }, 9).isWellFormed()).toBe(true);
    expect(shortenPatch("@@ -1 +1 @@\n-a\n+b\n")).toBe("@@ -1 +1 @@\n-a\n+b\n");
    expect(shortenPatch(`@@ -1 +1,2 @@\n ${"c".repeat(2000)}\n+${"n".repeat(2000)}\n`)).toBe(
      `@@ -1 +1,2 @@\n ${"c".repeat(400)}… [column 1 of 2000]\n+${"n".repeat(400)}… [column 1 of 2000]\n`,
    );
  });
});

test("shows the parents of a merge, notes and annotated tags", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "side");
  const side = repository.commit("side", { "s.txt": "s\n" });
  repository.git("checkout", "--quiet", "main");
  const main = repository.commit("main", { "m.txt": "m\n" });
  repository.git("merge", "--quiet", "--no-edit", "side");
  repository.git("notes", "add", "-m", "reviewed by Ada\n\nsecond line");
  repository.git("tag", "-a", "-m", "Release one\n\nwith a body", "v1");
  repository.git("tag", "-a", "-m", "outer", "outer", "v1");
  const parents = `Merge: ${main.slice(0, 12)} ${side.slice(0, 12)}\n`;
  const log = await at.call("git_log", { stat: true });
  expect(log.text).toContain(parents);
  expect(log.text).toContain("\nNotes:\nreviewed by Ada\n\nsecond line\n");
  expect(log.data["commits"]).toMatchObject([{ notes: "reviewed by Ada\n\nsecond line", subject: "Merge branch 'side'" }, {}, {}, {}]);
  const show = await at.call("git_show", { revision: "outer" });
  expect(show.text).toMatch(
    /^Tag: outer\nTagger: Grace Hopper <grace@example\.org>\nDate: 2023-\S+\+00:00\nMessage: outer\n\nTag: v1\n[^]*Message: Release one\n\nwith a body\n\nCommit: /,
  );
  expect(show.text).toContain(parents);
  expect(show.data["tags"]).toMatchObject([{ name: "outer" }, { name: "v1", message: "Release one\n\nwith a body" }]);
  expect((await at.call("git_show", { revision: "side" })).data).not.toHaveProperty("tags");
});

test("refuses to blame a binary file", async () => {
  await using at = await world({ tree: { "b.bin": "a\0b\n" } });
  const reason = "b.bin is binary: it has no lines to blame. git_log with paths lists the commits that changed it.";
  for (const args of [{}, { revision: "HEAD" }]) expect(await at.failure("git_blame", { path: "b.bin", ...args })).toBe(reason);
});

describe("hunks as they are shown", () => {
  const LINES = ["h\xe9\n", ...Array.from({ length: 20 }, (_, at) => `line ${at}\n`), "l\x80st\n"];
  const bytes = (lines: readonly string[]): Buffer => Buffer.from(lines.join(""), "latin1");

  test("are staged in a file that is not UTF-8, beside one that is", async () => {
    await using at = await world({ tree: { "é.txt": bytes(LINES), "u.txt": "ü\n" } });
    const path = join(at.repository.path, "é.txt");
    writeFileSync(path, bytes(["H\xe9\n", ...LINES.slice(1, -1), "L\x80ST\n"]));
    at.repository.write({ "u.txt": "Ü\n" });
    const { text } = await at.call("git_diff_unstaged");
    const [, ...parts] = text.split(/^(?=diff --git |@@ )/m);
    // Without the last hunk of the first file.
    await at.call("git_add", { patch: parts.filter((part) => !part.includes("ST\n")).join("") });
    expect(at.repository.raw(["show", ":é.txt"]).equals(bytes(["H\xe9\n", ...LINES.slice(1)]))).toBe(true);
    expect(at.repository.git("show", ":u.txt")).toBe("Ü");
  });

  test("are staged without the carriage returns that a host has dropped", async () => {
    await using at = await world({ tree: { "c.txt": "one\r\ntwo\r\nthree\r\n" } });
    at.repository.write({ "c.txt": "one\r\nTWO\r\n\r\nthree\r\n" });
    const { text } = await at.call("git_diff_unstaged");
    await at.call("git_add", { patch: text.slice(text.indexOf("diff --git")).replaceAll("\r", "") });
    expect(at.repository.raw(["show", ":c.txt"]).toString()).toBe("one\r\nTWO\r\n\r\nthree\r\n");
  });

  test("of which no form is in the work tree are refused", async () => {
    await using at = await world({ tree: { "l.txt": bytes(LINES) } });
    const patch = "diff --git a/l.txt b/l.txt\n--- a/l.txt\n+++ b/l.txt\n@@ -1 +1 @@\n-hé\n+other\n";
    expect(await at.failure("git_add", { patch })).toContain("The patch does not apply");
    expect(at.repository.git("diff", "--cached", "--name-only")).toBe("");
  });
});

test("ignores what .git/info/exclude names, in linked work trees too", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.write({ ".git/info/exclude": "*.log\n/w/\n", "x.log": "x\n" });
  await at.call("git_worktree", { action: "add", path: "w" });
  at.repository.write({ "w/y.log": "y\n" });
  for (const args of [{}, { repo_path: join(at.repository.path, "w") }]) {
    expect((await at.call("git_status", args)).data["untracked"]).toEqual([]);
    expect((await at.call("git_add", { ...args, files: ["."] })).data["staged"]).toEqual([]);
  }
  expect((await at.call("git_add", { files: ["x.log"] })).data["ignored"]).toEqual(["x.log"]);
  expect((await at.call("git_stash", { action: "push", include_untracked: true })).text).toBe("There are no changes to save");
  expect(existsSync(join(at.repository.path, "x.log"))).toBe(true);
});
