import { expect, test } from "vitest";
import { childFileOf } from "../src/child-file.ts";

test.each<[url: string, path: string]>([
  ["file:///C:/Program%20Files/oarlock/dist/child-file.js", String.raw`C:\Program Files\oarlock\dist\child.js`],
  ["file://server/share/oarlock/dist/child-file.js", String.raw`\\server\share\oarlock\dist\child.js`],
])("finds the script of database processes of %s on Windows", (url, path) => {
  expect(childFileOf(url, true)).toBe(path);
});

test("finds the script of database processes among sources and in a build", () => {
  expect(childFileOf("file:///opt/a%20b/src/child-file.ts", false)).toBe("/opt/a b/src/child.ts");
  expect(childFileOf("file:///opt/dist/child-file.js", false)).toBe("/opt/dist/child.js");
});
