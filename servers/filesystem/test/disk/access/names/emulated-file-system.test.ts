/** What the emulated file systems answer, by the sources that are named beside their rules. */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { apfs, linkOfMac, ntfs, renameOfWindows, shortName } from "../../support/emulated-file-system.ts";
import { scratch } from "../../support/scratch.ts";

test.each([
  ["secrets.environment", "SECRET~1.ENV"],
  ["a long name.text", "ALONGN~1.TEX"],
  ["reference", "REFERE~1"],
  ["secrets.env", undefined],
  ["README", undefined],
])("gives %s the short name %s", (name, short) => {
  expect(shortName(name, [name, "other"])).toBe(short);
});

test("numbers short names with the same beginning", () => {
  expect(shortName("reference b", ["reference a", "reference b"])).toBe("REFERE~2");
});

test("ignores case letter for letter on NTFS, and composes nothing", () => {
  expect([ntfs("OSCAR", "Oscar", []), ntfs("\u00c9t\u00c9", "\u00e9t\u00e9", [])]).toEqual([true, true]);
  expect([ntfs("cafe\u0301", "caf\u00e9", []), ntfs("STRASSE", "stra\u00dfe", [])]).toEqual([false, false]);
});

test("ignores case and composition on APFS", () => {
  for (const name of ["CAF\u00c9", "cafe\u0301", "CAFE\u0301"]) expect(apfs(name, "caf\u00e9", [])).toBe(true);
  expect(apfs("cafe", "caf\u00e9", [])).toBe(false);
});

test("replaces a file but no directory by MoveFileEx", () => {
  const { at } = scratch({ a: "a", b: "b", d: null, e: null });
  renameOfWindows(at("a"), at("b"));
  expect(readFileSync(at("b"), "utf8")).toBe("a");
  for (const from of ["b", "d"]) expect(() => renameOfWindows(at(from), at("e"))).toThrow("EPERM");
  renameOfWindows(at("d"), at("free"));
  mkdirSync(at("d"));
  expect(() => renameOfWindows(at("d"), at("b"))).toThrow("EPERM");
});

test("follows a link at the end by link(2) on macOS", () => {
  const { at } = scratch({ f: "f" });
  symlinkSync("f", at("l"));
  linkOfMac(at("l"), at("new"));
  expect(lstatSync(at("new")).ino).toBe(lstatSync(at("f")).ino);
  expect(readlinkSync(at("l"))).toBe("f");
});
