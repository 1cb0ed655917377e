import { expect, test } from "vitest";
import { checkPathText, isInside, posixPaths, restBelow, splitLast, windowsPaths } from "../../../src/disk/access/path-syntax.ts";

test("PATH-31 in Windows mode, dots behind backslashes climb, and odd names are refused", () => {
  const inside = (text: string) => isInside(windowsPaths.path.resolve("C:\\t\\ROOT", text), "C:\\t\\ROOT", windowsPaths);
  expect(inside("..\\OUT\\secret.txt")).toBe(false);
  expect(inside("a\\..\\..\\OUT")).toBe(false);
  expect(inside("a/../b\\c")).toBe(true);
  expect(inside("D:\\ROOT")).toBe(false);
  expect(isInside("C:\\t\\ROOT-secret\\f", "C:\\t\\ROOT", windowsPaths)).toBe(false);
  for (const name of ["CON", "nul.txt", "COM1", "a\\lpt9.log", "f.txt:stream", "f.txt.", "f.txt ", "C:\\a\\b ", "a::$DATA"]) {
    expect(() => checkPathText(name, windowsPaths)).toThrow(/Windows/);
  }
  for (const name of ["C:\\a\\b.txt", "\\\\?\\C:\\a", "\\\\server\\share\\f", "a\\..\\b", "console.txt"]) checkPathText(name, windowsPaths);
});

test.each(["C:", "C:\\x", "c:/x", "Z:/"])("the Windows path %s is refused on other systems, in the official words", (path) => {
  expect(() => checkPathText(path, posixPaths)).toThrow(`Access denied - Windows-style path received on a POSIX host: ${path}`);
  checkPathText(path, windowsPaths);
  checkPathText(`./${path}`, posixPaths);
});

test.each(["C:x", "ab:/x", "1:/x", "/C:/x", "a/C:/x"])("%s is an ordinary name", (path) => checkPathText(path, posixPaths));

test("containment is decided on whole names", () => {
  expect(isInside("/t/data", "/t/data")).toBe(true);
  expect(isInside("/t/data/f", "/t/data")).toBe(true);
  expect(isInside("/t/data-secret/f", "/t/data")).toBe(false);
  expect(isInside("/t", "/t/data")).toBe(false);
  expect(isInside("/anything", "/")).toBe(true);
});

test.each([
  ["/t/data/f", "f"],
  ["/t/data", ""],
  ["/t/data/", ""],
  ["//t//data/./a/../b/", "./a/../b/"],
  ["/./t/./data/x", "x"],
  ["/t/../t/data/x", undefined],
  ["/t/datax", undefined],
  ["/t/dat", undefined],
  ["/t", undefined],
])("what is left of %s below /t/data", (text, rest) => {
  expect(restBelow(text, "/t/data")).toBe(rest);
});

test.each([
  ["a/b/c", "a/b/", "c", false],
  ["c", "", "c", false],
  ["c///", "", "c", true],
  ["/", "", "", true],
  ["a/..", "a/", "", true],
  ["a/.", "a/", "", true],
  ["..", "", "", true],
])("the last name of %s", (text, folder, name, asFolder) => {
  expect(splitLast(text)).toEqual({ folder, name, asFolder });
});
