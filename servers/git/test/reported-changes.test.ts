// The audit file begins with what a call has resolved and moved (L6), whatever its arguments look like.
import { realpathSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, reportedChanges, tempFolder, writeTree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { targetOf } from "./support/target.ts";
import { world } from "./support/world.ts";

test.each<[tool: string, args: object, names: string[]]>([
  ["git_add", { files: ["x://../new.txt"] }, ["new.txt"]],
  ["git_add", { files: ["."] }, ["new.txt"]],
  ["git_commit", { message: "secret", allow_empty: true }, ["refs/heads/main"]],
  ["git_checkout", { branch_name: "topic" }, ["topic", "refs/heads/topic"]],
  ["git_create_branch", { branch_name: "other", base_branch: "HEAD" }, ["other"]],
  ["git_branch", { action: "delete", name: "topic" }, ["topic"]],
  ["git_reset", { revision: "HEAD~1", mode: "soft" }, ["refs/heads/main"]],
  ["git_restore", { files: ["d/../a.txt"] }, ["a.txt"]],
  ["git_tag", { action: "create", name: "v1" }, ["v1"]],
  ["git_merge", { revision: "topic" }, ["refs/heads/main"]],
])("%s reports what %j resolves to", async (tool, args, names) => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("commit", "--allow-empty", "--message=second");
  repository.git("branch", "topic");
  repository.git("checkout", "--quiet", "topic");
  repository.git("commit", "--allow-empty", "--message=third");
  repository.git("checkout", "--quiet", "main");
  writeTree(repository.path, { "new.txt": "n\n" });
  await using wired = await connectTo(await targetOf({ repositories: [repository.path], allowDiscard: true }));
  const reported = await reportedChanges(() => wired.client.call(tool, { ...args }));
  expect(reported).toContain(realpathSync(repository.path));
  expect(reported).toEqual(expect.arrayContaining(names));
  expect(JSON.stringify(reported)).not.toContain("secret");
});

test("git_init reports the real path of the new repository", async () => {
  await using folder = tempFolder();
  await using wired = await connectTo(await targetOf({ repositoriesRoots: [folder.path] }));
  const reported = await reportedChanges(() => wired.client.call("git_init", { path: "a/x://../../new" }));
  expect(reported).toContain(`${realpathSync(folder.path)}/new`);
});

test.each<[what: string, args: Json]>([
  ["files", { files: ["new.txt", "a.txt"] }],
  ["a patch", { patch: "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n" }],
])("git_add reports nothing for a dry run of %s", async (_what, args) => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  at.repository.write({ "a.txt": "b\n", "new.txt": "n\n" });
  expect(await reportedChanges(() => at.call("git_add", { ...args, dry_run: true }))).toEqual([]);
  expect(await reportedChanges(() => at.call("git_add", args))).toEqual(expect.arrayContaining([at.repository.path, "a.txt"]));
});

test("reports nothing for a refused patch", async () => {
  await using at = await world({ tree: { "a.txt": "a\n" } });
  const patch = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+b\n";
  expect(await reportedChanges(() => at.failure("git_add", { patch }))).toEqual([]);
});
