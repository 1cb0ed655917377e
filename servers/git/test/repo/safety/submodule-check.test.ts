// Submodules that are checked out: found in the index, and each opened before a command enters it.
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder, type Tree } from "@oarlock/testing";
import { expect, test } from "vitest";
import { SubmoduleCheck, type OpenSubmodule } from "../../../src/repo/safety/submodule-check.ts";

/** An index with the mode of a submodule in it; its other bytes are not read. */
const WITH_GITLINK = Buffer.from([1, 2, 0, 0, 0xe0, 0, 3]);
const stage = (mode: string, path: string | Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${"a".repeat(40)} 0\t`), Buffer.from(path), Buffer.of(0)]);

const submodules = (...paths: string[]): Buffer => Buffer.concat(paths.map((path) => stage("160000", path)));

function checkOf(folder: TempFolder, listed: Buffer, { top = "top", isBare = false } = {}) {
  let runs = 0;
  const gitDir = folder.at(top, "git");
  const check = new SubmoduleCheck({ top: folder.at(top), gitDir, commonDir: gitDir, isBare }, async () => {
    runs += 1;
    return listed;
  });
  return { check, runs: () => runs };
}

const TREE: Tree = {
  "top/git/index": WITH_GITLINK,
  "top/a/.git": "gitdir: x",
  "top/b/c/.git/HEAD": "",
  "top/none/x": "",
  "top/plain/.git": "",
  "top/file": "in place of a submodule",
};

test("lists each checked-out submodule of the index once", async () => {
  await using folder = tempFolder(TREE);
  const listed = Buffer.concat([
    stage("100644", "a.txt"),
    submodules("a", "b/c", "none", "gone", "file"),
    stage("160000", "a"),
    stage("040000", "b"),
  ]);
  const { check } = checkOf(folder, listed);
  expect(await check.checkedOut()).toEqual(["a", "b/c"]);
  const bare = checkOf(folder, listed, { isBare: true });
  expect([await bare.check.checkedOut(), bare.runs()]).toEqual([[], 0]);
});

test("lists the index only if it may hold a submodule, and again when it changes", async () => {
  await using folder = tempFolder({ ...TREE, "top/git/index": "no submodule", "top/git/other": WITH_GITLINK });
  const { check, runs } = checkOf(folder, submodules("a"));
  expect([await check.checkedOut(), runs()]).toEqual([[], 0]);
  writeFileSync(folder.at("top/git/index"), WITH_GITLINK);
  expect([await check.checkedOut(), runs()]).toEqual([["a"], 1]);
  expect([await check.checkedOut(), runs()]).toEqual([["a"], 1]);
  rmSync(folder.at("top/git/index"));
  expect([await check.checkedOut(), runs()]).toEqual([[], 1]);
  writeFileSync(folder.at("top/git/sharedindex.0123"), WITH_GITLINK);
  expect([await check.checkedOut(), runs()]).toEqual([["a"], 2]);
});

test("lists an index that is too large or not a file in any case", async () => {
  await using folder = tempFolder({ ...TREE, "top/git/index": "" });
  truncateSync(folder.at("top/git/index"), 512 * 1024 * 1024 + 1);
  const large = checkOf(folder, submodules("a"));
  expect([await large.check.checkedOut(), large.runs()]).toEqual([["a"], 1]);
  rmSync(folder.at("top/git/index"));
  mkdirSync(folder.at("top/git/index"));
  const odd = checkOf(folder, submodules("a"));
  expect([await odd.check.checkedOut(), odd.runs()]).toEqual([["a"], 1]);
});

test("opens each submodule and those inside it", async () => {
  await using folder = tempFolder({ ...TREE, "top/a/git/index": WITH_GITLINK, "top/a/deep/.git": "", "top/b/c/git/index": "" });
  const opened: string[] = [];
  const inside: Record<string, Buffer> = { a: submodules("deep"), "b/c": Buffer.alloc(0) };
  const open: OpenSubmodule = async (path, given) => {
    opened.push(`${given} ${path.slice(folder.path.length + 1)}`);
    mkdirSync(`${path}/git`, { recursive: true });
    return { submodules: checkOf(folder, inside[given] ?? Buffer.alloc(0), { top: path.slice(folder.path.length + 1) }).check };
  };
  await checkOf(folder, submodules("a", "b/c")).check.run(open);
  expect(opened).toEqual(["a top/a", "deep top/a/deep", "b/c top/b/c"]);
});

test("ends the check at a submodule that cannot be opened or whose name is not UTF-8", async () => {
  await using folder = tempFolder(TREE);
  const fail: OpenSubmodule = () => Promise.reject(new Error("unsafe"));
  await expect(checkOf(folder, submodules("a")).check.run(fail)).rejects.toThrow("unsafe");
  const name = Buffer.of(0x78, 0xff);
  const path = Buffer.concat([Buffer.from(folder.at("top/")), Buffer.from("/"), name]);
  mkdirSync(path);
  writeFileSync(Buffer.concat([path, Buffer.from("/.git")]), "");
  await expect(checkOf(folder, stage("160000", name)).check.run(fail)).rejects.toMatchObject({
    code: "unsafe",
    message: expect.stringContaining("is not UTF-8, so it cannot be checked") as string,
  });
});

test("refuses more than eight levels of submodules", async () => {
  await using folder = tempFolder({ "top/git/index": WITH_GITLINK, "top/a/.git": "" });
  const levels = async (depth: number): Promise<number> => {
    let opened = 0;
    const open: OpenSubmodule = async () => {
      opened += 1;
      return { submodules: checkOf(folder, opened < depth ? submodules("a") : Buffer.alloc(0)).check };
    };
    await checkOf(folder, submodules("a")).check.run(open);
    return opened;
  };
  expect(await levels(8)).toBe(8);
  await expect(levels(9)).rejects.toMatchObject({ code: "unsafe", message: expect.stringContaining("nested too deep: a") as string });
});
