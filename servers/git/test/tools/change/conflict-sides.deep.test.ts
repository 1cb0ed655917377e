// git_add with resolution and content: conflicts are resolved by one side or by a text, and edits are not lost unasked.
import { existsSync, readFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { parted } from "../../support/parted-branches.ts";
import { makeRepository, type TestRepository } from "../../support/repository.ts";
import { worldOf, type World } from "../../support/world.ts";

const read = ({ path }: TestRepository, name: string): string => readFileSync(`${path}/${name}`, "utf8");

test.each([
  ["ours", "1\nours\n3\n"],
  ["theirs", "1\ntheirs\n3\n"],
])("resolves a merge by %s with tools alone", async (resolution, text) => {
  await using at = await parted();
  const { repository } = at;
  await at.call("git_merge", { revision: "other" });
  const reply = await at.call("git_add", { files: ["f.txt"], resolution });
  expect(reply.text).toBe(
    `Resolved by ${resolution} and staged: f.txt\nNo conflict is left: git_merge with step continue finishes it, with step abort goes back (git itself: git merge --continue or --abort)`,
  );
  expect(reply.data).toEqual({ staged: ["f.txt"], ignored: [] });
  expect(read(repository, "f.txt")).toBe(text);
  await at.call("git_merge", { step: "continue" });
  expect(repository.git("show", "HEAD:f.txt")).toBe(text.trimEnd());
  expect(repository.git("status", "--porcelain")).toBe("");
});

test("resolves a conflict by a given text, with the line ends that the attributes ask for", async () => {
  await using at = await parted();
  const { repository } = at;
  await at.call("git_merge", { revision: "other" });
  repository.write({ ".gitattributes": "*.txt text eol=crlf\n" });
  await at.call("git_add", { files: ["f.txt"], content: "1\nboth\n3\n" });
  expect(read(repository, "f.txt")).toBe("1\r\nboth\r\n3\r\n");
  expect(repository.git("show", ":f.txt")).toBe("1\nboth\n3");
  expect(repository.git("ls-files", "--unmerged")).toBe("");
});

test("names the sides of a rebase, where they are the other way round", async () => {
  await using at = await parted();
  await at.call("git_rebase", { upstream: "other" });
  expect((await at.call("git_add", { files: ["."], resolution: "theirs" })).text).toMatch(
    /^Resolved by theirs \(the commit that is rebased\) and staged: f\.txt\n/,
  );
  expect(read(at.repository, "f.txt")).toBe("1\nours\n3\n");
});

test("deletes a file that the side has deleted, and keeps it for the other side", async () => {
  for (const [resolution, isKept] of [
    ["ours", false],
    ["theirs", true],
  ] as const) {
    await using at = await parted();
    const { repository } = at;
    repository.git("rm", "--quiet", "f.txt");
    repository.commit("gone");
    await at.call("git_merge", { revision: "other" });
    expect((await at.call("git_add", { files: ["f.txt"], resolution })).text).toContain(
      isKept ? "Resolved by theirs" : "Deleted, as ours has: f.txt",
    );
    expect(existsSync(`${repository.path}/f.txt`)).toBe(isKept);
    expect(repository.git("diff", "--name-only", "--diff-filter=U")).toBe("");
  }
});

/** Two conflicts in one file, and a change of the other side that git merges by itself. */
const LINES = ["a", "1", "b", "c", "d", "e", "f", "2", "g", "h", "i", "j", "3"];
const withLines = (changes: Readonly<Record<string, string>>): string => `${LINES.map((line) => changes[line] ?? line).join("\n")}\n`;

async function edited(answer: boolean, edit: (text: string) => string = () => "by hand\n"): Promise<World & { readonly asked: string[] }> {
  const folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "f.txt": withLines({}) });
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { "f.txt": withLines({ 1: "theirs 1", 2: "theirs 2", 3: "theirs 3" }) });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "f.txt": withLines({ 1: "ours 1", 2: "ours 2" }) });
  repository.loosely("merge", "other");
  repository.write({ "f.txt": edit(read(repository, "f.txt")) });
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return { action: "accept" as const, content: { confirm: answer } };
  };
  return { ...(await worldOf(folder, repository, { elicit })), asked };
}

