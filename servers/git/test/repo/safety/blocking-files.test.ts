// Files of the work tree that git reads by their names, and that never end.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { needs } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { world, type World } from "../../support/world.ts";

const HANG_MS = 10_000;

function pipeAt(at: World, name: string): void {
  const path = at.folder.at("project", name);
  mkdirSync(dirname(path), { recursive: true });
  execFileSync("mkfifo", [path]);
}

function hugeAt(at: World, name: string): void {
  const path = at.folder.at("project", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  truncateSync(path, 1024 ** 3);
}

describe.concurrent("V5 names a pipe on which git waits", () => {
  test.each<[name: string, tool: string, args: Record<string, unknown>]>([
    [".gitignore", "git_status", {}],
    ["sub/deep/.gitignore", "git_status", {}],
    ["sub/.gitattributes", "git_add", { files: ["."] }],
    ["sub/.gitattributes", "git_diff_unstaged", {}],
    [".mailmap", "git_log", {}],
  ])("names %s, for %s", { timeout: HANG_MS, ...needs("named pipes") }, async (name, tool, args) => {
    await using at = await world({ tree: { "a.txt": "a\n", "sub/b.txt": "b\n", "sub/deep/c.txt": "c\n" } });
    at.repository.write({ "sub/b.txt": "changed\n" });
    pipeAt(at, name);
    expect(await at.failure(tool, args)).toContain(`git waits for ${name}`);
    rmSync(at.folder.at("project", name));
    await at.call("git_status");
  });
});

test("V5 names a huge file that git would read whole", { timeout: HANG_MS }, async () => {
  await using at = await world({ tree: { "a.txt": "a\n", "sub/b.txt": "b\n" } });
  hugeAt(at, ".mailmap");
  expect(await at.failure("git_log")).toContain("git waits for .mailmap");
});
