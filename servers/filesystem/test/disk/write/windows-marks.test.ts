// Marks of locks on Windows, where they are files: written in two steps, and refused while a removed one has not disappeared.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { isTooOld, marksOn, type MarkCalls } from "../../../src/disk/write/lock-mark.ts";
import { stateOf, thisProcess } from "../../../src/disk/write/lock-owner.ts";
import { withLock } from "../../../src/disk/write/name-lock.ts";
import { refusal, world } from "../support/world.ts";
import { markOf } from "./lock-mark.ts";

const files = marksOn("win32");

const fail = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

async function setting() {
  const { open } = world();
  const sandbox = await open();
  const mark = markOf(sandbox, "f");
  const lock = async (calls: MarkCalls, signal?: AbortSignal): Promise<string> => {
    using entry = sandbox.entry("f");
    return await withLock(entry, () => Promise.resolve(readFileSync(mark, "latin1")), signal, calls);
  };
  return { mark, lock };
}

test.each(["", "0", "0.0", "0.0.4711", "0.0.4711.0"])("reads a mark with the text %o as of an unknown owner", (text) => {
  expect(stateOf(text)).toBe("unknown");
});

test("names its owner in a mark, and removes it with the lock", async () => {
  const { mark, lock } = await setting();
  expect(await lock(files)).toMatch(new RegExp(String.raw`^${thisProcess()}\.[0-9a-f]{32}$`));
  expect(existsSync(mark)).toBe(false);
});

test("waits for a mark that is still empty, and does not remove it", async () => {
  const { mark, lock } = await setting();
  for (let tries = 0; ; tries += 1) {
    mkdirSync(dirname(mark), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(mark, "");
      break;
    } catch (error) {
      if (tries === 100) throw error; // others take the folder away
    }
  }
  const cancelled = new AbortController();
  const waiting = lock({ ...files, read: (path) => (cancelled.abort(), files.read(path)) }, cancelled.signal);
  await expect(waiting).rejects.toThrow("aborted");
  expect(readFileSync(mark, "latin1")).toBe("");
  rmSync(mark);
});

// A file with handles after DeleteFileW is "delete pending": opening it again is ERROR_ACCESS_DENIED, EPERM in libuv; a sharing violation is EBUSY.
test.each(["EPERM", "EACCES", "EBUSY"])("waits for a mark that is about to disappear, and removes its own after %s", async (code) => {
  const { mark, lock } = await setting();
  const left = { create: 2, remove: 2 };
  const calls: MarkCalls = {
    ...files,
    create: (path, owner) => (left.create-- > 0 ? fail(code) : files.create(path, owner)),
    remove: (path) => (left.remove-- > 0 ? fail(code) : files.remove(path)),
  };
  await lock(calls);
  // Another test may take the folder of the marks away, after which it is created once more.
  expect([left.create < 0, left.remove, existsSync(mark)]).toEqual([true, -1, false]);
});

test.each(["linux", "darwin"] as const)("refuses at once on %s when it cannot create a mark", async (platform) => {
  const { lock } = await setting();
  const { message } = await refusal(() => lock({ ...marksOn(platform), create: () => fail("EPERM") }));
  expect(message).toBe("Lock for writing could not be created (EPERM). Check the directory for temporary files.");
});

test.each([
  ["0.0.4711.0.t", 59, 0, false],
  ["0.0.4711.0.t", 61, 0, true],
  ["0.0.4711.0.t", 300, 600, false],
  ["1a2b3c4d.1.4711.0.t", 300, 0, false],
  ["1a2b3c4d.1.4711.0.t", 601, 0, true],
])("judges the age of a mark of %s from %i s ago, on a machine that is up for %i s: %s", (owner, ageS, uptimeS, expected) => {
  expect(isTooOld(owner, ageS * 1000, uptimeS * 1000)).toBe(expected);
});
