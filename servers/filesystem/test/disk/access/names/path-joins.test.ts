/** Paths put together by the rules of each platform, and roots that are spelled otherwise. */
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverOf } from "../../../../src/disk/access/client-narrowing.ts";
import { compileDeny } from "../../../../src/disk/access/deny-rules.ts";
import {
  isInside,
  joinPath,
  macPaths,
  pathBelow,
  posixPaths,
  windowsPaths,
  withSeparator,
} from "../../../../src/disk/access/path-syntax.ts";
import { remedyOf } from "../../../../src/disk/access/skip-reasons.ts";
import { isOneName } from "../../../../src/disk/transfer/rename.ts";
import { writeText } from "../../../../src/disk/write/text-writer.ts";
import { scratch } from "../../support/scratch.ts";
import { refuses, world } from "../../support/world.ts";

test.each([
  [posixPaths, "/p", "a", "/p/a"],
  [posixPaths, "/", "a", "/a"],
  [posixPaths, "/p\\", "a", "/p\\/a"],
  [macPaths, "/p", "a\\b", "/p/a\\b"],
  [windowsPaths, "C:\\p", "a", "C:\\p\\a"],
  [windowsPaths, "C:\\", "a", "C:\\a"],
  [windowsPaths, "C:/", "a", "C:/a"],
  [windowsPaths, "\\\\srv\\share\\", "a", "\\\\srv\\share\\a"],
])("joins names with the separator of the platform %#", (rules, folder, name, path) => {
  expect(joinPath(folder, name, rules)).toBe(path);
  expect(withSeparator(path, rules)).toBe(path + rules.path.sep);
});

test("joins the results of a search below a directory", () => {
  expect(pathBelow("C:\\p", "src/a.ts", windowsPaths)).toBe("C:\\p\\src\\a.ts");
  expect(pathBelow("/p", "src/a\\b", posixPaths)).toBe("/p/src/a\\b");
  expect(pathBelow("C:\\p", "", windowsPaths)).toBe("C:\\p");
});

test("treats a path without a drive as outside every directory", () => {
  expect(isInside("C", "C:\\proj", windowsPaths)).toBe(false);
  expect(isInside("", "C:\\proj", windowsPaths)).toBe(false);
  expect(isInside("C:\\proj\\C", "C:\\proj", windowsPaths)).toBe(true);
});

test("hides paths below a home with brackets in its name (--deny ~/…)", () => {
  const denied = (home: string, path: string) => compileDeny(["~/.ssh"], windowsPaths, home)(path, []);
  expect(denied("C:\\Users\\Ann (work)", "c:\\users\\Ann (work)\\.ssh\\id")).toBe(true);
  expect(denied("C:\\Users\\a[b]{c}", "C:\\Users\\a[b]{c}\\.SSH")).toBe(true);
  expect(compileDeny(["~/.ssh"], posixPaths, "/home/back\\slash (x)")("/home/back\\slash (x)/.ssh", [])).toBe(true);
});

test("hides every case and composition on macOS", () => {
  const denies = compileDeny(["g\u00e9heim*"], macPaths);
  for (const name of ["G\u00c9HEIM.txt", "ge\u0301heim", "Ge\u0301Heim"]) expect(denies(`/r/${name}`, ["/r"])).toBe(true);
  expect(compileDeny(["geheim"], posixPaths)("/r/GEHEIM", ["/r"])).toBe(false);
});

test("reads the server of a share on Windows only", () => {
  expect(serverOf("\\\\Server\\share\\a", windowsPaths)).toBe("server");
  expect(serverOf("//server/share", windowsPaths)).toBe("server");
  expect(serverOf("C:\\a", windowsPaths)).toBeUndefined();
  expect(serverOf("//server/share", posixPaths)).toBeUndefined();
});

test("names the privacy settings of macOS on macOS only", () => {
  expect(remedyOf("no-access", "darwin")).toMatch(/Privacy & Security/);
  for (const platform of ["linux", "win32"] as const) expect(remedyOf("no-access", platform)).not.toMatch(/Privacy/);
  expect(remedyOf("missing", "darwin")).toBe(remedyOf("missing", "linux"));
});

test("counts one name for a file with one name in any spelling", async () => {
  const place = scratch({ "caf\u00e9": "", b: "", "d/c": "" });
  const sandbox = await place.sandbox();
  const entry = (name: string) => sandbox.entry(place.at(name));
  using composed = entry("caf\u00e9");
  using decomposed = entry("cafe\u0301");
  using other = entry("b");
  using below = entry("d/c");
  const names = (nlink: bigint, isDirectory = false) => ({ nlink, isDirectory: () => isDirectory }) as Parameters<typeof isOneName>[0];
  expect(isOneName(names(1n), composed, decomposed)).toBe(true);
  expect(isOneName(names(2n, true), composed, decomposed)).toBe(true);
  // With a second hard link the listing tells: `b` is an entry of its own, the other composition is not.
  expect(isOneName(names(2n), composed, other)).toBe(false);
  expect(isOneName(names(2n), composed, decomposed)).toBe(true);
  expect(isOneName(names(2n), below, other)).toBe(false);
});

test("finds a root in another spelling that leads to it, also for missing paths", async () => {
  const { base, root, open } = world();
  symlinkSync(root, join(base, "root"));
  mkdirSync(join(base, "Root"));
  const sandbox = await open();
  await writeText(sandbox, join(base, "root/new/er/f"), "text", { createDirectories: true });
  expect(readFileSync(join(root, "new/er/f"), "utf8")).toBe("text");
  // What only looks like a root.
  await refuses(
    "denied",
    () => writeText(sandbox, join(base, "Root/new/f"), "x", { createDirectories: true }),
    () => writeText(sandbox, join(base, "rooT/f"), "x"),
  );
});
