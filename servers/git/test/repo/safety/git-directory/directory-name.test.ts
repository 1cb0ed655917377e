// Names that a file system takes for `.git`, and where such a name is refused.
import { expect, test } from "vitest";
import { isGitDirectoryName } from "../../../../src/repo/safety/git-directory/directory-name.ts";
import { leadsOut } from "../../../../src/repo/safety/git-directory/index-check.ts";
import { relativePath } from "../../../../src/repo/safety/path-resolver.ts";

const ON_WINDOWS = ["git~1", "GIT~1", ".git.", ".git ", ".git . ", "git~1.", ".git::$INDEX_ALLOCATION", ".git:x", ".git .:x"];
const ON_MACOS = [".g\u200cit", "\ufeff.git", ".GIT\u200d"];
const OTHERS = [".gitignore", "git", "git~2", ".git~1", "a.git", ".gitx", "gi\u200ct"];

const isTaken = (of: NodeJS.Platform) => (name: string) => isGitDirectoryName(name, of);

test("recognizes .git in any case and in the file system's other spellings", () => {
  for (const platform of ["linux", "darwin", "win32"] as const) {
    expect([".git", ".GIT"].filter(isTaken(platform))).toEqual([".git", ".GIT"]);
    expect(OTHERS.filter(isTaken(platform))).toEqual([]);
  }
  expect(ON_WINDOWS.filter(isTaken("win32"))).toEqual(ON_WINDOWS);
  expect(ON_MACOS.filter(isTaken("darwin"))).toEqual(ON_MACOS);
  expect([...ON_WINDOWS, ...ON_MACOS].filter(isTaken("linux"))).toEqual([]);
});

test("refuses each spelling in a path and in an index", () => {
  const repository = { state: { top: "/r", gitDir: "/r/.git", commonDir: "/r/.git", isBare: false } };
  const latin1 = (text: string): string => Buffer.from(text).toString("latin1");
  for (const [platform, names] of [
    ["win32", ON_WINDOWS],
    ["darwin", ON_MACOS],
  ] as const)
    for (const name of names) {
      expect(() => relativePath(repository, `a/${name}/config`, platform)).toThrow("a path inside a git directory");
      expect(leadsOut(latin1(`a/${name}/config`), platform)).toBe(true);
    }
  expect(() => relativePath(repository, "a\\.git.\\config", "win32")).toThrow("a path inside a git directory");
  expect(relativePath(repository, "git~1/a", "linux")).toBe("git~1/a");
  expect(["a/git~1", "a\\b", "a:b"].filter((path) => leadsOut(path, "linux"))).toEqual([]);
  expect(["../a", "/a", "a//b", ".git/a"].filter((path) => leadsOut(path, "linux"))).toHaveLength(4);
});
