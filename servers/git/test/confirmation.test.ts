// What discards work is asked for: one boolean, and only an accepted true is a yes; live and in rounds alike.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { accept, runInBothEras, cancel, connectTo, decline, tempFolder, type TempFolder } from "@oarlock/testing";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "./support/repository.ts";
import { targetOf } from "./support/target.ts";
import { world } from "./support/world.ts";

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

interface Act {
  readonly title: string;
  readonly call: string;
  readonly args: Json;
  prepare(repository: TestRepository): void;
  /** What would be lost. */
  left(repository: TestRepository): unknown;
}

const ACTS: readonly Act[] = [
  {
    title: "restore",
    call: "git_restore",
    args: { files: ["a.txt"] },
    prepare: (repository) => repository.write({ "a.txt": "work\n" }),
    left: ({ path }) => readFileSync(`${path}/a.txt`, "utf8") === "work\n",
  },
  {
    title: "hard reset",
    call: "git_reset",
    args: { mode: "hard" },
    prepare: (repository) => repository.write({ "a.txt": "work\n" }),
    left: ({ path }) => readFileSync(`${path}/a.txt`, "utf8") === "work\n",
  },
  {
    title: "dropping a stash",
    call: "git_stash",
    args: { action: "drop" },
    prepare: (repository) => repository.write({ "a.txt": "work\n" }).git("stash", "push", "--quiet"),
    left: (repository) => repository.git("stash", "list") !== "",
  },
  {
    title: "deleting a tag",
    call: "git_tag",
    args: { action: "delete", name: "v1" },
    prepare: (repository) => repository.git("tag", "v1"),
    left: (repository) => repository.git("tag") === "v1",
  },
  {
    title: "removing a work tree with changes",
    call: "git_worktree",
    args: { action: "remove", path: "side" },
    prepare: (repository) => {
      repository.git("worktree", "add", "--quiet", "side", "-b", "side");
      repository.write({ "side/a.txt": "work\n" });
    },
    left: ({ path }) => existsSync(`${path}/side/a.txt`),
  },
  {
    title: "giving up a merge",
    call: "git_merge",
    args: { step: "abort" },
    prepare: (repository) => {
      repository.git("checkout", "--quiet", "-b", "other");
      repository.commit("theirs", { "a.txt": "theirs\n" });
      repository.git("checkout", "--quiet", "main");
      repository.commit("ours", { "a.txt": "ours\n" });
      repository.loosely("merge", "other");
    },
    left: ({ path }) => existsSync(`${path}/.git/MERGE_HEAD`),
  },
  {
    title: "removing a remote",
    call: "git_remote",
    args: { action: "remove", name: "origin" },
    prepare: (repository) => repository.git("remote", "add", "origin", "https://example.org/x.git"),
    left: (repository) => repository.git("remote") === "origin",
  },
];

function stage({ prepare, left }: Act, options = {}) {
  return async () => {
    // Each way at the same place, as answers name it.
    rmSync(folder.at("project"), { recursive: true, force: true });
    const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
    prepare(repository);
    const { server } = await targetOf({ repositories: [repository.path], ...options });
    return { server: server(), effects: () => left(repository) };
  };
}

describe.each(ACTS)("$title", (act) => {
  test("goes on when the user accepts", async () => {
    const { answer, effects, requests } = await runInBothEras(
      stage(act),
      { call: act.call, args: act.args },
      { replies: [accept({ confirm: true })] },
    );
    expect(answer).toMatchObject({ result: { content: expect.any(Array) } });
    expect(isObject(answer) && "result" in answer && answer.result["isError"]).toBeUndefined();
    expect(effects).toBe(false);
    expect(requests).toMatchObject([
      { method: "elicitation/create", params: { requestedSchema: { properties: { confirm: { type: "boolean" } } } } },
    ]);
  });

  test.each([
    ["accepted with false", accept({ confirm: false })],
    ["declined", decline],
    ["cancelled", cancel],
  ])("fails when %s", async (_how, line) => {
    const { answer, effects } = await runInBothEras(stage(act), { call: act.call, args: act.args }, { replies: [line as never] });
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("Not done: the user declined") }] },
    });
    expect(effects).toBe(true);
  });

  test("is refused without elicitation support, with the switch that allows it", async () => {
    const { server, effects } = await stage(act)();
    await using wired = await connectTo(server);
    expect(await wired.client.call(act.call, act.args)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("--allow-discard") }],
    });
    expect(effects()).toBe(true);
  });

  test("does not ask with --allow-discard", async () => {
    const allowed = await stage(act, { allowDiscard: true })();
    await using other = await connectTo(allowed.server);
    expect((await other.client.call(act.call, act.args)).isError).toBeUndefined();
    expect(allowed.effects()).toBe(false);
  });
});

test("does not ask where nothing would be lost", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server());
  expect((await wired.client.call("git_reset", { mode: "hard" })).isError).toBeUndefined();
  expect((await wired.client.call("git_restore", { files: ["a.txt"], staged: true })).isError).toBeUndefined();
});

