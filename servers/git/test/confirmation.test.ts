// What discards work is asked for: one boolean, and only an accepted true is a yes; live and in rounds alike.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { accept, runInBothEras, cancel, connectTo, decline, tempFolder, type TempFolder } from "@oarlock/testing";
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRepository, type TestRepository } from "./support/repository.ts";
import { targetOf, type Setup } from "./support/target.ts";

let folder: TempFolder;

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
      repository.write({ "a.txt": "both\n" });
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

const REFUSALS = [
  ["declined", decline],
  ["cancelled", cancel],
  ["accepted with false", accept({ confirm: false })],
] as const;

/** A repository in the state before the act. */
function prepared({ prepare }: Act, name: string): TestRepository {
  const repository = makeRepository(folder.at(name), { "a.txt": "a\n" });
  prepare(repository);
  return repository;
}

async function staged({ left }: Act, repository: TestRepository, options: Partial<Setup> = {}) {
  const { server } = await targetOf({ repositories: [repository.path], ...options });
  return { server: server(), effects: () => left(repository) };
}

describe.each(ACTS)("$title", (act) => {
  const request = { call: act.call, args: act.args };
  let untouched: TestRepository;
  beforeAll(() => {
    folder = tempFolder();
    // Refused calls change nothing: one repository is enough for all of them.
    untouched = prepared(act, "untouched");
  });
  afterAll(() => folder[Symbol.asyncDispose]());

  test("continues when the user accepts", async () => {
    const stage = () => {
      // Each way at the same place, as answers name it.
      rmSync(folder.at("project"), { recursive: true, force: true });
      return staged(act, prepared(act, "project"));
    };
    const { answer, effects, requests } = await runInBothEras(stage, request, { replies: [accept({ confirm: true })] });
    expect(answer).toMatchObject({ result: { content: expect.any(Array) } });
    expect(isObject(answer) && "result" in answer && answer.result["isError"]).toBeUndefined();
    expect(effects).toBe(false);
    expect(requests).toMatchObject([
      { method: "elicitation/create", params: { requestedSchema: { properties: { confirm: { type: "boolean" } } } } },
    ]);
  });

  // All acts ask by one function: the first act shows what it takes for a no.
  test.each(act === ACTS[0] ? REFUSALS : REFUSALS.slice(0, 1))("fails when %s", async (_how, line) => {
    const { answer, effects } = await runInBothEras(() => staged(act, untouched), request, { replies: [line as never] });
    expect(answer).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("Not done: the user declined") }] },
    });
    expect(effects).toBe(true);
  });

  test("refuses a client without elicitation support and names the switch that allows the act", async () => {
    const { server, effects } = await staged(act, untouched);
    await using wired = await connectTo(server);
    expect(await wired.client.call(act.call, act.args)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("--allow-discard") }],
    });
    expect(effects()).toBe(true);
  });

  test("asks no confirmation with --allow-discard", async () => {
    const { server, effects } = await staged(act, prepared(act, "allowed"), { allowDiscard: true });
    await using wired = await connectTo(server);
    expect((await wired.client.call(act.call, act.args)).isError).toBeUndefined();
    expect(effects()).toBe(false);
  });
});
