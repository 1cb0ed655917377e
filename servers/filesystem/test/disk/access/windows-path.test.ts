// Windows paths by their text only: different spellings of one path, and invalid ones. Runs on every system.
import { describe, expect, test } from "vitest";
import { checkPathText, isInside, splitLast, windowsPaths } from "../../../src/disk/access/path-syntax.ts";
import { windowsText } from "../../../src/disk/access/windows-path.ts";

test.each([
  ["C:\\Users\\me", "C:\\Users\\me"],
  ["c:\\Users\\me", "C:\\Users\\me"],
  ["C:/Users/me", "C:\\Users\\me"],
  ["/c/Users/me", "C:\\Users\\me"],
  ["/C/Users/me", "C:\\Users\\me"],
  ["/c", "C:\\"],
  ["c:", "C:\\"],
  ["\\\\?\\c:\\very\\long", "C:\\very\\long"],
  ["//?/C:/very/long", "C:\\very\\long"],
  ["\\\\?\\UNC\\server\\share\\f", "\\\\server\\share\\f"],
  ["\\\\server\\share\\f", "\\\\server\\share\\f"],
  ["//server/share/f", "\\\\server\\share\\f"],
  ["notes/a.txt", "notes\\a.txt"],
  ["a\\..\\b", "a\\..\\b"],
  ["\\\\?\\c:", "C:\\"],
  ["notes/c/x", "notes\\c\\x"],
  ["a c:\\x", "a c:\\x"],
  ["a\\\\.\\b", "a\\\\.\\b"],
  ["\\\\server\\share", "\\\\server\\share"],
  ["", ""],
])("servers#1838 rust-mcp-filesystem#87 reads %s as %s", (given, wanted) => {
  expect(windowsText(given)).toBe(wanted);
  expect(windowsText(windowsText(given))).toBe(wanted);
});

test.each([
  ["\\\\.\\PhysicalDrive0", "not a path of files"],
  ["\\\\.\\pipe\\x", "not a path of files"],
  ["\\\\.", "not a path of files"],
  ["\\??", "not a path of files"],
  ["\\\\?\\GLOBALROOT\\Device\\x", "not a path of files"],
  ["\\\\?\\Volume{1}\\x", "not a path of files"],
  ["\\??\\C:\\x", "not a path of files"],
  ["//./nul", "not a path of files"],
  ["C:name", "expected a backslash"],
  ["\\\\?\\UNC\\server", "server\\share"],
  ["\\\\server", "server\\share"],
  ["\\\\server\\", "server\\share"],
  ["\\rooted", "expected a drive"],
  ["/usr/lib", "expected a drive"],
])("refuses %s, which is never served", (given, words) => {
  const code = words.startsWith("not") ? "denied" : "invalid";
  expect(() => windowsText(given)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(words) as string }));
});

describe("containment", () => {
  const inside = (path: string, root: string): boolean =>
    isInside(windowsPaths.path.resolve(windowsText(path)), windowsPaths.path.resolve(windowsText(root)), windowsPaths);

  test.each([
    ["c:\\data\\f", "C:\\Data", true],
    ["/c/data/f", "C:/DATA/", true],
    ["\\\\?\\C:\\data\\f", "c:\\data", true],
    ["\\\\SERVER\\Share\\f", "\\\\server\\share", true],
    ["\\\\?\\UNC\\server\\share\\f", "\\\\server\\share", true],
    ["C:\\data-secret\\f", "C:\\data", false],
    ["D:\\data\\f", "C:\\data", false],
    ["C:\\data\\..\\f", "C:\\data", false],
    ["C:\\data\\..\\DATA\\f", "C:\\data", true],
    ["\\\\server\\share2\\f", "\\\\server\\share", false],
    ["\\\\other\\share\\f", "\\\\server\\share", false],
    ["\\\\server\\c$\\data\\f", "C:\\data", false],
  ])("servers#235 servers#4129 finds %s in %s: %s", (path, root, wanted) => {
    expect(inside(path, root)).toBe(wanted);
  });
});

test.each(["f.", "f ", "a\\b.\\c", "con", "CON.txt", "com1", "LPT³", "aux.tar.gz", "file:stream", "f::$DATA", "a\\nul\\b", "CONIN$"])(
  "refuses %s as a name, also behind a prefix for long paths",
  (name) => {
    for (const path of [name, `C:\\${name}`, windowsText(`\\\\?\\C:\\${name}`), windowsText(`\\\\server\\share\\${name}`)])
      expect(() => checkPathText(path, windowsPaths)).toThrow("Not a plain file name on Windows");
  },
);

test.each([
  ["C:\\a\\b", "C:\\a\\", "b", false],
  ["C:/a/b/", "C:/a/", "b", true],
  ["\\\\server\\share\\f", "\\\\server\\share\\", "f", false],
])("returns the last name of %s", (given, folder, name, asFolder) => {
  expect(splitLast(given, windowsPaths)).toEqual({ folder, name, asFolder });
});
