// --read-only: tools that list and change keep the actions that only list.
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { serverWithToolsets } from "../support/target.ts";
import { textOf } from "../support/world.ts";

test("--read-only lists tags, stashes, work trees and remotes, and changes none of them", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "a.txt": "a\n" });
  repository.git("tag", "v1");
  repository.git("remote", "add", "origin", "https://example.invalid/project");
  repository.write({ "a.txt": "b\n" }).git("stash", "push", "--quiet", "--message", "saved");
  await using wired = await connectTo(await serverWithToolsets({ repositories: [repository.path], readOnly: true }));
  const reply = async (name: string, args: object): Promise<string> => textOf(await wired.client.call(name, { ...args }));
  expect(await reply("git_tag", { action: "list" })).toMatch(/^v1 /);
  expect(await reply("git_stash", { action: "list" })).toMatch(/^stash@\{0\}: On main: saved/);
  expect(await reply("git_stash", { action: "show" })).toContain("-a\n+b");
  expect(await reply("git_worktree", { action: "list" })).toContain(repository.path);
  expect(await reply("git_remote", { action: "list" })).toBe("origin https://example.invalid/project");

  for (const [name, args] of [
    ["git_tag", { action: "create", name: "v2" }],
    ["git_stash", { action: "drop" }],
    ["git_worktree", { action: "prune" }],
    ["git_remote", { action: "remove", name: "origin" }],
  ] as const)
    expect((await wired.client.call(name, args)).isError, name).toBe(true);
  expect(repository.git("tag") + repository.git("remote") + repository.git("stash", "list", "--format=%gd")).toBe("v1originstash@{0}");
});
