// The toolset integrate: merge, rebase, cherry-pick, revert, with their conflicts, and reflog and init.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../../support/repository.ts";
import { world, worldOf, type World } from "../../support/world.ts";

/** Two branches that changed the same line. */
async function parted(): Promise<World> {
  const at = await world({ tree: { "f.txt": "1\n2\n3\n", "g.txt": "g\n" }, allowDiscard: true });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { "f.txt": "1\ntheirs\n3\n" });
  repository.commit("aside", { "new.txt": "n\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { "f.txt": "1\nours\n3\n" });
  return at;
}

const CONFLICT = { path: "f.txt", status: "both modified", regions: [{ ours: { start: 3, end: 3 }, theirs: { start: 5, end: 5 } }] };

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
  expect(await at.failure("git_merge", { revision: "other~1", ff: "only", step: "skip" })).toBe(
    "A merge has no commits to skip: use step continue or abort.",
  );
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

test("G3 git_cherry_pick stops at the first unknown commit and names the limit", async () => {
  await using at = await parted();
  const before = performance.now();
  expect(await at.failure("git_cherry_pick", { revisions: Array.from({ length: 1000 }, (_, n) => `nowhere-${n}`) })).toContain(
    '"nowhere-0"',
  );
  await at.call("git_tag", { action: "list" });
  expect(performance.now() - before).toBeLessThan(2000);
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

test("git_reflog pages through the positions of HEAD", async () => {
  await using at = await parted();
  const wanted = at.repository.git("log", "-g", "--format=%H %gs").split("\n");
  const seen: string[] = [];
  let cursor: unknown;
  do {
    const { data } = await at.call("git_reflog", { max_count: 3, ...(cursor !== undefined && { cursor }) });
    seen.push(...(data["entries"] as { hash: string; message: string }[]).map(({ hash, message }) => `${hash} ${message}`));
    cursor = data["nextCursor"];
  } while (cursor !== undefined);
  expect(seen).toEqual(wanted);
  expect((await at.call("git_reflog", { ref: "other" })).data["entries"]).toHaveLength(3);
  expect(await at.failure("git_reflog", { ref: "nope" })).toContain('There is no branch "nope"');
});

test("GIT-05 git_init creates plain repositories below the folder of repositories only", async () => {
  await using folder = tempFolder({ all: { files: { "a.txt": "a" } }, outside: {} });
  const repository = makeRepository(folder.at("all/project"), { a: "a" });
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  expect((await at.call("git_init", { path: "new", initial_branch: "trunk" })).data).toEqual({
    path: folder.at("all/new"),
    branch: "trunk",
  });
  expect(existsSync(folder.at("all/new/.git/hooks"))).toBe(false);
  await at.call("git_init", { path: folder.at("all/files") });
  expect((await at.call("git_status", { repo_path: "files" })).data).toMatchObject({ untracked: ["a.txt"] });
  for (const path of ["../outside/x", folder.at("outside/x"), "/tmp", "project/sub", "project", "new/.git/x", ".", "--bare"])
    await at.failure("git_init", { path });
  expect(existsSync(folder.at("outside/x"))).toBe(false);
  await using single = await world({ tree: { a: "a" } });
  expect(await single.failure("git_init", { path: "x" })).toContain("--repositories-root");
});

test.each(["3", "12", "none"])("finds conflicting lines with the marker size of an attribute, %s", async (size) => {
  await using at = await parted();
  at.repository.commit("size", { ".gitattributes": `f.txt conflict-marker-size=${size}\n` });
  at.repository.git("config", "merge.conflictStyle", "diff3");
  const regions = [{ ours: { start: 3, end: 3 }, base: { start: 5, end: 5 }, theirs: { start: 7, end: 7 } }];
  expect((await at.call("git_merge", { revision: "other" })).data["conflicts"]).toEqual([{ ...CONFLICT, regions }]);
});

test("finds conflicting lines of a file with CRLF, in a name that is escaped", async () => {
  const name = "f\u001b.txt";
  await using at = await world({ tree: { [name]: "1\r\n2\r\n" }, allowDiscard: true });
  const { repository } = at;
  repository.git("checkout", "--quiet", "-b", "other");
  repository.commit("theirs", { [name]: "1\r\ntheirs\r\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("ours", { [name]: "1\r\nours\r\n" });
  const { data, text } = await at.call("git_merge", { revision: "other" });
  expect(data["conflicts"]).toEqual([{ ...CONFLICT, path: name }]);
  expect(readFileSync(`${repository.path}/${name}`, "utf8")).toContain("=======\r\n");
  const refused = await at.failure("git_restore", { files: [name] });
  expect(refused).toMatch(/^A merge is in progress and these files are in conflict: .*: f\\x1b\.txt$/);
  expect(text).toContain("f\\x1b.txt (both modified), lines 2-6");
});

test("asks no confirmation to abort an operation that is not in progress", async () => {
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return { action: "accept" as const, content: { confirm: true } };
  };
  await using at = await world({ tree: { "f.txt": "1\n" }, elicit });
  for (const [tool, what] of Object.entries({
    git_merge: "merge",
    git_rebase: "rebase",
    git_cherry_pick: "cherry-pick",
    git_revert: "revert",
  }))
    expect(await at.failure(tool, { step: "abort" })).toBe(`There is no ${what} in progress. git_status shows the state.`);
  expect(asked).toEqual([]);
});

test.each(["git_merge", "git_rebase", "git_cherry_pick", "git_revert", "git_pull"])(
  "%s does not start under a foreign lock and leaves nothing half-done",
  async (tool) => {
    await using at = await parted();
    const { repository } = at;
    writeFileSync(`${repository.path}/.git/index.lock`, "");
    const args = { git_merge: { revision: "other" }, git_rebase: { upstream: "other" }, git_pull: {} }[tool] ?? { revisions: ["other"] };
    expect(await at.failure(tool, args)).toContain("Another git process holds the lock .git/index.lock");
    expect((await at.call("git_status")).data).not.toHaveProperty("operation");
  },
);

test.each(["git_cherry_pick", "git_revert"])("%s of several continues after the conflicting one was committed by hand", async (tool) => {
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

test("a bisect allows a merge; an am must be finished with git itself", async () => {
  await using at = await parted();
  const { repository } = at;
  repository.git("bisect", "start");
  expect((await at.call("git_cherry_pick", { revisions: ["other"] })).data).toMatchObject({ state: "done" });
  repository.git("bisect", "reset");
  const patch = repository.raw(["format-patch", "--stdout", "-1", "other~1"]);
  repository.raw(["am"], { input: patch, loose: true });
  expect((await at.call("git_status")).text).toContain("An am is in progress.");
  expect(await at.failure("git_merge", { revision: "other" })).toBe(
    "An am is in progress: finish it with git itself (git am --continue or --abort), before the next one.",
  );
});
