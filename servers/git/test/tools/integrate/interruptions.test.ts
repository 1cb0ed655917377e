// Around the operations of the toolset integrate: where conflicts are, what does not start or abort, and git_reflog and git_init.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CONFLICT, parted } from "../../support/parted-branches.ts";
import { makeRepository } from "../../support/repository.ts";
import { world, worldOf, type World } from "../../support/world.ts";

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
  const other = await at.call("git_reflog", { ref: "other" });
  expect(other.data["entries"]).toHaveLength(3);
  expect(other.text).toMatch(/^other@\{0\} [0-9a-f]{12} \d{4}-\d\d-\d\dT\d\d:\d\d commit: aside\n/);
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

test("creates nothing at or below a file, and names it", async () => {
  await using folder = tempFolder({ all: { "a.txt": "a" } });
  const repository = makeRepository(folder.at("all/project"), { "f.txt": "f" });
  await using at = await worldOf(folder, repository, { repositoriesRoots: [folder.at("all")] });
  for (const path of ["a.txt", "a.txt/new", "a.txt/x/new"]) {
    const text = `${path} is a file or lies below one: give the path of a folder that is new or empty.`;
    expect(await at.failure("git_init", { path })).toBe(text);
    expect(await at.failure("git_clone", { url: "https://127.0.0.1:9/x.git", path })).toBe(text);
    expect(await at.failure("git_worktree", { repo_path: "project", action: "add", path: `../${path}` })).not.toContain("Internal error");
  }
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

describe("under a foreign lock", () => {
  let at: World;
  beforeAll(async () => {
    at = await parted();
    writeFileSync(`${at.repository.path}/.git/index.lock`, "");
  });
  afterAll(() => at[Symbol.asyncDispose]());

  test.each(["git_merge", "git_rebase", "git_cherry_pick", "git_revert", "git_pull"])(
    "%s does not start and leaves nothing half-done",
    async (tool) => {
      const args = { git_merge: { revision: "other" }, git_rebase: { upstream: "other" }, git_pull: {} }[tool] ?? { revisions: ["other"] };
      expect(await at.failure(tool, args)).toContain("Another git process holds the lock .git/index.lock");
      expect((await at.call("git_status")).data).not.toHaveProperty("operation");
    },
  );
});

describe("an operation in progress that another program left", () => {
  /** An operation that stopped at a conflict, which is resolved. */
  async function stopped(tool: "git_cherry_pick" | "git_rebase"): Promise<World> {
    const at = await parted();
    await at.call(tool, tool === "git_rebase" ? { upstream: "other" } : { revisions: ["other~1", "other"] });
    at.repository.write({ "f.txt": "1\nresolved\n3\n" });
    at.repository.git("add", "-A");
    return at;
  }

  test("runs no program as its merge strategy, which an alias would provide", async () => {
    for (const [tool, file, text] of [
      ["git_cherry_pick", "sequencer/opts", "[options]\n\tstrategy = foo\n"],
      ["git_rebase", "rebase-merge/strategy", "foo\n"],
    ] as const) {
      await using at = await stopped(tool);
      const { path } = at.repository;
      const id = at.repository.git("rev-parse", "other");
      const todo = tool === "git_rebase" ? "rebase-merge/git-rebase-todo" : "sequencer/todo";
      writeFileSync(`${path}/.git/${todo}`, `pick ${id}\npick ${id}\n`);
      writeFileSync(`${path}/.git/${file}`, text);
      for (const step of ["continue", "skip"]) {
        expect(await at.failure(tool, { step })).toContain(`Refused: ${file} of the operation in progress holds "foo"`);
      }
    }
  });

  test("uses no alias for a strategy, and no setting that chooses one", async () => {
    await using at = await stopped("git_cherry_pick");
    for (const [key, value] of [
      ["alias.merge-foo", `!touch '${at.folder.at("mark")}'`],
      ["pull.twohead", "foo"],
    ] as const) {
      at.repository.git("config", key, value);
      expect(await at.failure("git_cherry_pick", { step: "continue" })).toMatch(
        /could run something(?: when files are merged)?: (?:alias\.merge-foo|pull\.twohead)\./,
      );
      at.repository.git("config", "--unset", key);
    }
    expect(existsSync(at.folder.at("mark"))).toBe(false);
  });

  test("runs no plan that is too long to read", async () => {
    await using at = await stopped("git_rebase");
    const plan = `${at.repository.path}/.git/rebase-merge/git-rebase-todo`;
    writeFileSync(plan, `exec touch '${at.folder.at("mark")}'\n#${"x".repeat(4 * 1024 * 1024)}\n`);
    const failed = await at.failure("git_rebase", { step: "continue" });
    expect(existsSync(at.folder.at("mark"))).toBe(false);
    expect(failed).toContain("Refused: rebase-merge/git-rebase-todo of the operation in progress is not a plain file of at most");
  });

  test("runs no plan behind a link", async () => {
    await using at = await stopped("git_rebase");
    const plan = `${at.repository.path}/.git/rebase-merge/git-rebase-todo`;
    rmSync(plan);
    at.repository.write({ plan: `exec touch '${at.folder.at("mark")}'\n` });
    symlinkSync("../../plan", plan);
    const failed = await at.failure("git_rebase", { step: "continue" });
    expect(existsSync(at.folder.at("mark"))).toBe(false);
    expect(failed).toContain("holds the symbolic link rebase-merge/git-rebase-todo, ");
  });
});

test.each(["3", "12", "none"])("finds conflicting lines by the marker size of an attribute, %s", async (size) => {
  await using at = await parted();
  at.repository.commit("size", { ".gitattributes": `f.txt conflict-marker-size=${size}\n` });
  at.repository.git("config", "merge.conflictStyle", "diff3");
  const regions = [{ ours: { start: 3, end: 3 }, base: { start: 5, end: 5 }, theirs: { start: 7, end: 7 } }];
  expect((await at.call("git_merge", { revision: "other" })).data["conflicts"]).toEqual([{ ...CONFLICT, regions }]);
});

test("finds conflicting lines of a file with CRLF and an escaped name", async () => {
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
