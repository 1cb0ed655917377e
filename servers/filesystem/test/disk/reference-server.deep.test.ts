// Our texts next to those of the official server, asked over its own protocol about the same folder.
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Sandbox } from "../../src/disk/access/sandbox.ts";
import { openDisk } from "../../src/disk/disk.ts";
import { editText } from "../../src/disk/edit/file-editor.ts";
import { listFolder, listFolderWithSizes } from "../../src/disk/tree/listing.ts";
import { listText, sizedListText } from "../../src/disk/tree/listing-text.ts";
import { makeFolder } from "../../src/disk/write/directory-maker.ts";
import { readText } from "../../src/disk/read/text-reader.ts";
import { searchFiles } from "../../src/disk/search/names/name-search.ts";
import { searchText } from "../../src/disk/search/names/search-text.ts";
import { folderTree, treeText } from "../../src/disk/tree/directory-tree.ts";
import { fenced } from "../../src/disk/edit/diff/diff-block.ts";
import { refusal } from "./support/world.ts";

let root: string;
let sandbox: Sandbox;
let client: Client;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-official-")));
  const names = [
    "README.md",
    ".env",
    "Zeta",
    "alpha",
    "a b",
    "é",
    "e\u0301",
    "日本",
    "😀😀", // two, as a wildcard matches one here, and half of one there
    "\uff5e",
    "10",
    "9",
    "[x]",
    "a*b",
    "src/index.ts",
  ];
  const deep = [
    "src/index.test.ts",
    "src/.hidden.ts",
    "src/lib/a.ts",
    "src/lib/deep/b.js",
    "node_modules/x/i.js",
    "src/node_modules/y/j.js",
  ];
  for (const [i, name] of [...names, ...deep, "a-very-long-name-that-is-wider-than-its-column.txt"].entries()) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "x".repeat([0, 1, 1023, 1024, 1536, 5_000_000][i % 6] ?? 0));
  }
  mkdirSync(join(root, "empty"));
  sandbox = (await openDisk({ directories: [{ path: root, readOnly: true }] })).sandbox();
  client = new Client({ name: "test", version: "1" });
  const bin = fileURLToPath(new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url));
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [bin, root], stderr: "ignore" }));
});

afterAll(async () => {
  await client.close();
  rmSync(root, { recursive: true });
});

async function official(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content as { text: string }[];
  return first?.text ?? "";
}

test("matches list_directory", async () => {
  for (const name of ["", "src", "empty"]) {
    expect(listText(await listFolder(sandbox, join(root, name)))).toBe(await official("list_directory", { path: join(root, name) }));
  }
});

test.each(["name", "size"] as const)("matches list_directory_with_sizes by %s", async (sortBy) => {
  for (const name of ["", "src", "empty"]) {
    const path = join(root, name);
    expect(sizedListText(await listFolderWithSizes(sandbox, path, { sortBy }))).toBe(
      await official("list_directory_with_sizes", { path, sortBy }),
    );
  }
});

test.each([
  [[]],
  [["node_modules"]],
  [["*.ts"]],
  [["**/*.ts", "é"]],
  [["lib/deep", "?"]],
  [["{src,empty}"]],
  [["src/**"]],
  [["[.]env"]],
  [["lib/"]],
  [["src/lib/", "x//"]],
  [["!node_modules/"]],
  [["/"]],
])("matches directory_tree without %j", async (excludePatterns) => {
  expect(treeText(await folderTree(sandbox, root, { excludePatterns }))).toBe(
    await official("directory_tree", { path: root, excludePatterns }),
  );
});

test("matches the end and the beginning of a file by read_text_file", async () => {
  const path = join(root, "lines");
  for (const content of ["a\nb\nc\n", "a\nb\nc", "\n", "", "a\n\n"]) {
    writeFileSync(path, content);
    // The newline at the end counts as a line of its own there, which is a defect; past the beginning both give all there is.
    const [own, theirs] = content.endsWith("\n") ? [2, 3] : [2, 2];
    expect((await readText(sandbox, path, { tail: own })).content).toBe(await official("read_text_file", { path, tail: theirs }));
    for (const lines of [1, 2, 3, 100]) {
      expect((await readText(sandbox, path, { head: lines })).content).toBe(await official("read_text_file", { path, head: lines }));
    }
    expect((await readText(sandbox, path, { tail: 100 })).content).toBe(await official("read_text_file", { path, tail: 100 }));
  }
  rmSync(path);
});

test.each(["plain.txt", "a b é.txt", 'q"uote', "back\\slash", "日本 😀"])("matches the diff of edit_file for %s", async (name) => {
  const path = join(root, name);
  writeFileSync(path, "one\ntwo\n");
  const edits = [{ oldText: "two", newText: "2" }];
  const { diff } = await editText(sandbox, path, edits, { dryRun: true });
  expect(fenced(diff)).toBe(await official("edit_file", { path, edits, dryRun: true }));
  rmSync(path);
});

test("refuses a Windows path, unless the system is Windows", async () => {
  for (const path of ["C:\\x", "C:/x", "c:"]) {
    for (const act of [
      () => readText(sandbox, path),
      () => sandbox.look(path),
      () => sandbox.entry(path),
      () => makeFolder(sandbox, path),
    ]) {
      expect((await refusal(act)).message).toBe(await official("read_text_file", { path }));
    }
  }
  writeFileSync(join(root, "C:\\x"), "here");
  expect((await readText(sandbox, "./C:\\x")).content).toBe("here");
  rmSync(join(root, "C:\\x"));
});

describe("matches search_files", () => {
  const patterns = [
    "*",
    "**",
    "**/*.ts",
    "*.md",
    "src/*",
    "src/**",
    "**/.*",
    "**/{a,b}.*",
    "e*",
    "[[]x]",
    "a\\*b",
    "!**/*.ts",
    "**/lib",
    "nothing",
    "?",
    "日*",
  ];
  test.each(patterns)("for %s", async (pattern) => {
    for (const excludePatterns of [[], ["node_modules"], ["**/node_modules"], ["**/*.test.ts", "src/lib/**"]]) {
      const ours = searchText(await searchFiles(sandbox, root, { pattern, excludePatterns }));
      expect(ours).toBe(await official("search_files", { path: root, pattern, excludePatterns }));
    }
  });
});
