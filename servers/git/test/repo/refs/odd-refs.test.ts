// Refs whose names, dates or objects git itself has trouble with: lists show the others, and say which is which.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dateOf } from "../../../src/repo/refs/ref-list.ts";
import { writeGitFile, writeObject } from "../../forms/form-builder.ts";
import type { TestRepository } from "../../support/repository.ts";
import { world } from "../../support/world.ts";

const TAGGER = "tagger Ada <ada@example.org>";

/** An annotated tag of HEAD with this line in place of the tagger. */
function tag(repository: TestRepository, name: string, tagger: string): void {
  const text = `object ${repository.git("rev-parse", "HEAD")}\ntype commit\ntag ${name}\n${tagger}\n\nmessage\n`;
  writeGitFile(repository, `refs/tags/${name}`, `${writeObject(repository, "tag", text)}\n`);
}

test("says which date a list of tags has, and of what object", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  tag(repository, "release", `${TAGGER} 1800000000 +0000`);
  repository.git("tag", "light");
  repository.git("tag", "file", "HEAD:a.txt");
  const [head = "", blob = ""] = repository.git("rev-parse", "HEAD", "HEAD:a.txt").split("\n");
  expect((await at.call("git_tag", { action: "list" })).text.split("\n")).toEqual([
    `release ${head.slice(0, 12)} tagged 2027-01-15 message`,
    `light ${head.slice(0, 12)} committed 2023-11-14 first`,
    `file blob ${blob.slice(0, 12)}`,
  ]);
});

test("writes the dates of tags beside one whose date git cannot write", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  tag(at.repository, "before", `${TAGGER} -100 +0000`);
  tag(at.repository, "zone", `${TAGGER} 1700000000 -0830`);
  const { text, data } = await at.call("git_tag", { action: "list" });
  expect(data["tags"]).toMatchObject([
    { name: "before", date: "" },
    { name: "zone", date: "2023-11-14T13:43:20-08:30" },
  ]);
  expect(text).toMatch(/^before [0-9a-f]{12} message\nzone [0-9a-f]{12} tagged 2023-11-14 message$/);
});

test("shows the date of a tag in its own zone, as lists and git do", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  tag(at.repository, "evening", `${TAGGER} 1700020000 -0830`);
  expect((await at.call("git_show", { revision: "evening" })).text).toContain("Date: 2023-11-14T19:16:40-08:30\n");
  expect((await at.call("git_tag", { action: "list" })).text).toContain(" tagged 2023-11-14 ");
});

test.each([
  ["2023-11-14T22:13:20+00:00", "2023-11-14T22:13:20+00:00"],
  ["1700000000 +0545", "2023-11-15T03:58:20+05:45"],
  ["0 -0000", "1970-01-01T00:00:00-00:00"],
  ["253402300799 +0000", "9999-12-31T23:59:59+00:00"],
  ["253402300800 +0000", ""],
  ["18446744073709551516 +0000", ""],
  ["", ""],
])("reads the date %j as %j", (field, date) => {
  expect(dateOf(field)).toBe(date);
});

test("lists tags beside one whose object cannot be parsed, and names that one", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.git("tag", "good");
  writeGitFile(at.repository, "refs/tags/bad", `${writeObject(at.repository, "tag", "garbage\n")}\n`);
  const { text, data } = await at.call("git_tag", { action: "list" });
  expect(data).toMatchObject({ tags: [{ name: "good" }], broken: ["refs/tags/bad"] });
  expect(text).toContain("refs/tags/bad");
  expect((await at.call("git_log", { all_branches: true })).text).toContain("refs/tags/bad");
});

test("shows a subject in the encoding of its commit as the log does", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const message = Buffer.from("caf\xe9\n", "latin1");
  at.repository.raw(["-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--quiet", "--allow-empty", "-F", "-"], { input: message });
  at.repository.git("branch", "ü");
  expect((await at.call("git_branch")).data["branches"]).toMatchObject([
    { name: "main", lastCommit: { subject: "café" } },
    { name: "ü", lastCommit: { subject: "café" } },
  ]);
});

