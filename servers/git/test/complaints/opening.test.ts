// Complaints about opening repositories, and about what is called to it; each answered by a test. The manual lists them.
import { mkdirSync, symlinkSync } from "node:fs";
import { connectTo, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { serverWithToolsets, targetOf } from "../support/target.ts";
import { textOf } from "../support/world.ts";

const DENIED = /^Access denied/;

test("servers#604 servers#4550 servers#4552 opens only named repositories, or the one around the working directory", async () => {
  await using folder = tempFolder();
  const [one, other] = ["one", "other"].map((name) => makeRepository(folder.at(name), { f: name }));
  await using named = await connectTo(await targetOf({ repositories: [folder.at("one")] }));
  expect(textOf(await named.client.call("git_log", { repo_path: other?.path }))).toMatch(DENIED);
  expect(textOf(await named.client.call("git_log", { repo_path: one?.path }))).toContain("first");
  mkdirSync(folder.at("one/deep"));
  await using around = await connectTo(await targetOf({ cwd: folder.at("one/deep") }));
  expect(textOf(await around.client.call("git_log", {}))).toContain("first");
  expect(textOf(await around.client.call("git_log", { repo_path: other?.path }))).toMatch(DENIED);
});

test("servers#3613 forgets removed roots", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { f: "one" });
  const root = (path: string) => ({ uri: `file://${path}` });
  await using wired = await connectTo(await targetOf({ repositories: [repository.path] }), { roots: [root(folder.path)] });
  const log = async (): Promise<string> => textOf(await wired.client.call("git_log", {}));
  expect(await log()).toContain("first");
  for (const roots of [[], [root(folder.at("elsewhere"))]]) {
    wired.client.setRoots(roots);
    expect(await log()).toMatch(DENIED);
    wired.client.setRoots([root(repository.path)]);
    expect(await log()).toContain("first");
  }
});

test("cyanheads/git-mcp-server#32 cyanheads/git-mcp-server#2 serves the first call without a call before it, and keeps no state for the next", async () => {
  await using folder = tempFolder();
  const one = makeRepository(folder.at("all/one"), { f: "one" });
  makeRepository(folder.at("all/two"), { f: "two" });
  await using single = await connectTo(await targetOf({ repositories: [one.path] }));
  expect(textOf(await single.client.call("git_status", {}))).toMatch(/^Repository status:/);
  await using several = await connectTo(await targetOf({ repositoriesRoots: [folder.at("all")] }));
  expect(textOf(await several.client.call("git_status", { repo_path: "one" }))).toMatch(/^Repository status:/);
  expect(textOf(await several.client.call("git_status", {}))).toMatch(/repo_path.*one.*two/s);
});

test("cyanheads/git-mcp-server#56 keeps clones, worktrees and links inside, and offers no writing tool with --read-only", async () => {
  await using folder = tempFolder({ out: {} });
  const repository = makeRepository(folder.at("in/project"), { f: "one" });
  symlinkSync(folder.at("out"), folder.at("in/project/way"));
  await using wired = await connectTo(await targetOf({ repositoriesRoots: [folder.at("in")] }));
  for (const path of ["../../out/x", "way/x", folder.at("out/x"), "../../../x"]) {
    for (const [name, args] of [
      ["git_worktree", { action: "add", path, branch: "new", create: true }],
      ["git_clone", { url: "https://127.0.0.1:9/x.git", path }],
      ["git_init", { path }],
    ] as const)
      if (name === "git_worktree" || path.startsWith("/"))
        expect(textOf(await wired.client.call(name, { repo_path: "project", ...args })), `${name} ${path}`).toMatch(DENIED);
  }
  expect(folder.tree()).not.toHaveProperty("out/x");
  expect(repository.git("worktree", "list").split("\n").length).toBe(1);
  const toolsets = ["default", "remote", "integrate"];
  await using reading = await connectTo(await serverWithToolsets({ repositories: [repository.path], readOnly: true }, toolsets));
  const tools = await Array.fromAsync(reading.client.tools());
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
});

test("gitkraken/gk-cli#222 needs no account or network for its default tools", async () => {
  await using wired = await connectTo(await serverWithToolsets({}));
  const tools = await Array.fromAsync(wired.client.tools());
  expect(tools.filter(({ annotations }) => annotations?.openWorldHint !== false)).toEqual([]);
  expect(tools.map(({ name }) => name)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/fetch|pull|push|clone|remote|login|auth/)]),
  );
});