test.each([true, false])("asks before it replaces what was resolved by hand, and obeys: %s", async (answer) => {
  await using at = await edited(answer);
  const call = { files: ["f.txt"], resolution: "ours" };
  if (answer) await at.call("git_add", call);
  else expect(await at.failure("git_add", call)).toContain("the user declined");
  expect(at.asked).toEqual([expect.stringMatching(/^Replace f\.txt of the repository project, edited since the conflict\?/)]);
  expect(read(at.repository, "f.txt")).toBe(answer ? withLines({ 1: "ours 1", 2: "ours 2" }) : "by hand\n");
});

test.each<[string, (text: string) => string]>([
  ["a resolved region beside one with markers", (text) => text.replace(/^<<<<<<< [^]*?>>>>>>> other\n/m, "both 1\n")],
  ["a line outside of the markers", (text) => text.replace("\ng\n", "\ng by hand\n")],
  ["a line between markers", (text) => text.replace("theirs 2", "theirs 2, by hand")],
])("asks before %s is lost", async (_what, edit) => {
  await using at = await edited(false, edit);
  const text = read(at.repository, "f.txt");
  expect(await at.failure("git_add", { files: ["f.txt"], resolution: "ours" })).toContain("the user declined");
  expect(read(at.repository, "f.txt")).toBe(text);
});

test.each<[string, string[]]>([
  ["merge", []],
  ["diff3", ["-c", "merge.conflictStyle=diff3"]],
])("asks nothing about what the merge wrote in the style %s", async (_style, settings) => {
  await using at = await edited(false, (text) => text);
  at.repository.git("merge", "--abort");
  at.repository.loosely(...settings, "merge", "other");
  await at.call("git_add", { files: ["f.txt"], resolution: "theirs" });
  expect(at.asked).toEqual([]);
  expect(read(at.repository, "f.txt")).toBe(withLines({ 1: "theirs 1", 2: "theirs 2", 3: "theirs 3" }));
});

test("refuses files without a conflict, several files for one text, and contradictory arguments", async () => {
  await using at = await parted();
  expect(await at.failure("git_add", { files: ["g.txt"], resolution: "ours" })).toMatch(/^g\.txt is not in conflict: /);
  expect(await at.failure("git_add", { files: ["."], content: "x" })).toMatch(/^No file is in conflict: /);
  await at.call("git_merge", { revision: "other" });
  expect(await at.failure("git_add", { files: ["f.txt", "g.txt"], content: "x" })).toMatch(/^g\.txt is not in conflict/);
  expect(await at.failure("git_add", { files: ["f.txt"], content: "x", resolution: "ours" })).toMatch(/exclude each other/);
  expect(await at.failure("git_add", { resolution: "ours" })).toMatch(/^No files were given/);
  expect((await at.call("git_add", { files: ["f.txt"], resolution: "ours", dry_run: true })).text).toBe("Would resolve 1 file:\nf.txt");
  expect(at.repository.git("diff", "--name-only", "--diff-filter=U")).toBe("f.txt");
});

test("refuses to write a file whose filter does not run", async () => {
  await using at = await parted();
  await at.call("git_merge", { revision: "other" });
  at.repository.write({ ".gitattributes": "f.txt filter=lfs\n" });
  for (const how of [{ resolution: "ours" }, { content: "x" }])
    expect(await at.failure("git_add", { files: ["f.txt"], ...how })).toContain("has the filter lfs");
  expect(read(at.repository, "f.txt")).toContain("<<<<<<<");
});

test("resolves files with names that need quoting", async () => {
  const name = "-x\n\\xE9 'q'";
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { a: "a\n" });
  const raw = Buffer.from("-x\n\xe9 'q'", "latin1");
  const commit = (branch: string, text: string, from?: string): string =>
    `commit refs/heads/${branch}\ncommitter A <a@x> 1700000000 +0000\ndata 1\n${branch[0]}\n${from === undefined ? "" : `from ${from}\n`}M 100644 inline "-x\\n\\351 'q'"\ndata ${text.length}\n${text}\n`;
  repository.raw(["fast-import", "--quiet"], {
    input: commit("base", "1\n") + commit("one", "one\n", "refs/heads/base") + commit("two", "two\n", "refs/heads/base"),
  });
  repository.git("checkout", "--quiet", "one");
  repository.loosely("merge", "two");
  await using at = await worldOf(folder, repository);
  await at.call("git_add", { files: [name], resolution: "theirs" });
  expect(readFileSync(Buffer.concat([Buffer.from(`${repository.path}/`), raw]), "utf8")).toBe("two\n");
});
