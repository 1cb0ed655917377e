import { describe, expect, test } from "vitest";
import { DiskError } from "../../../src/disk/errors.ts";
import { compileGlobs, compileTreeExcludes } from "../../../src/disk/globs/glob.ts";
import { NAMES, TABLE } from "./glob-table.ts";

function matched(pattern: string): string {
  const glob = compileGlobs([pattern]);
  return NAMES.filter((name) => glob.matches(name)).join(" ; ");
}

describe("matches globs as the official server does", () => {
  test.each(TABLE)("matches %s", (pattern, matches) => {
    expect(matched(pattern)).toBe(matches);
  });

  test("reads an escape as an escape, also behind a star, where minimatch does not", () => {
    expect(compileGlobs(["*\\.ts"]).matches("a.ts")).toBe(true);
    expect(compileGlobs(["*\\*"]).matches("a")).toBe(false);
    expect(compileGlobs(["*\\*"]).matches("a*")).toBe(true);
  });

  test("takes # at the start for a name, where minimatch sees a comment", () => {
    expect(matched("#a")).toBe("#a");
  });

  test("matches with several patterns what any of them matches", () => {
    const glob = compileGlobs(["*.ts", "!**", "src/**"]);
    expect(["a.ts", "src/x", "b.js"].map((name) => glob.matches(name))).toEqual([true, true, false]);
    expect(compileGlobs([]).matches("a")).toBe(false);
  });
});

describe("exclude patterns of the tree", () => {
  const excluded = (pattern: string, path: string) => compileTreeExcludes([pattern]).matches(path);

  test("match at any level without a star", () => {
    expect(excluded("node_modules", "node_modules")).toBe(true);
    expect(excluded("node_modules", "a/b/node_modules")).toBe(true);
    expect(excluded("b/c", "a/b/c")).toBe(true);
    expect(excluded("a?", "x/ab")).toBe(true);
  });

  test("match relative to the folder with a star", () => {
    expect(excluded("*.ts", "a.ts")).toBe(true);
    expect(excluded("*.ts", "x/a.ts")).toBe(false);
    expect(excluded("**/*.ts", "x/a.ts")).toBe(true);
  });

  test("match everything below a folder with a slash at the end", () => {
    for (const pattern of ["c/", "c//", "{b,c}/", "a/c/"]) {
      expect(["a/c", "a/c/x", "a/c/x/y", "ac/x"].map((path) => excluded(pattern, path))).toEqual([false, true, true, false]);
    }
    expect(excluded("c/", "c/x")).toBe(true);
    expect(excluded("*c/", "c/x")).toBe(false);
  });
});

describe("folders without possible matches", () => {
  const reaches = (pattern: string, folder: string) => compileGlobs([pattern]).canMatchBelow(folder);

  test.each([
    ["*.ts", "src", false],
    ["src/*.ts", "src", true],
    ["src/*.ts", "lib", false],
    ["src/*.ts", "src/deep", false],
    ["src/**", "src/deep", true],
    ["**/x", "any/where", true],
    ["!*.ts", "any/where", true],
    ["!**/*.ts", "any", true],
    ["{a,b}/c", "b", true],
    ["/abs/*", "abs", false],
  ])("skips or walks for %s below %s: %s", (pattern, folder, expected) => {
    expect(reaches(pattern, folder)).toBe(expected);
  });
});

describe("bounds of patterns", () => {
  test.each([
    ["{a,b}".repeat(200), /more than 128 alternatives/],
    ["{1..1000000}", /more than 128 alternatives/],
    ["{a,b{1..200}}", /more than 128 alternatives/],
    ["a".repeat(2000), /at most 1024 characters, got 2000/],
  ])("refuses %s with a reason", (pattern, message) => {
    const compile = () => compileGlobs([pattern]);
    expect(compile).toThrow(DiskError);
    expect(compile).toThrow(message);
  });

  test("limits the number of patterns", () => {
    expect(() => compileGlobs(Array.from({ length: 101 }, () => "a"))).toThrow(/at most 100 patterns/);
    expect(() => compileGlobs(Array.from({ length: 100 }, () => "a/".repeat(20) + "b"))).toThrow(/too large together/);
  });
});
