// Failures in whose words git names no next step: the reply names one.
import { appendFileSync, writeFileSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { serverWithToolsets } from "./support/target.ts";
import { textOf, world, worldOf } from "./support/world.ts";

test("names the parents for the revert of a merge", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("checkout", "--quiet", "-b", "side");
  repository.commit("b", { "b.txt": "b\n" });
  repository.git("checkout", "--quiet", "main");
  repository.commit("c", { "c.txt": "c\n" });
  repository.git("merge", "--quiet", "--no-edit", "side");
  const [merge, first, second] = repository.git("rev-list", "--parents", "--no-walk", "HEAD").split(" ");
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path] }, ["default", "integrate"]));
  expect(textOf(await wired.client.call("git_revert", { revisions: ["HEAD"] }))).toBe(
    `${merge} is a merge: repeat the call with mainline, the number of the parent whose side stays: 1 for ${first}, 2 for ${second}.`,
  );
  expect((await wired.client.call("git_revert", { revisions: ["HEAD"], mainline: 1 })).isError).toBeUndefined();
});

test("names what can be done before the first commit", async () => {
  await using at = await world();
  at.repository.write({ "a.txt": "a\n" }).git("add", "a.txt");
  expect(await at.failure("git_restore", { files: ["a.txt"], source: "HEAD" })).toBe('Unknown revision "HEAD": there are no commits yet.');
  expect((await at.call("git_restore", { files: ["a.txt"], staged: true })).text).toBe("Unstaged a.txt");
  expect(at.repository.git("status", "--porcelain")).toBe("?? a.txt");
  at.repository.git("add", "a.txt");
  expect((await at.call("git_reset")).data).toEqual({ unstaged: ["a.txt"] });
});

test("names the command of git for an operation that only git itself ends", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const { repository } = at;
  repository.git("bisect", "start");
  expect((await at.call("git_status")).text).toContain("A bisect is in progress: only git itself ends it, by git bisect reset.");
  expect(await at.failure("git_merge", { step: "abort" })).toBe(
    "There is no merge in progress. A bisect is in progress: only git itself ends it, by git bisect reset.",
  );
  repository.git("bisect", "reset");
  repository.git("branch", "other", "HEAD");
  writeFileSync(`${repository.path}/.git/MERGE_HEAD`, `${repository.git("rev-parse", "HEAD")}\n`);
  writeFileSync(`${repository.path}/.git/MERGE_MODE`, "unheard-of");
  expect(await at.failure("git_merge", { step: "continue" })).toContain(
    "Look at the file, then end the operation with git itself: git merge, with --abort to go back or --continue.",
  );
});

test.each([
  { setting: "gpgSign", isReported: true },
  { setting: "gpgSign = yes", isReported: true },
  { setting: "gpgSign = false", isReported: false },
])("reports a missing signature only where the repository wants one: $setting", async ({ setting, isReported }) => {
  await using folder = tempFolder({ home: { ".gitconfig": "[commit]\n\tgpgSign = true\n" } });
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  appendFileSync(folder.at("project/.git/config"), `[commit]\n\t${setting}\n`);
  await using at = await worldOf(folder, repository, { env: { ...process.env, HOME: folder.at("home") } });
  const { data } = await at.call("git_commit", { message: "m", allow_empty: true });
  expect(JSON.stringify(data["warnings"]).includes("unsigned")).toBe(isReported);
});
