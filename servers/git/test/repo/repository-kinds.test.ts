// Looking at the kinds of repositories that differ most, against git's own plumbing. `repository-kinds.deep.test.ts` has the others.
import { writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { cloneOf, makeRepository } from "../support/repository.ts";
import { world, worldOf } from "../support/world.ts";
import { testSituation, type SituationName } from "./situation-tests.ts";
import { origin, partial } from "./situations.ts";

const KINDS: readonly SituationName[] = [
  "plain",
  "bare",
  "detached",
  "a linked work tree",
  "with a submodule that has changed",
  "in the middle of a conflict",
  "with ids of sha256",
];

describe.each(KINDS)("%s", (kind) => {
  testSituation(kind);
});

test("reports no commits in an empty repository and accepts the first one", async () => {
  await using folder = tempFolder();
  await using at = await worldOf(folder, makeRepository(folder.at("empty")));
  expect((await at.call("git_status")).data).toMatchObject({ branch: "main", staged: [], unstaged: [], untracked: [] });
  expect((await at.call("git_log")).data).toMatchObject({ commits: [] });
  expect((await at.call("git_branch")).data).toMatchObject({ branches: [] });
  for (const [name, args] of [
    ["git_show", { revision: "HEAD" }],
    ["git_diff", { target: "HEAD" }],
    ["git_create_branch", { branch_name: "x" }],
  ] as const)
    expect(await at.failure(name, args), name).toMatch(/no commits yet/);
  at.repository.write({ f: "one\n" });
  expect((await at.call("git_diff_staged")).text).toBe("Staged changes:\n");
  await at.call("git_add", { files: ["."] });
  await at.call("git_commit", { message: "the first" });
  expect(at.repository.git("log", "--format=%s")).toBe("the first");
});

test("reports missing objects of a partial clone and fetches none", async () => {
  await using folder = tempFolder();
  const repository = partial(folder);
  await using at = await worldOf(folder, repository);
  const before = repository.git("count-objects", "-v");
  expect(await at.failure("git_show", { revision: "HEAD~1" })).toMatch(/missing|partial clone/i);
  expect(await at.failure("git_show", { revision: "HEAD~2", path: "a.txt" })).toMatch(/missing|partial clone/i);
  expect(await at.failure("git_diff", { target: "HEAD~2" })).toMatch(/missing|partial clone/i);
  expect(repository.git("count-objects", "-v")).toBe(before);
});

test("RES-25 lists refs but no status of a bare repository", async () => {
  const folder = tempFolder();
  await using at = await worldOf(folder, cloneOf(origin(folder), folder.at("bare.git"), "--bare"));
  const listed = (await Array.fromAsync(at.client.resources())).map(({ uri }) => uri);
  expect(listed).toEqual(["git:///bare/refs"]);
});

test.each(["garbage\n", "", "ref: elsewhere\n"])("V1 refuses a repository with %o as its HEAD", async (head) => {
  await using at = await world({ tree: { f: "one\n", g: "two\n" } });
  writeFileSync(`${at.repository.path}/.git/HEAD`, head);
  for (const [tool, args] of [
    ["git_status", {}],
    ["git_log", {}],
    ["git_diff_unstaged", {}],
    ["git_diff_unstaged", { paths: ["f", "g"] }],
    ["git_diff_staged", {}],
    ["git_branch", {}],
  ] as const)
    expect(await at.failure(tool, args)).toMatch(
      /^Not a git repository: HEAD, objects or refs in the \.git of \S+ is missing or damaged\. Repair or recreate it\.$/,
    );
});
