/** Which name an entry has in its directory, and how many system calls it takes to know. */
import { linkSync, lstatSync, mkdirSync, readdirSync, writeFileSync, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storedName, storedOrNew } from "../../../../src/disk/access/stored-name.ts";
import { apfs, emulatedHandles, ntfs } from "../../support/emulated-file-system.ts";
import { scratch } from "../../support/scratch.ts";

const statOf = (path: string): BigIntStats => lstatSync(path, { bigint: true });

/** A directory of this machine that counts its lookups. */
function counted(folder: string) {
  const calls: string[] = [];
  return { calls, self: folder, stat: statOf(folder), at: (name: string) => (calls.push(name), join(folder, name)) };
}

test.runIf(process.platform === "linux")("lists a directory once on file systems that distinguish case", () => {
  const { root, at } = scratch({ "a.txt": "", "b.txt": "", "123": "" });
  const directory = counted(root);
  expect(storedName(directory, "a.txt", statOf(at("a.txt")))).toBe("a.txt");
  expect(directory.calls).toEqual(["A.TXT", "a.txt"]);
  for (const name of ["b.txt", "a.txt", "123"]) expect(storedName(directory, name, statOf(at(name)))).toBe(name);
  expect(directory.calls).toHaveLength(2);
});

test("finds the stored name in the listing, and none when two hard links match", () => {
  const { root, at } = scratch({ "a long name.text": "", "Mixed.txt": "" });
  const directory = emulatedHandles(ntfs).base(root);
  const stored = (name: string) => storedOrNew(directory, name);
  expect([stored("mixed.TXT"), stored("ALONGN~1.TEX"), stored("new"), stored("NEW~1")]).toEqual([
    "Mixed.txt",
    "a long name.text",
    "new",
    "NEW~1",
  ]);
  linkSync(at("a long name.text"), at("second"));
  expect(stored("ALONGN~1.TEX")).toBeUndefined();
  expect(stored("A LONG NAME.text")).toBe("a long name.text");
  linkSync(at("Mixed.txt"), at("third"));
  expect(stored("mixed.txt")).toBe("Mixed.txt");
});

test("returns no name when the directory cannot be listed", () => {
  const { root, at } = scratch({ "Mixed.txt": "" });
  const directory = { ...handlesOf(root), self: at("missing") };
  expect(storedOrNew(directory, "mixed.txt")).toBeUndefined();
  expect(storedOrNew(directory, "new")).toBe("new");
});

const handlesOf = (root: string) => {
  const handle = emulatedHandles(apfs).base(root);
  return { stat: handle.stat, at: (name: string) => handle.at(name) };
};

test("forgets a directory after an entry was removed", () => {
  const { root, at } = scratch({ d: null });
  mkdirSync(at("d/e"));
  const stat = statOf(at("d/e"));
  const handle = emulatedHandles(apfs).base(at("d"));
  const withoutEntry = { self: root, stat: handle.stat, at: (name: string) => join(root, "nothing", name) };
  storedName(withoutEntry, "e", stat);
  writeFileSync(at("d/Mixed.txt"), "");
  expect(storedOrNew(handle, "MIXED.txt")).toBe("Mixed.txt");
  expect(readdirSync(at("d"))).toEqual(["Mixed.txt", "e"]);
});
