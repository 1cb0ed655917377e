import { expect, test } from "vitest";
import {
  checkPathText,
  isInside,
  posixPaths,
  restBelow,
  displayPathFrom,
  splitLast,
  windowsPaths,
} from "../../../src/disk/access/path-syntax.ts";

const refusal = (code: string, message: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(message) as string }) as Error;

test.each([
  ["", "Empty path: expected a file or directory name."],
  ["a".repeat(4096), "Path too long: expected at most 4095 bytes: aaa"],
  ["\u00e9".repeat(2048), "Path too long: expected at most 4095 bytes: \u00e9"],
  ["a\0b", "Invalid path: it has a NUL character: a"],
  ["a\ud800b", "Invalid path: it is not well-formed Unicode text."],
])("refuses %j on every system", (text, message) => {
  for (const rules of [posixPaths, windowsPaths]) expect(() => checkPathText(text, rules)).toThrow(refusal("invalid", message));
});

test.each([
  ["/r/a", "/r/a", "/r/a"],
  [".", ".", "x"],
  ["./", ".", "x"],
  ["./a", "a", "a/x"],
  ["a/", "a/", "a/x"],
  ["../r/a", "../r/a", "../r/a/x"],
  [".a", ".a", ".a/x"],
])("shows what lies below %j as the caller writes it", (given, itself, below) => {
  const displayPath = displayPathFrom(given, "/r/a", posixPaths);
  expect([displayPath("/r/a"), displayPath("/r/a/x")]).toEqual([itself, given.startsWith("/") ? "/r/a/x" : below]);
});

test("shows paths below a drive as the caller writes them", () => {
  expect(displayPathFrom(".", "C:\\", windowsPaths)("C:\\a\\x")).toBe("a\\x");
  expect(displayPathFrom("a", "C:\\r\\a", windowsPaths)("C:\\r\\a\\x")).toBe("a\\x");
  expect(displayPathFrom("D:\\a", "D:\\a", windowsPaths)("D:\\a\\x")).toBe("D:\\a\\x");
});

test("accepts the longest path", () => {
  for (const text of ["a".repeat(4095), `a${"\u00e9".repeat(2047)}`]) checkPathText(text, posixPaths);
});

test("PATH-31 counts dots behind backslashes as climbing in Windows mode, and refuses reserved names", () => {
  const inside = (text: string) => isInside(windowsPaths.path.resolve("C:\\t\\ROOT", text), "C:\\t\\ROOT", windowsPaths);
  expect(inside("..\\OUT\\secret.txt")).toBe(false);
  expect(inside("a\\..\\..\\OUT")).toBe(false);
  expect(inside("a/../b\\c")).toBe(true);
  expect(inside("D:\\ROOT")).toBe(false);
  expect(isInside("C:\\t\\ROOT-secret\\f", "C:\\t\\ROOT", windowsPaths)).toBe(false);
  for (const name of ["CON", "nul.txt", "COM1", "a\\lpt9.log", "f.txt:stream", "f.txt.", "f.txt ", "C:\\a\\b ", "a::$DATA"]) {
    expect(() => checkPathText(name, windowsPaths)).toThrow(refusal("invalid", "Not a plain file name on Windows"));
  }
  for (const name of [
    "C:\\a\\b.txt",
    "\\\\?\\C:\\a",
    "\\\\server\\share\\f",
    "a\\..\\b",
    "console.txt",
    "silicon",
    "a\\.\\.\\b\\",
    "..\\x",
  ])
    checkPathText(name, windowsPaths);
});

test.each(["C:", "C:\\x", "c:/x", "Z:/"])("refuses the Windows path %s on other systems, with the official message", (path) => {
  expect(() => checkPathText(path, posixPaths)).toThrow(
    refusal("denied", `Access denied - Windows-style path received on a POSIX host: ${path}`),
  );
  checkPathText(path, windowsPaths);
  checkPathText(`./${path}`, posixPaths);
});

test.each(["C:x", "ab:/x", "1:/x", "/C:/x", "a/C:/x"])("accepts %s as an ordinary name", (path) => checkPathText(path, posixPaths));

test("decides containment on whole names", () => {
  expect(isInside("/t/data", "/t/data")).toBe(true);
  expect(isInside("/t/data/f", "/t/data")).toBe(true);
  expect(isInside("/t/data-secret/f", "/t/data")).toBe(false);
  expect(isInside("/t", "/t/data")).toBe(false);
  expect(isInside("/anything", "/")).toBe(true);
  expect(isInside("anything", "/")).toBe(false);
  for (const [path, wanted] of [
    ["C:\\t", false],
    ["C:\\t\\data", true],
    ["C:\\t\\data\\..data", true],
    ["C:\\", false],
  ] as const)
    expect(isInside(path, "C:\\t\\data", windowsPaths)).toBe(wanted);
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
])("returns the rest of %s below /t/data", (text, rest) => {
  expect(restBelow(text, "/t/data")).toBe(rest);
  expect(restBelow(text, "/")).toBe(text.slice(1));
});

test.each([
  ["a/b/c", "a/b/", "c", false],
  ["c", "", "c", false],
  ["c///", "", "c", true],
  ["/", "", "", true],
  ["a/..", "a/", "", true],
  ["a/.", "a/", "", true],
  ["..", "", "", true],
])("returns the last name of %s", (text, folder, name, asFolder) => {
  expect(splitLast(text)).toEqual({ folder, name, asFolder });
});
