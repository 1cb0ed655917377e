import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withFileLock } from "../../src/oauth/file-lock.ts";

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
])("a lock of %s is taken over by one process after another", async (_, ageS) => {
  leaveLock(ageS);
  expect(await holdersOf(10)).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test("a lock that stays in use is reported, and is left alone", async () => {
  leaveLock(0);
  await expect(withFileLock(path, () => Promise.resolve(), 50)).rejects.toThrow(/in use by another process: expected .*lock to be free/);
  expect(readdirSync(folder)).toEqual(["lock"]);
});

test("a holder whose lock was taken over leaves it to the new holder", async () => {
  await withFileLock(path, () => Promise.resolve(leaveLock(0)));
  expect(readdirSync(folder)).toEqual(["lock"]);
});
