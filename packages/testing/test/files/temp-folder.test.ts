import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashTree, linkTo, tempFolder, listTree, withMode, type Tree } from "@oarlock/testing";

const TREE: Tree = {
  "a.txt": "hello",
  "bytes.bin": Uint8Array.of(0, 255),
  sub: { "b.txt": "there", up: linkTo("../a.txt"), empty: {} },
  "deep/er/c.txt": "c",
  run: withMode(0o755, "#!/bin/sh\n"),
  shut: withMode(0o700, { "in.txt": "in" }),
};

test("creates a folder from an object and removes it at the end of its block", async () => {
  let path: string;
  {
    await using folder = tempFolder(TREE);
    path = folder.path;
    expect(folder.read("sub", "b.txt")).toBe("there");
    expect(folder.read("sub/up")).toBe("hello");
    expect([...readFileSync(folder.at("bytes.bin"))]).toEqual([0, 255]);
    expect(statSync(folder.at("run")).mode & 0o777).toBe(0o755);
    folder.write({ "a.txt": "changed", "deep/er/d.txt": "d" });
    expect([folder.read("a.txt"), folder.read("deep/er/d.txt"), folder.read("deep/er/c.txt")]).toEqual(["changed", "d", "c"]);
  }
  expect(existsSync(path)).toBe(false);
});

test("removes the folder after a failure, with files of any mode", async () => {
  let path = "";
  const failing = async (): Promise<void> => {
    await using folder = tempFolder({ closed: { inside: { "a.txt": "" } } });
    path = folder.path;
    chmodSync(folder.at("closed", "inside"), 0);
    chmodSync(folder.at("closed"), 0o100);
    throw new Error("the test failed");
  };
  await expect(failing()).rejects.toThrow("the test failed");
  expect(existsSync(path)).toBe(false);
});

test("lists a tree with names, kinds, modes, bytes and link targets", async () => {
  await using folder = tempFolder(TREE);
  expect(Object.keys(folder.tree())).toEqual([
    "a.txt",
    "bytes.bin",
    "deep/",
    "deep/er/",
    "deep/er/c.txt",
    "run",
    "shut/",
    "shut/in.txt",
    "sub/",
    "sub/b.txt",
    "sub/empty/",
    "sub/up",
  ]);
  expect(folder.tree()["sub/up"]).toBe("link → ../a.txt");
  expect(folder.tree()["run"]).toMatch(/^file 755 10 [0-9a-f]{16}$/);
  expect(folder.tree()["shut/"]).toBe("folder 700");
});

test("shows names that are not UTF-8 as bytes", async () => {
  await using folder = tempFolder();
  const name = Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x66, 0xff])]);
  try {
    writeFileSync(name, "x");
  } catch {
    return expect(process.platform).not.toBe("linux"); // other file systems refuse such names
  }
  expect(Object.keys(folder.tree())).toEqual(["<66ff>"]);
});

test("gives equal folders equal hashes and different ones different hashes", async () => {
  await using one = tempFolder(TREE);
  await using two = tempFolder(TREE);
  const same = hashTree(one.path);
  expect(two.hash()).toBe(same);
  expect(listTree(one.path)).toEqual(listTree(two.path));
  for (const change of [
    () => two.write({ "a.txt": "hellO" }),
    () => two.write({ "a.txt": "hello", "new.txt": "" }),
    () => mkdirSync(two.at("folder")),
    () => chmodSync(two.at("run"), 0o744),
  ]) {
    const before = two.hash();
    change();
    expect(two.hash()).not.toBe(before);
  }
});
