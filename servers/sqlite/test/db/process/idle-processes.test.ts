// Idle processes: on Windows all end, because a file that one of them has open can be neither replaced nor deleted there.
import { tempFolder } from "@oarlock/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { childFile } from "../../../src/child-file.ts";
import { keptProcesses, ProcessPool } from "../../../src/db/process/process-pool.ts";
import { makeDatabase } from "../../support/databases.ts";

const IDLE_MS = 15_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("keeps one idle process, and none on Windows", () => {
  expect((["win32", "linux", "darwin"] as const).map(keptProcesses)).toEqual([0, 1, 1]);
});

test.each<[what: string, use: (pool: ProcessPool) => unknown]>([
  ["after a request", (pool) => pool.run({ op: "versions" }, { caller: { signal: new AbortController().signal }, timeoutMs: 60_000 })],
  ["that was started early", (pool) => pool.startEarly()],
])("ends the last process %s when it keeps none", async (_what, use) => {
  await using folder = tempFolder();
  const file = makeDatabase(folder.at("shop.db"), "CREATE TABLE t (a)");
  const options = { script: childFile, file, label: "shop", maxTimeoutMs: 120_000, write: false, create: false, writesLargeFiles: false };
  const pool = new ProcessPool(options, 4, undefined, 0);
  await use(pool);
  expect(pool.hasProcess).toBe(true);
  vi.advanceTimersByTime(IDLE_MS);
  await expect.poll(() => pool.hasProcess, { timeout: 60_000 }).toBe(false);
  await pool.close(0);
});
