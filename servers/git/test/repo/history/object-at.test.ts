// What a path leads to in a commit, and entries of trees.
import { tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseTree, readObjectAt } from "../../../src/repo/history/object-at.ts";
import type { Repository } from "../../../src/repo/repository.ts";
import { openRepository } from "../../support/open-repository.ts";
import { makeRepository, type TestRepository } from "../../support/repository.ts";

const folder = tempFolder();
let repository: Repository;
let own: TestRepository;
let head = "";

beforeAll(async () => {
  own = makeRepository(folder.at("project"), {
    "src/One.ts": "one\n",
    "src/deep/one.ts": "deep\n",
    "lib/one.ts": "lib\n",
    "test/one.ts": "test\n",
    "a\nb": "broken\n",
    "run.sh": "run\n",
  });
  own.git("update-index", "--chmod=+x", "run.sh");
  own.git("update-index", "--add", "--cacheinfo", `160000,${"12".repeat(20)},module`);
  own.git("commit", "--quiet", "-m", "module");
  head = own.git("rev-parse", "HEAD");
  repository = await openRepository(own);
});
afterAll(async () => {
  repository.close();
  await folder[Symbol.asyncDispose]();
});

const oid = (path: string): string => own.git("rev-parse", `HEAD:${path}`);
const read = (path: string, maxBytes = 1000) => readObjectAt(repository, head, path, maxBytes);

test("returns a file's id, size and first bytes", async () => {
  expect(await read("./src/../src/One.ts")).toEqual({
    oid: oid("src/One.ts"),
    path: "src/One.ts",
    type: "blob",
    size: 4,
    bytes: Buffer.from("one\n"),
  });
  expect(await read("src/One.ts", 2)).toMatchObject({ size: 4, bytes: Buffer.from("on") });
  expect(await read("a\nb")).toMatchObject({ oid: oid("a\nb"), path: "a\nb", type: "blob", bytes: Buffer.from("broken\n") });
});

test("returns a folder, and the top, as a tree", async () => {
  expect(await read("src")).toMatchObject({ type: "tree", path: "src", oid: oid("src") });
  const { bytes, path, type } = await read(".");
  expect([path, type]).toEqual([".", "tree"]);
  expect(parseTree(bytes, 20).map(({ mode, type, name }) => [mode, type, name.toString()])).toEqual([
    ["100644", "blob", "a\nb"],
    ["040000", "tree", "lib"],
    ["160000", "commit", "module"],
    ["100755", "blob", "run.sh"],
    ["040000", "tree", "src"],
    ["040000", "tree", "test"],
  ]);
  expect(parseTree(bytes, 20).map(({ hash }) => hash)).toEqual(["a\nb", "lib", "module", "run.sh", "src", "test"].map(oid));
});

test("takes modes of old programs as git does", () => {
  const modes = ["100664", "0100644", "100700", "040000", "0120000", "160000", "10"];
  const bytes = Buffer.concat(modes.map((mode) => Buffer.concat([Buffer.from(`${mode} a\0`), Buffer.alloc(20, 7)])));
  expect(parseTree(bytes, 20).map(({ mode, type }) => `${mode} ${type}`)).toEqual([
    "100644 blob",
    "100644 blob",
    "100755 blob",
    "040000 tree",
    "120000 blob",
    "160000 commit",
    "160000 commit",
  ]);
});

test("leaves out the last entry of a tree that is cut at any byte", () => {
  const entry = (name: string): Buffer => Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.alloc(20, 7)]);
  const bytes = Buffer.concat([entry("a"), entry("b c")]);
  const names = (tree: Buffer): string[] => parseTree(tree, 20).map(({ name }) => name.toString());
  expect(names(bytes)).toEqual(["a", "b c"]);
  for (let end = entry("a").length; end < bytes.length; end++) expect(names(bytes.subarray(0, end))).toEqual(["a"]);
  expect(names(Buffer.alloc(0))).toEqual([]);
  expect(parseTree(Buffer.concat([Buffer.from("100644 a\0"), Buffer.alloc(32, 7)]), 32)).toEqual([
    { mode: "100644", type: "blob", hash: "07".repeat(32), name: Buffer.from("a") },
  ]);
});

describe("refuses a missing object", () => {
  test.each([
    ["none", "not-found", (short: string) => `There is no none in ${short}. List its folder with git_show.`],
    ["SRC/one.ts", "not-found", (short: string) => `There is no SRC/one.ts in ${short}. Did you mean src/One.ts?`],
    ["x/ONE.TS", "not-found", (short: string) => `There is no x/ONE.TS in ${short}. Did you mean lib/one.ts, src/One.ts, src/deep/one.ts?`],
    ["no\nne", "not-found", (short: string) => `There is no no\\nne in ${short}. List its folder with git_show.`],
    ["../x", "denied", () => "Access denied - path outside the repository: ../x"],
    ["module", "invalid", () => "module is a submodule: its files are in a repository of its own. Open that repository."],
  ])("refuses %j", async (path, code, message) => {
    await expect(read(path)).rejects.toThrow(expect.objectContaining({ code, message: message(head.slice(0, 12)) }));
  });

  test("refuses a commit", async () => {
    await expect(readObjectAt(repository, "3".repeat(40), "run.sh", 10)).rejects.toThrow(expect.objectContaining({ code: "failed" }));
  });
});
