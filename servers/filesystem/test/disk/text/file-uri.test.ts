/** file: URIs of drives and shares, as Windows has them, and as other systems refuse them. */
import { expect, test } from "vitest";
import { pathOfUri, uriOfPath } from "../../../src/disk/text/file-uri.ts";

test.each([
  ["C:\\Users\\me\\a b.txt", "file:///C:/Users/me/a%20b.txt"],
  ["C:\\", "file:///C:/"],
  ["\\\\server\\share\\a.txt", "file://server/share/a.txt"],
  ["\\\\wsl.localhost\\Ubuntu\\home", "file://wsl.localhost/Ubuntu/home"],
  ["\\\\wsl$\\Ubuntu\\home", "file://wsl$/Ubuntu/home"],
])("converts %s to %s on Windows", (path, uri) => {
  expect(uriOfPath(path, true)).toBe(uri);
  expect(pathOfUri(uri, { folder: true, windows: true })).toBe(path);
});

test("ends a share as a root in a slash, and accepts an encoded drive", () => {
  expect(pathOfUri("file://server/share/", { folder: true, windows: true })).toBe("\\\\server\\share");
  expect(pathOfUri("file:///c%3A/Users", { windows: true })).toBe("c:\\Users");
  expect(pathOfUri("file://localhost/C:/a", { windows: true })).toBe("C:\\a");
});

test.each([
  "file://server/",
  "file://./pipe/x",
  "file://?/C:/x",
  "file://user@server/share/a",
  "file://server:445/share",
  "file:////server/share/a",
])("refuses %s on Windows", (uri) => expect(() => pathOfUri(uri, { folder: true, windows: true })).toThrow(/Expected a URI/));

test("refuses a host on other systems", () => {
  expect(() => pathOfUri("file://server/share/a", { windows: false })).toThrow("it names a host, user or port");
  expect(uriOfPath("//server/share", false)).toBe("file:////server/share");
});
