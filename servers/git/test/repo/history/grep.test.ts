// Pages of matching lines, in the work tree and in a commit.
import { rmSync } from "node:fs";
import { linkTo, tempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { searchLines, type GrepOptions, type GrepPage } from "../../../src/repo/history/grep.ts";
import type { Repository } from "../../../src/repo/repository.ts";
import { openRepository } from "../../support/open-repository.ts";
import { cloneOf, makeRepository, type TestRepository } from "../../support/repository.ts";

const folder = tempFolder({ outside: { "secret.txt": "one secret\n" } });
let repository: Repository;
let own: TestRepository;
let head = "";

beforeAll(async () => {
  own = makeRepository(folder.at("project"), {
    "a.txt": "one\nOne two\nonerous (1)\n",
    "d/b.txt": "before\nhit one\nafter\n",
    "c.bin": Buffer.from("one\0one\n"),
    "in/x.txt": "one inside\n",
  });
  head = own.git("rev-parse", "HEAD");
  own.git("rm", "--quiet", "--cached", "-r", "in");
  own.git("commit", "--quiet", "-m", "untracked");
  own.write({ "a.txt": "one\nOne two\nonerous (1)\none more\n", untracked: "one\n" });
  repository = await openRepository(own);
});
afterAll(async () => {
  repository.close();
  await folder[Symbol.asyncDispose]();
});

const DEFAULTS: GrepOptions = {
  pattern: "one",
  commit: undefined,
  paths: [],
  literal: false,
  ignoreCase: false,
  word: false,
  contextLines: 0,
  limit: 100,
  maxJsonBytes: 1_000_000,
};
const read = (options: Partial<GrepOptions> = {}, of = repository): Promise<GrepPage> => searchLines(of, { ...DEFAULTS, ...options });
const found = ({ matches }: GrepPage): string[] => matches.map(({ path, line }) => `${path}:${line}`);

test.each<[options: Partial<GrepOptions>, expected: readonly string[]]>([
  [{}, ["a.txt:1", "a.txt:3", "a.txt:4", "d/b.txt:2"]],
  [{ ignoreCase: true, paths: ["a.txt"] }, ["a.txt:1", "a.txt:2", "a.txt:3", "a.txt:4"]],
  [{ word: true }, ["a.txt:1", "a.txt:4", "d/b.txt:2"]],
  [{ pattern: "one(r|$)" }, ["a.txt:1", "a.txt:3", "d/b.txt:2"]],
  [{ pattern: "(1)", literal: true }, ["a.txt:3"]],
  [{ pattern: "(", literal: true }, ["a.txt:3"]],
  [{ pattern: "-one" }, []],
  [{ paths: ["d"] }, ["d/b.txt:2"]],
  [{ paths: ["*.txt"] }, []],
  [{ pattern: "none at all" }, []],
])("searches %j and finds %j", async (options, expected) => {
  const page = await read(options);
  expect(found(page)).toEqual(expected);
  expect([page.nextCursor, page.isClipped]).toEqual([undefined, false]);
});

test("searches a commit's own files, and returns paths without its id", async () => {
  expect(found(await read({ commit: head }))).toEqual(["a.txt:1", "a.txt:3", "d/b.txt:2", "in/x.txt:1"]);
  expect((await read({ commit: head, paths: ["in"] })).matches).toEqual([{ path: "in/x.txt", line: 1, text: "one inside" }]);
});

test("returns context lines on request", async () => {
  expect((await read({ pattern: "hit", contextLines: 1 })).matches).toEqual([
    { path: "d/b.txt", line: 2, text: "hit one", before: ["before"], after: ["after"] },
  ]);
  expect((await read({ pattern: "hit" })).matches).toEqual([{ path: "d/b.txt", line: 2, text: "hit one" }]);
});

test("returns at most the limit, and a cursor for the rest", async () => {
  const one = await read({ limit: 1 });
  expect([found(one), typeof one.nextCursor]).toEqual([["a.txt:1"], "string"]);
  const two = await read({ limit: 2, cursor: one.nextCursor });
  expect([found(two), typeof two.nextCursor]).toEqual([["a.txt:3", "a.txt:4"], "string"]);
  const last = await read({ cursor: two.nextCursor });
  expect([found(last), last.nextCursor]).toEqual([["d/b.txt:2"], undefined]);
});

test.each<Partial<GrepOptions>>([
  { pattern: "hit|one" },
  { paths: ["a.txt"] },
  { literal: true },
  { ignoreCase: true },
  { word: true },
  { contextLines: 1 },
])("refuses a cursor of another query than %j", async (options) => {
  const { nextCursor: cursor } = await read({ limit: 1 });
  await expect(read({ ...options, cursor })).rejects.toThrow("Invalid cursor: it does not belong");
});

test("refuses a cursor of the work tree for a commit", async () => {
  const { nextCursor: cursor } = await read({ limit: 1 });
  await expect(read({ commit: head, cursor })).rejects.toThrow("Invalid cursor: it does not belong");
});

describe("refuses a search", () => {
  test.each<[options: Partial<GrepOptions>, message: string]>([
    [{ pattern: "(" }, "("],
    [{ pattern: "(a{200}){200}" }, "repeats too much"],
    [{ paths: ["../x"] }, "Access denied - path outside the repository: ../x"],
    [{ commit: "1".repeat(40) }, "1111"],
  ])("refuses %j", async (options, message) => {
    await expect(read(options)).rejects.toThrow(expect.objectContaining({ message: expect.stringContaining(message) as string }));
  });

  test("refuses the work tree of a bare repository, not its commits", async () => {
    await using place = tempFolder();
    const bare = await openRepository(cloneOf(own, place.at("bare.git"), "--bare"));
    await expect(read({}, bare)).rejects.toThrow("This repository is bare: it has no work tree.");
    expect(found(await read({ commit: head, paths: ["d"] }, bare))).toEqual(["d/b.txt:2"]);
    bare.close();
  });
});

test("finds nothing behind a link that replaced a folder", async () => {
  await using place = tempFolder({ outside: { "secret.txt": "one secret\n" } });
  const swapped = makeRepository(place.at("project"), { "d/secret.txt": "one of mine\n", "z.txt": "one\n" });
  const opened = await openRepository(swapped);
  expect(found(await read({}, opened))).toEqual(["d/secret.txt:1", "z.txt:1"]);
  rmSync(`${swapped.path}/d`, { recursive: true });
  swapped.write({ d: linkTo("../outside") });
  expect(found(await read({}, opened))).toEqual(["z.txt:1"]);
  expect(found(await read({ commit: swapped.git("rev-parse", "HEAD") }, opened))).toEqual(["d/secret.txt:1", "z.txt:1"]);
  opened.close();
});
