// The toolset integrate: merge, rebase, cherry-pick and revert, with their conflicts.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { TracedGit } from "../../cases/traced-git.ts";
import { CONFLICT, parted } from "../../support/parted-branches.ts";
import { world } from "../../support/world.ts";

test.each([
  ["git_merge", { revision: "other" }],
  ["git_rebase", { upstream: "other" }],
  ["git_cherry_pick", { revisions: ["other~1"] }],
  ["git_revert", { revisions: ["HEAD~1"] }],
])("%s stops at conflicts, names them with their lines, and continues or aborts", async (tool, args) => {
  await using at = await parted();
  const { repository } = at;
  if (tool === "git_revert") repository.commit("more", { "f.txt": "1\nours too\n3\n" });
  const before = repository.git("rev-parse", "HEAD");
  const stopped = await at.call(tool, args);
  expect(stopped.data).toMatchObject({ state: "conflict", conflicts: [CONFLICT] });
  expect(stopped.text).toContain("f.txt (both modified), lines 2-6");
  expect(await at.failure(tool, args)).toMatch(/^A (?:merge|rebase|cherry-pick|revert) is in progress/);
  expect((await at.call(tool, { step: "abort" })).data).toMatchObject({ state: "aborted", head: before });
  expect(repository.git("status", "--porcelain")).toBe("");
  await at.call(tool, args);
  writeFileSync(`${repository.path}/f.txt`, "1\nresolved\n3\n");
  await at.call("git_add", { files: ["f.txt"] });
  expect((await at.call(tool, { step: "continue" })).data).toMatchObject({
    state: "done",
    conflicts: [],
    head: repository.git("rev-parse", "HEAD"),
  });
  expect(readFileSync(`${repository.path}/f.txt`, "utf8")).toBe("1\nresolved\n3\n");
  expect(repository.loosely("fsck", "--full", "--strict", "--no-dangling")).toBe("");
});

test("git_merge shows a short file in conflict, the conflicts of a long one, and none that does not fit", async () => {
  const rest = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join("");
  await using at = await world({ tree: { "a.txt": "1\n2\n", "b.txt": `1\n${rest(40)}`, "c.txt": "1\n" }, allowDiscard: true });
  const { repository } = at;
  const changed = (word: string) => ({ "a.txt": `${word}\n2\n`, "b.txt": `${word}\n${rest(40)}`, "c.txt": `${word}\n`.repeat(30) });
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", changed("theirs"));
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", changed("ours"));
  const lines = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\n";
  expect((await at.call("git_merge", { revision: "other" })).text).toBe(
    `Merge stopped at conflicts. Resolve each file and stage it with git_add (or give git_add its content), then call again with step continue (or abort):
  a.txt (both modified), lines 1-5; the whole file:
${lines}2
  b.txt (both modified), lines 1-5:
${lines}  c.txt (both modified), lines 1-63`,
  );
});

test("git_merge shows no lines of a conflict with --lockdown", async () => {
  await using at = await parted({ lockdown: true });
  expect((await at.call("git_merge", { revision: "other" })).text).toMatch(/f\.txt \(both modified\), lines 2-6$/);
});

test("git_merge merges with or without fast-forward, with a message", async () => {
  await using at = await parted();
  const { repository } = at;
  repository.git("reset", "--hard", "--quiet", "HEAD~1");
  expect((await at.call("git_merge", { revision: "other~1", ff: "only" })).data).toMatchObject({
    state: "done",
    head: repository.git("rev-parse", "other~1"),
  });
  await at.call("git_merge", { revision: "other", ff: "no", message: "Bring it in" });
  expect(repository.git("log", "-1", "--format=%s|%P|%an")).toBe(
    `Bring it in|${repository.git("rev-parse", "other~1", "other").replace("\n", " ")}|Ada Lovelace`,
  );
  repository.commit("apart");
  expect(await at.failure("git_merge", { revision: "other~1", ff: "only", step: "skip" })).toMatch(/^step: Invalid option/m);
  expect(await at.failure("git_merge", {})).toBe("revision is missing: give the branch or commit to merge.");
  expect(await at.failure("git_merge", { step: "continue" })).toBe("There is no merge in progress. git_status shows the state.");
});

test("git_cherry_pick applies several commits, and git_revert undoes them", async () => {
  await using at = await parted();
  const { repository } = at;
  await at.call("git_cherry_pick", { revisions: ["other"] });
  expect(existsSync(`${repository.path}/new.txt`)).toBe(true);
  await at.call("git_revert", { revisions: ["HEAD"] });
  expect(repository.git("log", "-2", "--format=%s")).toBe('Revert "aside"\naside');
  await at.call("git_cherry_pick", { revisions: ["other"], no_commit: true });
  expect(repository.git("status", "--porcelain")).toBe("A  new.txt");
});

