// Atomic replacement where Windows has the old file in use, and where there are no hard links.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAt } from "../../../src/disk/access/entry-stat.ts";
import { fromSystem } from "../../../src/disk/errors.ts";
import { replace, syncFolder } from "../../../src/disk/write/atomic-replace.ts";
import { bytesFill } from "../../../src/disk/write/file-bytes.ts";
import type { Replacement } from "../../../src/disk/write/replacement.ts";
import type { DiskCalls } from "../../../src/disk/write/disk-calls.ts";
import { linuxCalls, macCalls, windowsCalls } from "../support/platform-calls.ts";
import { refuses, world } from "../support/world.ts";

/** The first renames fail. `meanwhile` is called for each of them. */
function inUse(calls: DiskCalls, times: number, meanwhile: () => void = () => undefined): DiskCalls {
  let left = times;
  const rename = (from: string, to: string): void => {
    if (left-- <= 0) return calls.rename(from, to);
    meanwhile();
    throw Object.assign(new Error("EPERM"), { code: "EPERM" });
  };
  return { ...calls, rename };
}

async function setting() {
  const { root, open } = world();
  const sandbox = await open();
  writeFileSync(join(root, "f"), "old");
  const put = async (name: string, how: Omit<Replacement, "old"> & { calls: DiskCalls }): Promise<void> => {
    using entry = sandbox.entry(name);
    const lock = { temp: ".oarlock-0123456789abcdef0123456789abcdef.tmp" };
    await replace(entry, lock, bytesFill(Buffer.from("new")), { ...how, old: lookAt(entry) }, () => undefined);
  };
  return { root, sandbox, put, text: (name: string) => readFileSync(join(root, name), "utf8") };
}

test("replaces a file as soon as no other program has it open on Windows", async () => {
  const { put, text } = await setting();
  await put("f", { mustBeOld: true, calls: inUse(windowsCalls, 2) });
  expect(text("f")).toBe("new");
});

test("keeps a file that another program has open and writes", async () => {
  const { root, put, text } = await setting();
  const calls = inUse(windowsCalls, 1, () => writeFileSync(join(root, "f"), "theirs"));
  await refuses("conflict", () => put("f", { mustBeOld: true, calls }));
  expect([text("f"), readdirSync(root)]).toEqual(["theirs", ["f"]]);
});

test.each([linuxCalls, macCalls])("tries once on $platform and leaves nothing beside the old file", async (calls) => {
  const { root, put, text } = await setting();
  await refuses("io", () => put("f", { calls: inUse(calls, 1) }));
  expect([text("f"), readdirSync(root)]).toEqual(["old", ["f"]]);
});

// CreateHardLinkW on FAT and exFAT: ERROR_INVALID_FUNCTION, which is EISDIR in libuv (src/win/error.c). Shares: EINVAL, UNKNOWN. exFAT on macOS: ENOTSUP.
test.each([
  [windowsCalls, "EISDIR"],
  [windowsCalls, "EINVAL"],
  [windowsCalls, "UNKNOWN"],
  [macCalls, "ENOTSUP"],
  [linuxCalls, "EPERM"],
] as const)("creates a file without hard links on %o, which answers %s", async (calls, code) => {
  const { root, put, text } = await setting();
  const link = (): never => {
    throw Object.assign(new Error(code), { code });
  };
  await put("new", { mustBeNew: true, calls: { ...calls, link } });
  await refuses("exists", () => put("f", { mustBeNew: true, calls: { ...calls, link } }));
  expect([text("new"), text("f"), readdirSync(root).toSorted()]).toEqual(["new", "old", ["f", "new"]]);
});

test.each(["EPERM", "EACCES", "EBUSY"])("names on Windows the remedy for %s", (code) => {
  const error = Object.assign(new Error(code), { code });
  expect(fromSystem(error, "f", "win32").message).toBe(
    `Windows does not permit this (${code}): f. Close it in other programs, or make it writable, and try again.`,
  );
  expect(fromSystem(error, "f", "darwin").message).toMatch(
    /^The operating system does not permit this \(E\w+\): f$|^In use by the system \(EBUSY\)/,
  );
});

test("syncs a folder", async () => {
  const { sandbox } = await setting();
  using folder = sandbox.folder(".");
  await expect(syncFolder(folder)).resolves.toBeUndefined();
});