test("does not ask about files that cannot be restored", async () => {
  const asked: string[] = [];
  const elicit = ({ message }: { message: string }) => {
    asked.push(message);
    return decline;
  };
  await using at = await world({ tree: { "a.txt": "a\n", "b.txt": "b\n" }, elicit });
  at.repository.write({ "a.txt": "put aside\n" }).git("stash", "push", "--quiet");
  at.repository.commit("gone on", { "a.txt": "theirs\n" });
  at.repository.loosely("stash", "pop", "--quiet");
  const unknown = "git: pathspec 'nope' did not match any file(s) known to git";
  expect(await at.failure("git_restore", { files: ["nope"] })).toBe(unknown);
  expect(await at.failure("git_restore", { files: ["b.txt", "nope"], source: "HEAD" })).toBe(unknown);
  expect(await at.failure("git_restore", { files: ["."] })).toBe("These files are in conflict: resolve them, or give a source: a.txt");
  expect(asked).toEqual([]);
  // What is staged as gone is known only to HEAD, and costs nothing to bring back.
  at.repository.git("rm", "--quiet", "b.txt");
  await at.call("git_restore", { files: ["b.txt"], staged: true });
  expect(at.repository.git("ls-files", "b.txt")).toBe("b.txt");
});

test("does not drop another stash than the confirmed one", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const putAside = (text: string) => repository.write({ "a.txt": text }).git("stash", "push", "--quiet");
  const asked: string[] = [];
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: ({ message }: { message: string }) => {
      asked.push(message);
      putAside("newer\n");
      return { action: "accept", content: { confirm: true } };
    },
  });
  putAside("older\n");
  const older = repository.git("rev-parse", "stash@{0}");
  const answer = await wired.client.call("git_stash", { action: "drop" });
  expect(asked).toEqual([`Drop stash@{0} (${older.slice(0, 7)}) of project? This cannot be undone.`]);
  expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("is another one now") }] });
  expect(repository.git("stash", "list").split("\n")).toHaveLength(2);
});

test("does not delete a branch that has moved since the user was asked", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const commitTo = (branch: string, ...options: string[]) => {
    repository.git("checkout", "--quiet", ...options, branch);
    repository.commit("work", { "b.txt": `${Math.random()}\n` });
    repository.git("checkout", "--quiet", "main");
    return repository.git("rev-parse", branch);
  };
  commitTo("side", "-b");
  let moved = "";
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: () => {
      moved = commitTo("side");
      return { action: "accept", content: { confirm: true } };
    },
  });
  const answer = await wired.client.call("git_branch", { action: "delete", name: "side" });
  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: 'Not deleted: branch "side" has moved meanwhile. Look at it again with git_log.' }],
  });
  expect(repository.git("rev-parse", "side")).toBe(moved);
});

test("does not delete a tag that has moved since the user was asked", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("tag", "v1");
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: () => {
      repository.commit("work", { "b.txt": "b\n" });
      repository.git("tag", "--force", "v1");
      return { action: "accept", content: { confirm: true } };
    },
  });
  const answer = await wired.client.call("git_tag", { action: "delete", name: "v1" });
  expect(answer).toMatchObject({
    isError: true,
    content: [{ text: 'Not deleted: tag "v1" has moved meanwhile. Look at it again with git_show.' }],
  });
  expect(repository.git("rev-parse", "v1")).toBe(repository.git("rev-parse", "HEAD"));
});

test("says which acts can be undone", async () => {
  const repository = makeRepository(folder.at("project"));
  repository.commit("first", { "a.txt": "a\n" });
  repository.commit("second", { "a.txt": "b\n" });
  repository.git("branch", "side");
  repository.git("reset", "--quiet", "--hard", "HEAD~1");
  const asked: string[] = [];
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: ({ message }: { message: string }) => (asked.push(message), { action: "accept", content: { confirm: true } }),
  });
  await wired.client.call("git_branch", { action: "delete", name: "side" });
  await wired.client.call("git_reset", { revision: "ORIG_HEAD", mode: "hard" });
  repository.write({ "a.txt": "work\n" });
  await wired.client.call("git_reset", { revision: "HEAD~1", mode: "hard" });
  expect(asked).toEqual([
    expect.stringMatching(/^Delete the branch side .*\? Its commits can be brought back by their id for two weeks\.$/),
    expect.stringMatching(/^Move the branch to .*\? Its commits can be brought back by their id for two weeks\.$/),
    expect.stringMatching(/^Discard all changes in 1 file and move .*\? This cannot be undone\.$/),
  ]);
});

test("a name cannot add lines to the question", async () => {
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  const asked: string[] = [];
  const { server } = await targetOf({ repositories: [repository.path] });
  await using wired = await connectTo(server(), {
    elicit: ({ message }: { message: string }) => {
      asked.push(message);
      return decline;
    },
  });
  const path = "side\nNothing is lost";
  repository.git("worktree", "add", "--quiet", path, "-b", "side");
  repository.write({ [`${path}/a.txt`]: "work\n" });
  await wired.client.call("git_worktree", { action: "remove", path });
  expect(asked).toEqual(["Remove the work tree side\\nNothing is lost with changes that are not committed? This cannot be undone."]);
});