test("G3 git_cherry_pick stops at the first unknown commit and names the limit", needs("shell scripts"), async () => {
  await using folder = tempFolder();
  const git = new TracedGit(folder.path);
  await using at = await world({ tree: { "f.txt": "1\n" }, git: git.path });
  await at.call("git_status");
  git.forget();
  expect(await at.failure("git_cherry_pick", { revisions: Array.from({ length: 1000 }, (_, n) => `nowhere-${n}`) })).toContain(
    '"nowhere-0"',
  );
  // A look-up of each would be a thousand starts.
  expect(git.started().length).toBeLessThan(20);
  expect(await at.failure("git_revert", { revisions: Array.from({ length: 1001 }, () => "HEAD") })).toBe(
    "Too many revisions: expected at most 1000, got 1001. Use several calls.",
  );
});

test("refuses to continue a rebase whose plan runs commands", async () => {
  await using at = await parted();
  const { repository } = at;
  await at.call("git_rebase", { upstream: "other" });
  const plan = `${repository.path}/.git/rebase-merge/git-rebase-todo`;
  writeFileSync(plan, `exec touch '${at.folder.at("mark")}'\n${readFileSync(plan, "utf8")}`);
  writeFileSync(`${repository.path}/f.txt`, "resolved\n");
  repository.git("add", "-A");
  for (const step of ["continue", "skip"]) expect(await at.failure("git_rebase", { step })).toContain("runs commands (exec)");
  expect(existsSync(at.folder.at("mark"))).toBe(false);
  await at.call("git_rebase", { step: "abort" });
});

test.each(["git_cherry_pick", "git_revert"])("continues %s of several after the conflicting one was committed by hand", async (tool) => {
  await using at = await parted();
  const { repository } = at;
  const what = tool === "git_revert" ? "revert" : "cherry-pick";
  if (tool === "git_revert") {
    repository.commit("again", { "f.txt": "1\nours again\n3\n" });
    repository.git("rm", "--quiet", "g.txt");
    repository.commit("gone");
    repository.commit("last", { "f.txt": "1\nlast\n3\n" });
  }
  const revisions = tool === "git_revert" ? ["HEAD~2", "HEAD~1"] : ["other~1", "other"];
  expect((await at.call(tool, { revisions })).data).toMatchObject({ state: "conflict" });
  repository.write({ "f.txt": "1\nresolved\n3\n" });
  await at.call("git_add", { files: ["f.txt"] });
  await at.call("git_commit", { message: "resolved" });
  expect((await at.call("git_status")).data).toMatchObject({ operation: what });
  expect(await at.failure("git_merge", { revision: "other" })).toMatch(new RegExp(`^A ${what} is in progress`));
  expect((await at.call(tool, { step: "continue" })).data).toMatchObject({ state: "done" });
  expect(existsSync(`${repository.path}/${tool === "git_revert" ? "g.txt" : "new.txt"}`)).toBe(true);
  expect((await at.call("git_status")).data).not.toHaveProperty("operation");
});

test("allows a merge during a bisect, and leaves an am to git itself", async () => {
  await using at = await parted();
  const { repository } = at;
  repository.git("bisect", "start");
  expect((await at.call("git_cherry_pick", { revisions: ["other"] })).data).toMatchObject({ state: "done" });
  repository.git("bisect", "reset");
  const patch = repository.raw(["format-patch", "--stdout", "-1", "other~1"]);
  repository.raw(["am"], { input: patch, loose: true });
  expect((await at.call("git_status")).text).toContain("An am is in progress: only git itself ends it, by git am --continue,");
  expect(await at.failure("git_merge", { revision: "other" })).toBe(
    "An am is in progress: only git itself ends it, by git am --continue, or git am --abort to go back.",
  );
});

test.each([
  ["git_merge", { revision: "other" }],
  ["git_rebase", { upstream: "other" }],
  ["git_cherry_pick", { revisions: ["other~1"] }],
])("%s continues only without conflict markers, and repeats nothing of git", async (tool, args) => {
  await using at = await parted();
  const stopped = await at.call(tool, args);
  expect(stopped.text.split("f.txt")).toHaveLength(2);
  expect(stopped.text.match(/could not apply/gi)?.length ?? 1).toBe(1);
  await at.call("git_add", { files: ["f.txt"] });
  const head = at.repository.git("rev-parse", "HEAD");
  expect(await at.failure(tool, { step: "continue" })).toMatch(/^Conflict markers are still in f\.txt \(line 2\): edit, stage again/);
  expect(at.repository.git("rev-parse", "HEAD")).toBe(head);
  at.repository.write({ "f.txt": "1\nboth\n3\n" });
  await at.call("git_add", { files: ["f.txt"] });
  expect((await at.call(tool, { step: "continue" })).data).toMatchObject({ state: "done" });
});

test.each([
  ["git_rebase", { upstream: "other" }],
  ["git_cherry_pick", { revisions: ["other~1", "other"] }],
])("%s continues behind a commit of the markers that belong to a file", async (tool, args) => {
  await using at = await parted();
  await at.call(tool, args);
  at.repository.write({ "f.txt": "1\n<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n3\n" });
  await at.call("git_add", { files: ["f.txt"] });
  expect(await at.failure(tool, { step: "continue" })).toContain("git_commit commits it first.");
  await at.call("git_commit", { message: "an example" });
  expect((await at.call(tool, { step: "continue" })).data).toMatchObject({ state: "done" });
});
