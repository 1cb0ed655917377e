// Which lines of a file are blamed, and why a file or a range is refused.
import { renameSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { linkTo, tempFolder, writeTree } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBlame, type Blame, type BlameOptions } from "../../../src/repo/history/blame.ts";
import type { GitCommand } from "../../../src/repo/process/git-process.ts";
import type { Repository } from "../../../src/repo/repository.ts";
import { openRepository } from "../../support/open-repository.ts";
import { cloneOf, makeRepository, type TestRepository } from "../../support/repository.ts";

const folder = tempFolder();
let repository: Repository;
let own: TestRepository;
let [first, second] = ["", ""];

beforeAll(async () => {
  own = makeRepository(folder.at("project"), {
    "f.txt": "1\n2\n3\n4\n5\n",
    "d/Deep.txt": "x\n",
    crlf: "a\r\nb\r\n",
    open: "no end",
    empty: "",
    link: linkTo("f.txt"),
    folder: linkTo("d"),
  });
  first = own.git("rev-parse", "HEAD");
  second = own.commit("second", { "f.txt": "1\ntwo\n3\n  4\n5\n" });
  own.write({ untracked: "x\n", "f.txt": "1\ntwo\nthree\n  4\n5\n" });
  repository = await openRepository(own);
});
afterAll(async () => {
  repository.close();
  await folder[Symbol.asyncDispose]();
});

const DEFAULTS: BlameOptions = { path: "f.txt", start: 1, end: undefined, commit: undefined, ignoreWhitespace: false, follow: false };
const read = (options: Partial<BlameOptions> = {}): Promise<Blame> => readBlame(repository, { ...DEFAULTS, ...options });
const perLine = ({ hunks }: Blame): string[] =>
  hunks.flatMap(({ startLine, endLine, hash }) => Array.from({ length: endLine - startLine + 1 }, () => hash));
/** The same repository, in which another program acts whenever git starts. */
const meddled = (act: () => void): Repository =>
  Object.assign(Object.create(repository) as Repository, {
    requireWorkTree: () => {},
    tryRead: (command: GitCommand) => {
      act();
      return repository.tryRead(command);
    },
  });

test("follows no folder that becomes a link after the check (L1)", async () => {
  const elsewhere = folder.at("elsewhere");
  const swap = (): void => {
    renameSync(folder.at("project/d"), folder.at("project/kept"));
    symlinkSync(elsewhere, folder.at("project/d"));
  };
  writeTree(elsewhere, { "Deep.txt": "CANARY\n" });
  try {
    await expect(readBlame(meddled(swap), { ...DEFAULTS, path: "d/Deep.txt" })).rejects.toThrow("File changed: another program");
  } finally {
    rmSync(folder.at("project/d"));
    renameSync(folder.at("project/kept"), folder.at("project/d"));
  }
});

const NONE = "0".repeat(40);

test.each<[options: Partial<BlameOptions>, lines: readonly string[], commits: () => string[]]>([
  [{}, ["1", "two", "three", "  4", "5"], () => [first, second, NONE, second, first]],
  [{ start: 2 }, ["two", "three", "  4", "5"], () => [second, NONE, second, first]],
  [{ start: 2, end: 2 }, ["two"], () => [second]],
  [{ start: 4, end: 99 }, ["  4", "5"], () => [second, first]],
  [{ end: 1 }, ["1"], () => [first]],
  [{ path: "./d/../f.txt", start: 5, end: 5 }, ["5"], () => [first]],
  [{ ignoreWhitespace: true, start: 4, end: 4 }, ["  4"], () => [first]],
  [{ follow: true, start: 1, end: 1 }, ["1"], () => [first]],
  [{ path: "crlf" }, ["a", "b"], () => [first, first]],
  [{ path: "open" }, ["no end"], () => [first]],
  [{ path: "link" }, ["f.txt"], () => [first]],
  [{ path: "empty" }, [], () => []],
])("blames the lines of %j", async (options, lines, commits) => {
  const blame = await read(options);
  expect(blame.lines).toEqual(lines);
  expect(perLine(blame)).toEqual(commits());
  expect(blame.path).toBe(options.path?.replace("./d/../", "") ?? "f.txt");
});

test("blames a file of a commit up to that commit", async () => {
  const past = await read({ commit: first });
  expect([past.lines, past.totalLines, perLine(past)]).toEqual([["1", "2", "3", "4", "5"], 5, Array.from({ length: 5 }, () => first)]);
  const present = await read({ commit: second, start: 2, end: 3 });
  expect([present.lines, present.totalLines, perLine(present)]).toEqual([["two", "3"], 5, [second, first]]);
});

