// Tools that only read leave every file of the git directory as it is, also where files of the work tree look changed and are not.
import { lstatSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { connectTo, tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entriesBelow } from "../support/entries.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import { serverWithToolsets } from "../support/target.ts";
import { textOf } from "../support/world.ts";

/** Arguments for each tool that `--read-only` offers. */
const CALLS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  git_status: [{}],
  git_diff_unstaged: [{}, { format: "stat" }, { format: "names" }],
  git_diff_staged: [{}],
  git_diff: [{ target: "HEAD" }, { target: "HEAD", base: "HEAD~1" }],
  git_log: [{}, { paths: ["same.txt"] }],
  git_show: [{ revision: "HEAD" }],
  git_branch: [{}],
  git_blame: [{ path: "other.txt" }],
  git_grep: [{ pattern: "a" }],
  git_shortlog: [{}],
  git_bisect: [
    { good: "HEAD~2", text: "d" },
    { good: "HEAD~2", path: "later.txt" },
  ],
  git_stash: [{ action: "list" }, { action: "show" }],
  git_worktree: [{ action: "list" }],
  git_tag: [{ action: "list" }],
  git_remote: [{ action: "list" }],
  git_reflog: [{}],
};

function changedRepository(folder: TempFolder, ...settings: string[]): TestRepository {
  const repository = makeRepository(folder.at("project"), { "same.txt": "a\n", "other.txt": "a\n" });
  for (const key of settings) repository.git("config", key, "true");
  repository.commit("second", { "later.txt": "d\n" });
  repository.commit("third");
  repository.write({ "other.txt": "b\n" }).git("stash", "push", "--quiet");
  if (settings.length > 0) repository.git("update-index", "--refresh");
  repository.write({ "other.txt": "c\n" });
  // As a copy or an editor leaves it: another time, the same content.
  utimesSync(join(repository.path, "same.txt"), 1_000_000_000, 1_000_000_000);
  return repository;
}

test.each([{ settings: [] }, { settings: ["core.splitIndex"] }])(
  "writes nothing below .git in any reading tool, with %j",
  async ({ settings }) => {
    await using folder = tempFolder();
    const repository = changedRepository(folder, ...settings);
    await using wired = await connectTo(
      await serverWithToolsets({ repositories: [repository.path], readOnly: true }, ["default", "integrate"]),
    );
    const tools = await wired.client.tools().all();
    expect(tools.map(({ name }) => name).toSorted(), "enter each tool that reads in CALLS of this test").toEqual(
      Object.keys(CALLS).toSorted(),
    );
    const before = entriesBelow(repository.path);
    for (const [name, calls] of Object.entries(CALLS))
      for (const args of calls) {
        const result = await wired.client.call(name, { ...args });
        expect(result.isError, `${name}: ${textOf(result)}`).toBeUndefined();
        expect(entriesBelow(repository.path), `${name} ${JSON.stringify(args)}`).toEqual(before);
      }
  },
);

test.each(["patch", "stat", "names"])("leaves a file with another time and the same content out of a diff, as %s", async (format) => {
  await using folder = tempFolder();
  const repository = changedRepository(folder);
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path] }));
  const { structuredContent } = await wired.client.call("git_diff_unstaged", { format });
  expect(structuredContent).toMatchObject({ files: [{ path: "other.txt" }] });
  expect(JSON.stringify(structuredContent)).not.toContain("same.txt");
});

test("notices a change in the same clock tick as the index's last write", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path] }));
  const index = join(repository.path, ".git/index");
  repository.write({ "a.txt": "b\n" }).git("add", "a.txt");
  repository.write({ "a.txt": "c\n" });
  const { mtimeMs } = lstatSync(index);
  utimesSync(join(repository.path, "a.txt"), mtimeMs / 1000, mtimeMs / 1000);
  expect(textOf(await wired.client.call("git_diff_unstaged", {}))).toContain("+c");
});
