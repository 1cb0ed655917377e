// What differs by platform in where a memory is, with the answers of each on every machine.
import { posix, win32 } from "node:path";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { npxCache } from "../src/configured-location.ts";
import { LateAppends } from "../src/graph/jsonl/late-appends.ts";
import { isInFolder } from "../src/graph/location.ts";

const PACKAGE = String.raw`C:\Users\me\AppData\Local\npm-cache\_npx\1\node_modules\@oarlock\memory`;

test.each([
  [`${PACKAGE}\\memory.jsonl`, true],
  [PACKAGE.toLowerCase(), true],
  [`${PACKAGE}\\..\\m.db`, false],
  [`${PACKAGE}-2\\m.db`, false],
  [`${PACKAGE}\\..m\\m.db`, true],
  [String.raw`D:\m.db`, false],
])("on Windows the path %s is in the folder of the server: %s", (path, isIn) => {
  expect(isInFolder(path, PACKAGE, win32)).toBe(isIn);
});

test.each([
  ["/opt/memory/m.db", true],
  ["/opt/memory", true],
  ["/opt/memory-2/m.db", false],
  ["/opt/m.db", false],
])("elsewhere the path %s is in the folder of the server: %s", (path, isIn) => {
  expect(isInFolder(path, "/opt/memory", posix)).toBe(isIn);
});

test("finds the cache of npx where npm has it", () => {
  const LOCALAPPDATA = String.raw`C:\Users\me\AppData\Local`;
  const home = (): string => "/home/me";
  expect(npxCache({ platform: "win32", env: { LOCALAPPDATA }, home })).toBe(`${LOCALAPPDATA}\\npm-cache\\_npx`);
  for (const platform of ["linux", "darwin"] as const)
    expect(npxCache({ platform, env: { LOCALAPPDATA }, home })).toBe("/home/me/.npm/_npx");
});

test("closes a file on Windows before it is replaced", async () => {
  await using folder = tempFolder();
  // Elsewhere it is opened, so a missing one is an error.
  new LateAppends(folder.at("m.jsonl"), "win32").keepOldFile();
  expect(() => new LateAppends(folder.at("m.jsonl"), "linux").keepOldFile()).toThrow("ENOENT");
});