describe("refuses a range", () => {
  test.each<[options: Partial<BlameOptions>, message: string]>([
    [{ start: 3, end: 2 }, "end_line 2 lies before start_line 3. Swap them."],
    [{ start: 6 }, "f.txt has only 5 lines. Give a smaller start_line."],
    [{ start: 6, end: 9 }, "f.txt has only 5 lines. Give a smaller start_line."],
    [{ path: "open", start: 2 }, "open has only 1 line. Give a smaller start_line."],
    [{ path: "empty", start: 2 }, "empty has only 0 lines. Give a smaller start_line."],
  ])("refuses %j", async (options, message) => {
    for (const commit of [undefined, second])
      await expect(read({ ...options, commit })).rejects.toThrow(expect.objectContaining({ code: "invalid", message }));
  });
});

describe("refuses a path", () => {
  test.each<[options: Partial<BlameOptions>, code: string, message: string]>([
    [{ path: "none" }, "not-found", "git tracks no none here. Check the path."],
    [{ path: "untracked" }, "not-found", "git tracks no untracked here. Check the path."],
    [{ path: "deep.txt" }, "not-found", "git tracks no deep.txt here. Did you mean d/Deep.txt?"],
    [{ path: "D/DEEP.TXT" }, "not-found", "git tracks no D/DEEP.TXT here. Did you mean d/Deep.txt?"],
    [{ path: "../x" }, "denied", "Access denied - path outside the repository: ../x"],
    [{ path: "folder/Deep.txt" }, "denied", "Access denied - path beyond a symbolic link: folder/Deep.txt"],
  ])("refuses %j", async (options, code, message) => {
    await expect(read(options)).rejects.toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message.slice(0, 30)) as string }),
    );
    if (code === "not-found") await expect(read(options)).rejects.toThrow(expect.objectContaining({ message }));
  });

  test("refuses one that the commit lacks, and a folder", async () => {
    // Both the lines and their commits are read, and either may fail first.
    const refused = (message: RegExp) => expect.objectContaining({ message: expect.stringMatching(message) as string }) as Error;
    await expect(read({ path: "Deep.txt", commit: second })).rejects.toThrow(
      refused(/^(?:There is no Deep\.txt in [0-9a-f]{12}|git tracks no Deep\.txt in that revision)\. Did you mean d\/Deep\.txt\?$/),
    );
    await expect(read({ path: "none", commit: second })).rejects.toThrow(
      refused(
        /^(?:There is no none in [0-9a-f]{12}\. List its folder with git_show|git tracks no none in that revision\. Check the path)\.$/,
      ),
    );
    await expect(read({ path: "d", commit: second })).rejects.toThrow(
      refused(/^(?:d is a folder: give a file|git tracks no d in that revision\. Check the path)\.$/),
    );
  });

  test("refuses one before the first commit", async () => {
    await using place = tempFolder();
    const empty = makeRepository(place.at("empty"));
    empty.write({ f: "x\n" });
    const opened = await openRepository(empty);
    await expect(readBlame(opened, { ...DEFAULTS, path: "f" })).rejects.toThrow(
      expect.objectContaining({ code: "not-found", message: "There are no commits yet: no line has a history." }),
    );
    opened.close();
  });

  test("refuses one when the configuration names an outside file that git would read", async () => {
    await using place = tempFolder({ secret: "secret\n" });
    const hostile = makeRepository(place.at("project"), { f: "1\n" });
    hostile.git("config", "blame.ignoreRevsFile", "../secret");
    const opened = await openRepository(hostile);
    await expect(readBlame(opened, { ...DEFAULTS, path: "f" })).rejects.toThrow("Refused: blame.ignoreRevsFile");
    opened.close();
  });

  test("refuses one in a bare repository without a commit", async () => {
    await using place = tempFolder();
    const bare = await openRepository(cloneOf(own, place.at("bare.git"), "--bare"));
    await expect(readBlame(bare, DEFAULTS)).rejects.toThrow("This repository is bare: it has no work tree.");
    expect((await readBlame(bare, { ...DEFAULTS, commit: first })).lines).toHaveLength(5);
    bare.close();
  });

  test("refuses a file of more than 64 MiB", async () => {
    truncateSync(`${own.path}/d/Deep.txt`, 64 * 1024 * 1024 + 1);
    await expect(read({ path: "d/Deep.txt", start: 1, end: 1 })).rejects.toThrow(
      expect.objectContaining({
        code: "too-large",
        message: "d/Deep.txt is larger than this server blames (67108864 bytes). Use git itself.",
      }),
    );
    own.git("checkout", "--quiet", "--", "d/Deep.txt");
  });
});
