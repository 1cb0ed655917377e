// Paths of imports, exports and backups as text, on every platform.
import { expect, test } from "vitest";
import { checkPathText, temporaryFolders } from "../../src/db/outside-files.ts";

test.each(["x.db-wal.", "x.db-wal ", "a.csv:s", "con.csv", "d/nul"])("refuses %j on Windows, where it is another file", (path) => {
  expect(() => checkPathText(path, "win32")).toThrow("Windows reads it as another file, a stream or a device. Choose names");
  for (const system of ["linux", "darwin"] as const) expect(() => checkPathText(path, system)).not.toThrow();
});

test("accepts paths with a drive on Windows", () => {
  expect(() => checkPathText(String.raw`C:\data\a.csv`, "win32")).not.toThrow();
});

test.each(["", " ", "a\0b", "\ud800"])("refuses %j everywhere", (path) => {
  for (const system of ["win32", "linux"] as const) expect(() => checkPathText(path, system)).toThrow("expected the path of a file");
});

test("puts temporary files into no folder of the root on Windows", () => {
  expect(temporaryFolders(undefined, "T", "win32")).toEqual(["T"]);
  expect(temporaryFolders("/mine", "T", "linux")).toEqual(["/mine", "/var/tmp", "T"]);
});
