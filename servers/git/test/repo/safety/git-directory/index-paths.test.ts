// The paths of an index, in the forms that git writes.
import { readFileSync, readdirSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { IndexDamaged, indexPaths } from "../../../../src/repo/safety/git-directory/index-paths.ts";
import { makeRepository, TestRepository } from "../../../support/repository.ts";

const LONG = `${"deep/".repeat(50)}${"x".repeat(200)}`;
const VERY_LONG = `${`${"y".repeat(200)}/`.repeat(25)}end`;
const TREE = { "a-b": "", "a/b.txt": "", "a/c.txt": "", "dir/sub/é.txt": "", [LONG]: "", "z z": "" };

const pathsIn = (file: string, idBytes = 20): string[] =>
  [...indexPaths(readFileSync(file), idBytes)].map((path) => Buffer.from(path, "latin1").toString()).toSorted();

test.each(["2", "3", "4"])("reads the paths of version %s", async (version) => {
  await using folder = tempFolder();
  const repo = makeRepository(folder.at("r"), TREE);
  // Git keeps such a path, though no file system does.
  repo.raw(["update-index", "--add", "--index-info"], { input: `100644 ${repo.git("rev-parse", "HEAD:a-b")}\t${VERY_LONG}\n` });
  if (version === "3") repo.git("update-index", "--skip-worktree", "a/b.txt");
  else repo.git("update-index", "--index-version", version);
  expect(readFileSync(folder.at("r/.git/index")).readUInt32BE(4)).toBe(Number(version));
  expect(pathsIn(folder.at("r/.git/index"))).toEqual([...Object.keys(TREE), VERY_LONG].toSorted());
});

test("reads the paths of a SHA-256 index", async () => {
  await using folder = tempFolder({ r: { "a.txt": "", "b/c.txt": "" } });
  const repo = new TestRepository(folder.at("r"));
  repo.git("init", "--quiet", "--object-format=sha256");
  repo.git("add", "-A");
  expect(pathsIn(folder.at("r/.git/index"), 32)).toEqual(["a.txt", "b/c.txt"]);
});

test("reads the paths of a split index", async () => {
  await using folder = tempFolder();
  const repo = makeRepository(folder.at("r"), TREE);
  repo.git("update-index", "--split-index");
  repo.write({ "a/b.txt": "changed", "new.txt": "" }).git("add", "-A");
  const shared = readdirSync(folder.at("r/.git")).find((name) => name.startsWith("sharedindex."))!;
  expect(pathsIn(folder.at("r/.git", shared))).toEqual(Object.keys(TREE).toSorted());
  // A replaced entry has no name of its own; git may replace those that are as young as the index.
  expect(new Set(pathsIn(folder.at("r/.git/index")))).toEqual(new Set(["", "new.txt"]));
});

test("reports an index as damaged when it ends early or states another length", async () => {
  await using folder = tempFolder();
  makeRepository(folder.at("r"), { "a.txt": "" });
  const index = readFileSync(folder.at("r/.git/index"));
  const all = (bytes: Buffer) => () => [...indexPaths(bytes, 20)];
  for (const length of [13, 60, 73, 78]) expect(all(index.subarray(0, length)), String(length)).toThrow(IndexDamaged);
  const other = Buffer.from(index);
  other.writeUInt16BE(4, 12 + 60);
  expect(all(other)).toThrow(IndexDamaged);
  const v4 = Buffer.from(index);
  v4.writeUInt32BE(4, 4);
  v4.writeUInt8(3, 12 + 62);
  expect(all(v4)).toThrow(IndexDamaged);
  expect(all(Buffer.from("no index at all"))()).toEqual([]);
  expect(all(Buffer.alloc(0))()).toEqual([]);
});
