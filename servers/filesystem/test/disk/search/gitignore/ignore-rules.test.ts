// What .gitignore leaves out of trees and searches: judged by git itself, where its rules and ours could differ.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EntryPlace, Sandbox } from "../../../../src/disk/access/sandbox.ts";
import { windowsPaths } from "../../../../src/disk/access/path-syntax.ts";
import { openDisk } from "../../../../src/disk/disk.ts";
import { IgnoreRules } from "../../../../src/disk/search/gitignore/ignore-rules.ts";
import { searchFiles } from "../../../../src/disk/search/names/name-search.ts";
import { folderTree } from "../../../../src/disk/tree/directory-tree.ts";
import { scratch, type Scratch } from "../../support/scratch.ts";

const found = async ({ root, sandbox }: Scratch, path = root, pattern = "**"): Promise<string[]> => {
  const { paths } = await searchFiles(await sandbox(), path, { pattern, type: "file", respectGitignore: true });
  return paths.map((one) => one.slice(root.length + 1)).toSorted();
};

/** The files that git would list. */
function listed({ root }: Scratch): string[] {
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", root, ...args], { encoding: "utf8", env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
  git("init", "-q");
  return git("ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean).toSorted();
}

const NAMES = [
  "a.log",
  "b.txt",
  "build/x",
  "deep/build/y",
  "deep/a.log",
  "deep/er/c.txt",
  "deep/er/k.log",
  "src/gen/z",
  "src/build",
  "!odd",
  "#odd",
  "sp ",
  "x[1]",
  "up/[/well/d",
  "up/[/well/a.log",
  "up/well/d",
  "ü.log",
  "odd/q[1]/x",
  "odd/q*2/x",
  "odd/q 3#/x",
  "odd/q!/x",
];

describe.each([
  ["names anywhere", { ".gitignore": "*.log\n" }],
  ["directories only", { ".gitignore": "build/\n" }],
  ["anchored", { ".gitignore": "/build\n/b.txt\n" }],
  ["a path", { ".gitignore": "deep/er\nsrc/gen/\n" }],
  ["taken back", { ".gitignore": "*.log\n!a.log\n" }],
  ["taken back further down", { ".gitignore": "*.log\n", "deep/.gitignore": "!a.log\nc.txt\n" }],
  ["a directory taken back further down", { ".gitignore": "/deep/er/\n*.log\n", "deep/.gitignore": "!er/\n" }],
  ["all directories taken back further down", { ".gitignore": "er\n[[]x*\nsp*\n", "deep/.gitignore": "!*/\n" }],
  ["directories with wildcards in their names taken back further down", { ".gitignore": "q*\n", "odd/.gitignore": "!q*\n" }],
  ["names in another case", { ".gitignore": "*.LOG\nBUILD/\n" }],
  ["a directory taken back, and what is in it left out again", { ".gitignore": "er/\n/deep/er/c*\n", "deep/.gitignore": "!er\n" }],
  [
    "taken back twice on one way",
    { ".gitignore": "[[]\nwell\n", "[/.gitignore": "", "up/.gitignore": "![\n", "up/[/.gitignore": "!well\n" },
  ],
  ["not taken back below a directory that is left out", { ".gitignore": "deep/\n!deep/er/c.txt\n" }],
  ["stars over directories", { ".gitignore": "**/er/**\nsrc/**/z\n" }],
  ["escapes, comments and blanks", { ".gitignore": "# a.log\n\\#odd\n\\!odd\nsp\\ \n  \nx\\[1]\n" }],
  ["classes and broken brackets", { ".gitignore": "[ab].*\n[\n[z-a]\n" }],
  ["a byte order mark and CRLF", { ".gitignore": "\ufeff*.log\r\nbuild/\r\n" }],
])("gitignore: %s", (_what, rules: Record<string, string>) => {
  test("matches git", async () => {
    const here = scratch({ ...Object.fromEntries(NAMES.map((name) => [name, "x"])), ...rules });
    // Ours does not need a repository; .git itself is left out in any case.
    const own = await found(here);
    expect(own).toEqual(listed(here));
    expect(await found(here)).toEqual(own);
  });
});

test("applies the rules above a folder, and searches an ignored directory when named", async () => {
  const here = scratch({
    ".gitignore": "*.log\nmodules/\n",
    "src/a.log": "",
    "src/b": "",
    "modules/.gitignore": "tmp\n",
    "modules/c.log": "",
    "modules/tmp": "",
    ".git/config": "",
  });
  expect(await found(here, here.at("src"))).toEqual(["src/b"]);
  expect(await found(here, here.at("modules"))).toEqual(["modules/.gitignore", "modules/c.log"]);
  expect(await found(here)).toEqual([".gitignore", "src/b"]);
});

test("ends the rules of a repository at its top, and skips unreadable lists", async () => {
  const here = scratch({
    ".gitignore": "*.log\n",
    "repo/.git": null,
    "repo/a.log": "",
    "link/.gitignore": { link: "OUT/secret.txt" },
    "link/a": "",
  });
  expect(await found(here, here.at("repo"))).toEqual(["repo/a.log"]);
  expect(await found(here, here.at("link"))).toEqual(["link/a"]);
  const { paths } = await searchFiles(await here.sandbox(), here.at("link"), { pattern: "*", respectGitignore: true });
  expect(paths).toEqual([here.at("link/.gitignore"), here.at("link/a")]);
});

test("skips a list that is a link or larger than 256 KiB", async () => {
  const [full, tooLong] = ["*.log\n".padEnd(256 * 1024, "#"), "*.log\n".padEnd(256 * 1024 + 1, "#")];
  const here = scratch({
    "rules.txt": "*.log\n",
    "link/.gitignore": { link: "../rules.txt" },
    "link/a.log": "",
    "full/.gitignore": full,
    "full/a.log": "",
    "long/.gitignore": tooLong,
    "long/a.log": "",
  });
  expect((await found(here)).filter((name) => name.endsWith(".log"))).toEqual(["link/a.log", "long/a.log"]);
});

describe("the rules below a directory", () => {
  const load = async (here: Scratch, name: string, directories = [here.root]): Promise<IgnoreRules> => {
    const disk = await openDisk({ directories: directories.map((path) => ({ path, readOnly: false })) });
    return IgnoreRules.load(disk.sandbox(), here.at(name));
  };
  const files = { ".gitignore": "*.log\nbuild/\n/top\n", "src/.gitignore": "gen\n", "src/deep/x": "", "build/.gitignore": "*.tmp\n" };

  test("begin with those of the directories above", async () => {
    const rules = await load(scratch(files), "src/deep");
    expect([rules.hasRulesAbove, rules.plainNamesAbove]).toEqual([true, ["gen", "*.log", "build/"]]);
  });

  test("end at the allowed directory", async () => {
    const here = scratch(files);
    expect((await load(here, "src/deep", [here.at("src/deep")])).hasRulesAbove).toBe(false);
    expect((await load(here, "src/deep", [here.at("src")])).plainNamesAbove).toEqual(["gen"]);
    expect((await load(here, "src/deep", [here.at("build"), here.root])).plainNamesAbove).toEqual(["gen", "*.log", "build/"]);
    expect((await load(here, "src/deep", ["/"])).plainNamesAbove).toEqual(expect.arrayContaining(["gen", "*.log", "build/"]));
    expect((await load(here, "")).hasRulesAbove).toBe(false);
  });

  test("omit those above that ignore the directory, and keep its own", async () => {
    const here = scratch(files);
    const rules = await load(here, "build");
    expect([rules.hasRulesAbove, rules.plainNamesAbove]).toEqual([false, []]);
    expect(["a.tmp", "a.log", "sub/a.tmp"].map((name) => rules.ignoresFile(here.at(`build/${name}`)))).toEqual([true, false, true]);
  });

  test("return no plain names when a rule negates another", async () => {
    const rules = await load(scratch({ ".gitignore": "*.log\n!keep.log\n", "src/x": "" }), "src");
    expect([rules.hasRulesAbove, rules.plainNamesAbove]).toEqual([true, []]);
  });

  test("ignore a file in an ignored directory, and anything named .git", async () => {
    const here = scratch(files);
    const rules = await load(here, "src");
    const isIgnored = (name: string): boolean => rules.ignoresFile(here.at(name));
    const names = [
      "src/a",
      "src/a.log",
      "src/gen/deep/a",
      "src/top",
      "src/deep/build",
      "src/deep/build/a",
      "src/.git/config",
      "src/.github/a",
    ];
    expect(names.filter(isIgnored)).toEqual(["src/a.log", "src/gen/deep/a", "src/deep/build/a", "src/.git/config"]);
    expect(names.filter(isIgnored)).toHaveLength(4);
    expect([rules.ignores(here.at("src/build"), false), rules.ignores(here.at("src/build"), true)]).toEqual([false, true]);
  });
});

test("apply to a tree as well", async () => {
  const here = scratch({ ".gitignore": "*.log\nbuild/\n", "a.log": "", b: "", "build/x": "", "src/c": "" });
  const { nodes, truncated } = await folderTree(await here.sandbox(), here.root, { respectGitignore: true });
  expect([nodes.map(({ name }) => name), truncated]).toEqual([[".gitignore", "b", "src"], false]);
});

test("K apply a hostile list literally", async () => {
  const long = "a".repeat(200);
  const stars = `${"*a".repeat(60)}*b`;
  const here = scratch({ ".gitignore": `${stars}\n**/${stars}\n${"x".repeat(5000)}\n*.log\n`, [long]: "", "a.log": "" });
  expect(await found(here)).toEqual([".gitignore", long]);
});

test("are part of a cursor, which other rules invalidate", async () => {
  const here = scratch(Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`f${at}`, ""])));
  const sandbox = await here.sandbox();
  const first = await searchFiles(sandbox, here.root, { pattern: "*", limit: 2, respectGitignore: true });
  const continueWith = (respectGitignore: boolean) =>
    searchFiles(sandbox, here.root, { pattern: "*", limit: 9, respectGitignore, cursor: first.nextCursor });
  expect((await continueWith(true)).paths).toEqual([2, 3, 4].map((at) => join(here.root, `f${at}`)));
  await expect(continueWith(false)).rejects.toThrow("cursor");
});

