import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemNameCalls } from "@oarlock/domain-kit";
import { systemLockCalls, withFileLock, type LockCalls } from "../../src/oauth/file-lock.ts";
import { replaceFile } from "../../src/oauth/file-store.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "oarlock-lock-"));
  path = join(folder, "lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

function leaveLock(ageS: number): void {
  writeFileSync(path, "of-another-process");
  const at = Date.now() / 1000 - ageS;
  utimesSync(path, at, at);
}

/** The most that held the lock at the same time. */
async function holdersOf(count: number): Promise<number> {
  let [now, most] = [0, 0];
  const hold = async (): Promise<void> => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
  };
  await Promise.all(Array.from({ length: count }, () => withFileLock(path, hold)));
  return most;
}

test.each([
  ["a process that died", 60],
  ["a clock that was set back", -3600],
])("lets one process after another take over a lock of %s", async (_, ageS) => {
  leaveLock(ageS);
  expect(await holdersOf(10)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test("reports a lock that stays in use, and keeps it", async () => {
  leaveLock(0);
  await expect(withFileLock(path, () => Promise.resolve(), 50)).rejects.toThrow(/in use by another process: expected .*lock to be free/);
  expect(readdirSync(folder)).toEqual(["lock"]);
});

test("leaves a lock that was taken over to its new holder", async () => {
  await withFileLock(path, () => Promise.resolve(leaveLock(0)));
  expect(readdirSync(folder)).toEqual(["lock"]);
});

const fail = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

// A removed file that is still open is "delete pending" on Windows: ERROR_ACCESS_DENIED, EPERM in libuv. A sharing violation is EBUSY.
test.each(["EPERM", "EACCES", "EBUSY"])(
  "waits on Windows for a file that is about to disappear, and removes its own after %s",
  async (code) => {
    const left = { create: 2, remove: 2 };
    const calls: LockCalls = {
      platform: "win32",
      create: async (at, id) => (left.create-- > 0 ? fail(code) : await systemLockCalls.create(at, id)),
      remove: async (at) => (left.remove-- > 0 ? fail(code) : await systemLockCalls.remove(at)),
    };
    expect(await withFileLock(path, () => Promise.resolve(readdirSync(folder)), undefined, calls)).toEqual(["lock"]);
    expect([left, readdirSync(folder)]).toEqual([{ create: -1, remove: -1 }, []]);
    const others: LockCalls = {
      ...systemLockCalls,
      platform: "linux",
      create: () => Promise.reject(Object.assign(new Error(code), { code })),
    };
    await expect(withFileLock(path, () => Promise.resolve(), undefined, others)).rejects.toMatchObject({ code });
  },
);

test("replaces a file of credentials as soon as no other program has it open on Windows", async () => {
  writeFileSync(path, "old");
  let left = 2;
  const rename = (from: string, to: string): void => (left-- > 0 ? fail("EPERM") : renameSync(from, to));
  await replaceFile(path, "new", { ...systemNameCalls, platform: "win32", rename });
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["new", ["lock"]]);
  left = 1;
  await expect(replaceFile(path, "newer", { ...systemNameCalls, platform: "darwin", rename })).rejects.toMatchObject({ code: "EPERM" });
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["new", ["lock"]]);
});
