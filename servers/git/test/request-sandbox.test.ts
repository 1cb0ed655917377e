// The client's roots: they narrow what the operator named, a change counts with the next call, and a list that becomes empty denies
// everything.
import type { Roots } from "@oarlock/client";
import { connectTo, linkTo, type TempFolder, tempFolder, TESTED_REVISIONS } from "@oarlock/testing";
import type { Root } from "@oarlock/server-kit/protocol";
import { expect, test } from "vitest";
import { makeRepository } from "./support/repository.ts";
import { pathOfRoot } from "../src/request-sandbox.ts";
import { targetOf, type Setup } from "./support/target.ts";
import { textOf } from "./support/world.ts";

const root = (path: string): Root => ({ uri: `file://${encodeURI(path)}` });

async function connected(folder: TempFolder, roots: Roots | undefined, setup: Partial<Setup> = {}, revision?: string) {
  for (const name of ["one", "two"]) makeRepository(folder.at(`all/${name}`), { a: "a" });
  const target = await targetOf({ repositoriesRoots: [folder.at("all")], ...setup });
  const wired = await connectTo(target, { ...(revision !== undefined && { revision }), ...(roots !== undefined && { roots }) });
  const served = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const name of ["one", "two"]) {
      const result = await wired.client.call("git_status", { repo_path: folder.at(`all/${name}`) });
      if (result.isError === undefined) found.push(name);
      else expect(textOf(result)).toMatch(/^Access denied - /);
    }
    return found;
  };
  return { wired, served };
}

test.each(TESTED_REVISIONS)("servers#3613 in %s narrows the sandbox to the roots, and widens it by no link", async (revision) => {
  await using folder = tempFolder({ link: linkTo("all/one"), elsewhere: {} });
  const { wired, served } = await connected(folder, [root(folder.at("link")), root(folder.at("elsewhere"))], {}, revision);
  await using _ = wired;
  expect(await served()).toEqual(["one"]);
  for (const repo_path of [folder.at("all/two"), "two", folder.at("all/none")])
    expect(textOf(await wired.client.call("git_status", { repo_path }))).toMatch(
      /^Access denied - the client's roots do not hold .* --roots ignore\.$/,
    );
  expect(textOf(await wired.client.call("git_status", { repo_path: folder.at("elsewhere") }))).not.toContain("--roots");
  expect((await wired.client.call("git_status")).isError).toBeUndefined();
});

test.each(TESTED_REVISIONS)("serves everything in %s with an empty or no list of roots", async (revision) => {
  await using folder = tempFolder();
  const none = await connected(folder, [], {}, revision);
  await using _ = none.wired;
  expect(await none.served()).toEqual(["one", "two"]);
  await using other = tempFolder();
  const all = await connected(other, undefined, {}, revision);
  await using __ = all.wired;
  expect(await all.served()).toEqual(["one", "two"]);
});

test("names the remedy for a root inside a repository", async () => {
  await using folder = tempFolder();
  makeRepository(folder.at("all/one"), { "packages/x/a.txt": "a" });
  const { wired } = await connected(folder, [root(folder.at("all/one/packages/x"))]);
  await using _ = wired;
  for (const args of [{}, { repo_path: folder.at("all/one/packages/x") }])
    expect(textOf(await wired.client.call("git_status", args))).toContain("--roots ignore");
});

test("opens no more by a root than the operator named", async () => {
  await using folder = tempFolder({ all: {}, outside: {} });
  makeRepository(folder.at("outside/repo"), { a: "a" });
  const inner = await connected(folder, [root(folder.at("all/one/.git"))]);
  await using _ = inner.wired;
  expect(await inner.served()).toEqual([]);
  await using other = tempFolder();
  makeRepository(other.at("outside"), { a: "a" });
  const wide = await connected(other, [root("/")]);
  await using __ = wide.wired;
  expect(await wide.served()).toEqual(["one", "two"]);
  expect((await wide.wired.client.call("git_status", { repo_path: other.at("outside") })).isError).toBe(true);
});

test("serves everything with --roots ignore, and the roots with --roots replace", async () => {
  await using folder = tempFolder();
  const ignored = await connected(folder, [], { roots: "ignore" });
  await using _ = ignored.wired;
  expect(await ignored.served()).toEqual(["one", "two"]);
  await using other = tempFolder();
  const outside = makeRepository(other.at("outside/repo"), { a: "a" });
  const replaced = await connected(other, [root(other.at("outside"))], { roots: "replace" });
  await using __ = replaced.wired;
  expect(await replaced.served()).toEqual([]);
  expect((await replaced.wired.client.call("git_status", { repo_path: outside.path })).isError).toBeUndefined();
});

test("applies a change of the roots to the next call", async () => {
  await using folder = tempFolder();
  const { wired, served } = await connected(folder, [root(folder.at("all/one"))]);
  await using _ = wired;
  expect(await served()).toEqual(["one"]);
  wired.client.setRoots([root(folder.at("all/two"))]);
  expect(await served()).toEqual(["two"]);
  wired.client.setRoots([]);
  expect(await served()).toEqual([]);
  wired.client.setRoots([root(folder.at("all/one"))]);
  expect(await served()).toEqual(["one"]);
});

test.each([
  ["file:///home/ann/a%20b", "/home/ann/a b", "home/ann/a b"],
  ["file:///c%3A/Users/ann", "/c:/Users/ann", "c:/Users/ann"],
  ["file://localhost/C:/p", "/C:/p", "C:/p"],
  ["file://server/share/p", undefined, "\\\\server\\share\\p"],
  ["file://wsl.localhost/Ubuntu/home", undefined, "\\\\wsl.localhost\\Ubuntu\\home"],
  ["file:///C:/p%5c..", undefined, undefined],
  ["https://server/share", undefined, undefined],
  ["no address", undefined, undefined],
])("reads the root %s as %s, on Windows %s", (uri, path, onWindows) => {
  expect(pathOfRoot(uri, "linux")).toBe(path);
  expect(pathOfRoot(uri, "win32")).toBe(onWindows);
});
