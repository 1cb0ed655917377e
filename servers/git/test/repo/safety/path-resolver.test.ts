// Paths of callers, relative to the top of a repository.
import { mkdirSync, symlinkSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { absolutePath, pathArguments, pathInput, pathLines, relativePath } from "../../../src/repo/safety/path-resolver.ts";

const at = (top: string) => ({ state: { top, gitDir: `${top}/.git`, commonDir: `${top}/.git`, isBare: false } });
const repository = at("/r/top");
const refusal = (code: string, message: string): unknown => expect.objectContaining({ code, message }) as unknown;

test.each([
  ["a/b", "a/b"],
  ["./a//b/", "a/b"],
  ["a/../b", "b"],
  ["a/b/../../c", "c"],
  [".", "."],
  ["", "."],
  ["a/..", "."],
  ["/r/top", "."],
  ["/r/top/a/b", "a/b"],
  ["...", "..."],
  [".gitignore", ".gitignore"],
  ["a.git", "a.git"],
  ["*", "*"],
])("resolves the path %j to %s below the top", (given, path) => {
  expect(relativePath(repository, given)).toBe(path);
});

test.each(["..", "../a", "a/../../b", "/", "/r", "/r/topper/a", "/r/other", "/r/top/../top/a", "/missing/x"])(
  "refuses the path %s as outside the repository",
  (given) => {
    expect(() => relativePath(repository, given)).toThrow(refusal("denied", `Access denied - path outside the repository: ${given}`));
  },
);

test.each([".git", "a/.git/config", ".GIT/hooks", "/r/top/.git/HEAD", "a/../.git"])(
  "refuses the path %s as inside a git directory",
  (given) => {
    expect(() => relativePath(repository, given)).toThrow(refusal("denied", `Access denied - a path inside a git directory: ${given}`));
  },
);

test("resolves a path through a link to the top", async () => {
  await using folder = tempFolder();
  mkdirSync(folder.at("top/a"), { recursive: true });
  mkdirSync(folder.at("other"));
  symlinkSync("top", folder.at("link"));
  const linked = at(folder.at("top"));
  expect(relativePath(linked, folder.at("link/new"))).toBe("new");
  expect(relativePath(linked, folder.at("link/a/new"))).toBe("a/new");
  expect(() => relativePath(linked, folder.at("other/new"))).toThrow("outside the repository");
});

test("writes paths as bytes, each ended by NUL, or by a line break after the revisions", () => {
  expect(pathInput(repository, ["a", "caf\\xE9"]).toString("latin1")).toBe("a\0caf\xe9\0");
  expect(pathLines(repository, ["HEAD", "^main"], ["a", "b/"]).toString("latin1")).toBe("HEAD\n^main\n--\na\nb\n");
  expect(() => pathLines(repository, [], ["a", "b\nc"])).toThrow(
    refusal("invalid", expect.stringContaining("holds a line break") as string),
  );
});

test("puts paths behind two dashes, as bytes when they are not UTF-8", () => {
  expect(pathArguments(repository, [])).toEqual([]);
  expect(pathArguments(repository, ["a/./b", "caf\\xE9"])).toEqual(["--", "a/b", Buffer.from("caf\xe9", "latin1")]);
  expect(absolutePath(repository, Buffer.from("a")).toString()).toBe("/r/top/a");
});
