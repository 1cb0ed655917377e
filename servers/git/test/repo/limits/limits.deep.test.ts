// What the data of a clone cannot show is said: shallow history, sparse checkouts, missing objects, replacements.
import { existsSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { cloneOf, makeRepository } from "../../support/repository.ts";
import { world, worldOf, type World } from "../../support/world.ts";

const origin = (path: string) => {
  const repository = makeRepository(path, { "a.txt": "one\n", "b.txt": "b\n" });
  repository.commit("second", { "a.txt": "one\ntwo\n" });
  repository.commit("third", { "b.txt": "B\n" });
  return repository;
};

const clone = async (...options: string[]): Promise<World> => {
  const folder = tempFolder();
  const from = origin(folder.at("origin"));
  from.git("config", "uploadpack.allowFilter", "true");
  return await worldOf(folder, cloneOf(from, folder.at("clone"), ...options));
};

describe("a shallow clone", () => {
  test("names its boundary in log, show, blame and status", async () => {
    await using at = await clone("--depth=2");
    const boundary = at.repository.git("rev-parse", "HEAD~1");
    const notice = `[shallow clone: its history ends at ${boundary.slice(0, 12)} (boundary). What is older counts as changed there, and all files as new; git fetch --unshallow gets the rest]`;
    const log = await at.call("git_log");
    expect(log.text).toContain(notice);
    expect((log.data["commits"] as { boundary?: true }[]).map((commit) => commit.boundary)).toEqual([undefined, true]);
    const show = await at.call("git_show", { revision: "HEAD~1" });
    expect(show.text).toContain(notice);
    expect(show.data).toMatchObject({ boundary: true, warnings: [notice] });
    const blame = await at.call("git_blame", { path: "a.txt" });
    expect(blame.text).toContain(notice);
    expect(blame.data["hunks"]).toMatchObject([{ hash: boundary, boundary: true }]);
    expect((await at.call("git_status")).text).toContain(notice);
  });

  test("stays silent where a page or a file does not reach its boundary", async () => {
    await using at = await clone("--depth=2");
    for (const [name, args] of [
      ["git_log", { max_count: 1 }],
      ["git_show", { revision: "HEAD" }],
      ["git_blame", { path: "b.txt" }],
    ] as const)
      expect((await at.call(name, args)).data, name).not.toHaveProperty("warnings");
  });

  test("says for a path whose history is older that it ends", async () => {
    await using at = await clone("--depth=1");
    expect((await at.call("git_log", { author: "nowhere" })).text).toMatch(/^Commit history:\nNo commits\n\[shallow clone:/);
  });
});

test("says on the first page of a history that replace refs are not applied", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  for (const message of ["second", "third"]) at.repository.commit(message);
  at.repository.git("replace", "--graft", "HEAD");
  const first = await at.call("git_log", { max_count: 1 });
  expect(first.text).toContain("[replace refs and grafts are not applied");
  const further = await at.call("git_log", { max_count: 1, cursor: first.data["nextCursor"] });
  expect(further.data).not.toHaveProperty("warnings");
});

test.each(["loose", "packed"])("says that %s replace refs are not applied", async (how) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.commit("second");
  at.repository.git("replace", "--graft", "HEAD");
  if (how === "packed") at.repository.git("pack-refs", "--all");
  for (const [name, args] of [
    ["git_log", {}],
    ["git_show", { revision: "HEAD" }],
    ["git_blame", { path: "a.txt" }],
    ["git_status", {}],
  ] as const)
    expect((await at.call(name, args)).text, name).toContain(
      "[replace refs and grafts are not applied: this is the history as it was committed",
    );
});

test("says that grafts are not applied", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  expect((await at.call("git_log")).data).not.toHaveProperty("warnings");
  at.repository.write({ ".git/info/grafts": `${at.repository.git("rev-parse", "HEAD")}\n` });
  expect((await at.call("git_log")).text).toContain("[replace refs and grafts are not applied");
});

describe("a sparse checkout", () => {
  const sparse = async (): Promise<World> => {
    const at = await world({ tree: { "in/a.txt": "needle\n", "out/b.txt": "needle\n", "top.txt": "t\n" }, allowDiscard: true });
    at.repository.git("sparse-checkout", "set", "--cone", "in");
    return at;
  };

  test("lists it in status and in a search of the work tree", async () => {
    await using at = await sparse();
    expect((await at.call("git_status")).text).toContain("[sparse checkout: 1 tracked file is not in the work tree (and unchanged)]");
    expect((await at.call("git_grep", { pattern: "needle" })).text).toBe(
      "in/a.txt:1: needle\n[sparse checkout: 1 tracked file is not in the work tree; git_grep with revision HEAD searches all]",
    );
    expect((await at.call("git_grep", { pattern: "needle", revision: "HEAD" })).data["matches"]).toHaveLength(2);
    expect((await at.call("git_grep", { pattern: "needle", paths: ["in"] })).data).not.toHaveProperty("warnings");
  });

  test("is the reason why blame and restore refuse a file", async () => {
    await using at = await sparse();
    const reason = /^out\/b\.txt is not in the work tree: it lies outside the sparse checkout\. /;
    expect(await at.failure("git_blame", { path: "out/b.txt" })).toMatch(reason);
    await at.call("git_blame", { path: "out/b.txt", revision: "HEAD" });
    for (const files of [["out/b.txt"], ["out"]]) expect(await at.failure("git_restore", { files })).toMatch(reason);
    at.repository.write({ "in/a.txt": "changed\n" });
    expect((await at.call("git_restore", { files: ["."] })).text).toContain("[sparse checkout: 1 tracked file is not in the work tree");
    expect(existsSync(`${at.repository.path}/out`)).toBe(false);
  });

  test("does not keep git_add from staging the rest", async () => {
    await using at = await sparse();
    at.repository.write({ "in/a.txt": "changed\n", "in/new.txt": "n\n", "out/new.txt": "n\n" });
    const { text, data } = await at.call("git_add", { files: ["."] });
    expect(text).toContain("Staged: in/a.txt, in/new.txt");
    expect(text).toContain("Left out, outside the sparse checkout: out/new.txt.");
    expect(data["outside"]).toEqual(["out/new.txt"]);
    expect(at.repository.git("diff", "--cached", "--name-only")).toBe("in/a.txt\nin/new.txt");
    expect((await at.call("git_add", { files: ["out/new.txt"] })).text).toMatch(/^Nothing was staged\nLeft out, outside/);
  });
});

describe("a partial clone", () => {
  test("names what is missing and where it is", async () => {
    await using at = await clone("--filter=blob:none", "--no-checkout");
    const blob = at.repository.git("rev-parse", "HEAD:a.txt");
    for (const [name, args] of [
      ["git_show", { revision: "HEAD", path: "a.txt" }],
      ["git_show", { revision: "HEAD" }],
      ["git_grep", { pattern: "one", revision: "HEAD" }],
      ["git_blame", { path: "a.txt", revision: "HEAD" }],
      ["git_log", { stat: true }],
      ["git_log", { pickaxe: "two" }],
    ] as const)
      expect(await at.failure(name, args), name).toMatch(/partial clone/);
    expect(await at.failure("git_show", { revision: "HEAD", path: "a.txt" })).toContain(blob);
  });
});