test("finds the rules of a directory on a Windows drive, and none above the drive", async () => {
  const asked: string[] = [];
  const directories: Record<string, string> = { "C:\\proj": "proj", "C:\\": "drive" };
  const place = scratch({ "proj/.gitignore": "*.log\n/out/deep/\n", "drive/a": "" });
  const real = await place.sandbox();
  const sandbox = {
    roots: [{ given: "C:\\", real: "C:\\", readOnly: false }],
    shows: () => true,
    folder(path: string) {
      asked.push(path);
      const folder = real.folder(place.at(directories[path] ?? ""));
      return { path, at: (name: string) => folder.at(name), step: (name: string) => folder.step(name), [Symbol.dispose]: () => undefined };
    },
    openEntry: (entry: EntryPlace) => real.openEntry(entry),
  } as unknown as Sandbox;
  const rules = await IgnoreRules.load(sandbox, "C:\\proj", windowsPaths);
  expect(asked).toEqual(["C:\\proj", "C:\\"]);
  expect(rules.ignores("C:\\proj\\a.log", false)).toBe(true);
  expect(rules.ignores("C:\\proj\\src\\A.LOG", false)).toBe(true);
  expect(rules.ignoresFile("C:\\proj\\out\\deep\\a.txt")).toBe(true);
  expect(rules.ignoresFile("C:\\proj\\out\\a.txt")).toBe(false);
});
