// Which paths lie in the sandbox, and which of its folders are left for a client.
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { createSandbox, isInside, realPath, resolveFolder, type SandboxFolder } from "../../../src/repo/safety/sandbox.ts";

test.each([
  ["/a/b", "/a/b", true],
  ["/a/b/c", "/a/b", true],
  ["/a/bc", "/a/b", false],
  ["/a", "/a/b", false],
  ["/a/b", "/", true],
  ["/", "/", true],
  ["/a/b/c", "/a/b/", true],
  ["/x/a/b", "/a/b", false],
])("finds %s inside %s: %s", (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected);
});

const folderOf = (real: string, kind: SandboxFolder["kind"]): SandboxFolder => ({ given: real, real, kind });
const FOLDERS = [folderOf("/r/one", "repository"), folderOf("/r/two", "repository"), folderOf("/all", "root")];

test("contains everything in its folders", () => {
  const sandbox = createSandbox(FOLDERS);
  expect(["/r/one", "/r/two/x", "/all/x/y", "/r", "/r/three", "/allx"].map((path) => sandbox.contains(path))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect([sandbox.folders, sandbox.openFolders]).toEqual([FOLDERS, FOLDERS]);
});

test("is narrowed by a client's roots, never extended", () => {
  const paths = ["/r/one", "/r/one/x", "/r/two", "/all/a", "/all/a/x", "/all/b", "/elsewhere"];
  const narrowed = (...roots: string[]): unknown[] => {
    const { contains, openFolders } = createSandbox(FOLDERS, roots);
    return [paths.filter((path) => contains(path)), openFolders.map(({ real }) => real)];
  };
  expect(narrowed("/r/one")).toEqual([["/r/one", "/r/one/x"], ["/r/one"]]);
  expect(narrowed("/r")).toEqual([
    ["/r/one", "/r/one/x", "/r/two"],
    ["/r/one", "/r/two"],
  ]);
  expect(narrowed("/all/a", "/elsewhere")).toEqual([["/all/a", "/all/a/x"], ["/all"]]);
  // A part of a repository opens no repository.
  expect(narrowed("/r/one/x")).toEqual([["/r/one/x"], []]);
  expect(narrowed()).toEqual([[], []]);
});

test("resolves a folder or gives the reason why not", async () => {
  await using folder = tempFolder({ "d/x": "file" });
  expect(resolveFolder(folder.at("d/../d"))).toEqual({ real: folder.at("d") });
  expect(resolveFolder(folder.at("d/x"))).toEqual({ reason: "not-a-folder" });
  expect(resolveFolder(folder.at("d/x/y"))).toEqual({ reason: "not-a-folder" });
  expect(resolveFolder(folder.at("none"))).toEqual({ reason: "missing" });
  expect(resolveFolder(`${folder.path}\0`)).toEqual({ reason: "no-access" });
  expect([realPath(folder.at("d")), realPath(folder.at("none"))]).toEqual([folder.at("d"), undefined]);
});