test.skipIf(process.platform === "darwin" || process.platform === "win32")(
  "writes a name that is not UTF-8 as it takes it back",
  async () => {
    await using at = await world({ tree: { "a.txt": "a\n" } });
    const { repository } = at;
    const head = repository.commit("second", { "a.txt": "b\n" });
    const file = Buffer.concat([Buffer.from(join(repository.path, ".git/refs/heads/caf")), Buffer.from([0xe9])]);
    writeFileSync(file, `${head}\n`);
    expect((await at.call("git_branch")).text).toBe("  caf\\xE9\n* main");
    expect((await at.call("git_log", { revision: "caf\\xE9~1" })).data["commits"]).toMatchObject([{ subject: "first" }]);
    expect((await at.call("git_log", { revision: "heads/caf\\xE9" })).data["commits"]).toMatchObject([{ hash: head }, {}]);
    expect(await at.failure("git_log", { revision: "caf\\xE8" })).toContain('did you mean "caf\\xE9"');
    writeFileSync(join(repository.path, ".git/HEAD"), Buffer.from("ref: refs/heads/caf\xe9\n", "latin1"));
    expect((await at.call("git_status")).data).toMatchObject({ branch: "caf\\xE9", head });
    expect((await at.call("git_branch")).text).toBe("* caf\\xE9\n  main");
    const [content] = (await at.client.read("git:///project/refs")).contents;
    expect(content).toMatchObject({ text: expect.stringContaining(`${head} HEAD -> refs/heads/caf\\xE9\n${head} refs/heads/caf\\xE9\n`) });
  },
);

test.skipIf(process.platform === "darwin" || process.platform === "win32")(
  "reads names that are not UTF-8 alike in log, reflog, work trees and notices",
  async () => {
    await using at = await world({ tree: { "a.txt": "a\n" } });
    const { repository, folder } = at;
    const first = repository.git("rev-parse", "HEAD");
    const head = repository.commit("second \u00e9", { "a.txt": "b\n" });
    const named = (name: string): Buffer => Buffer.from(join(repository.path, ".git", name), "latin1");
    for (const name of ["refs/heads/caf\xe9", "refs/tags/t\xe9g"]) writeFileSync(named(name), `${head}\n`);
    mkdirSync(named("logs/refs/heads"), { recursive: true });
    writeFileSync(named("logs/refs/heads/caf\xe9"), `${first} ${head} Ada <a@example.org> 1700000000 +0000\tbranch: Created\n`);
    const refs = ["HEAD -> main", "tag: t\\xE9g", "caf\\xE9"];
    expect((await at.call("git_log", { max_count: 1 })).data["commits"]).toMatchObject([{ refs, subject: "second \u00e9" }]);
    expect((await at.call("git_log", { max_count: 1, stat: true })).data["commits"]).toMatchObject([{ refs }]);
    const { text, data } = await at.call("git_reflog", { ref: "caf\\xE9" });
    expect(data["entries"]).toMatchObject([{ selector: "caf\\xE9@{0}", hash: head, message: "branch: Created" }]);
    expect(text).toContain("caf\\xE9@{0}");
    expect(await at.failure("git_reflog", { ref: "caf\\xE8" })).toContain('There is no branch "caf\\xE8"');
    // A work tree on that branch, as git leaves it.
    repository.git("worktree", "add", "--detach", folder.at("project/tree"), "HEAD");
    writeFileSync(named("worktrees/tree/HEAD"), Buffer.from("ref: refs/heads/caf\xe9\n", "latin1"));
    expect((await at.call("git_worktree", { action: "list" })).data["worktrees"]).toMatchObject([
      { branch: "main" },
      { branch: "caf\\xE9" },
    ]);
    expect((await at.call("git_branch")).text).toContain("+ caf\\xE9");
    repository.git("worktree", "remove", "--force", folder.at("project/tree"));
    const { text: reset } = await at.call("git_reset", { revision: first });
    expect(reset).toContain("[caf\\xE9, t\\xE9g still point to commits that left this branch]");
    expect((await at.call("git_branch", { action: "rename", name: "caf\\xE9", new_name: "plain" })).text).toContain("plain");
    expect(repository.git("rev-parse", "plain")).toBe(head);
  },
);

test.each(["refs/heads/side", "HEAD"])("reads an id in capital letters in %s as git does", async (name) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const head = at.repository.git("rev-parse", "HEAD");
  writeGitFile(at.repository, name, `${head.toUpperCase()}\n`);
  if (name !== "HEAD") writeGitFile(at.repository, "HEAD", `ref:  ${name}\n`);
  expect((await at.call("git_status")).data).toMatchObject({ head });
  expect((await at.call("git_log")).data["commits"]).toMatchObject([{ hash: head }]);
});
