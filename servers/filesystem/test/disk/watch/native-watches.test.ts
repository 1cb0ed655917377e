/** What chokidar is to leave out, which asks with slashes on Windows. */
import { expect, test } from "vitest";
import { posixPaths, windowsPaths } from "../../../src/disk/access/path-syntax.ts";
import { isIgnored } from "../../../src/disk/watch/native-watches.ts";

const real = (): boolean => true;

test.each([
  ["C:/p/a", "C:\\p\\a", windowsPaths],
  ["C:/p/a/child", "C:\\p\\a", windowsPaths],
  ["C:\\p\\a", "C:\\p\\a", windowsPaths],
  ["C:/a", "C:\\", windowsPaths],
  ["/p/a/child", "/p/a", posixPaths],
])("includes %s when %s is watched", (candidate, watched, rules) => {
  expect(isIgnored(candidate, watched, real, rules)).toBe(false);
});

test.each([
  ["C:/p/ab", "C:\\p\\a", windowsPaths],
  ["C:/p", "C:\\p\\a", windowsPaths],
  ["/p/a\\child", "/p/a", posixPaths],
])("leaves out %s when %s is watched", (candidate, watched, rules) => {
  expect(isIgnored(candidate, watched, real, rules)).toBe(true);
});

test("leaves out a path that became a link", () => {
  expect(isIgnored("C:/p/a", "C:\\p\\a", () => false, windowsPaths)).toBe(true);
});
