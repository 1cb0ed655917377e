// Limits of database processes, as each platform has them.
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MemoryWatch, type WatchedProcess } from "../../../src/db/process/memory-watch.ts";
import { memoryCommand, memoryReader, parseMemory, type MemoryReader } from "../../../src/db/process/process-memory.ts";
import { limitedCommand } from "../../../src/db/process/resource-limits.ts";

test("reads tasklist of Windows in every language", () => {
  const output = [
    '"System Idle Process","0","Services","0","8 K"',
    '"node.exe","4711","Console","1","45,678 K"',
    '"node.exe","4712","Konsole","1","45.678 K"',
    '"node.exe","4713","Console","1","45\u00a0678 Ko"',
    '"a,b "" .exe","x","","","N/A"',
  ].join("\r\n");
  expect([...parseMemory(output, "win32")]).toEqual([[0, 8 * 1024], ...[4711, 4712, 4713].map((pid) => [pid, 45_678 * 1024])]);
  expect(memoryCommand([1], "win32")[0]).toMatch(/^[A-Z]:\\Windows\\System32\\tasklist\.exe$/i);
});

test("reads ps of macOS", () => {
  expect([...parseMemory("  4711  45678\n    1    8\nps: error\n", "darwin")]).toEqual([
    [4711, 45_678 * 1024],
    [1, 8 * 1024],
  ]);
});

test.runIf(existsSync("/bin/ps"))("reads the memory of this process by ps, and none of an ended one", async () => {
  const sizes = await memoryReader("darwin").read([process.pid, 2 ** 30]);
  expect([...sizes.keys()]).toEqual([process.pid]);
  expect(sizes.get(process.pid)).toBeGreaterThan(10_000_000);
});

describe("the limit on the memory of all processes", () => {
  function started(pid: number, isIdle: boolean): WatchedProcess & { outcome: string } {
    const process = {
      pid,
      isIdle,
      outcome: "",
      ended: new Promise<void>(() => undefined),
      close: () => void (process.outcome = "closed"),
      stop: ({ message }: Error) => void (process.outcome = message),
    };
    return process;
  }

  const readers: [string, MemoryReader["read"]][] = [
    ["at once", (pids) => new Map(pids.map((pid) => [pid, pid]))],
    ["later", async (pids) => new Map(pids.map((pid) => [pid, pid]))],
  ];

  test.each(readers)("ends idle processes and then the largest when the system reports %s", async (_when, read) => {
    const watch = new MemoryWatch(100, { intervalMs: 0, read });
    const processes = [started(30, true), started(60, false), started(70, false)];
    for (const process of processes) watch.add(process);
    watch.check(0);
    await Promise.resolve();
    await Promise.resolve();
    expect(processes.map(({ outcome }) => outcome.slice(0, 7))).toEqual(["closed", "", "Stopped"]);
  });

  test("asks the system once at a time, and not within its interval", async () => {
    const asked: PromiseWithResolvers<ReadonlyMap<number, number>>[] = [];
    const read = (): Promise<ReadonlyMap<number, number>> => {
      const answer = Promise.withResolvers<ReadonlyMap<number, number>>();
      asked.push(answer);
      return answer.promise;
    };
    const watch = new MemoryWatch(100, { intervalMs: 1000, read });
    for (const now of [0, 10, 5000]) watch.check(now);
    expect(asked).toHaveLength(1);
    asked[0]?.resolve(new Map());
    await asked[0]?.promise;
    await Promise.resolve();
    for (const now of [999, 5000, 5500]) watch.check(now);
    expect(asked).toHaveLength(2);
  });
});

test("limits a database process by a shell, and not on Windows", () => {
  const options = { writesLargeFiles: false, maxTimeoutMs: 1000 };
  expect(limitedCommand({ ...options, system: "win32" }, ["a b"])).toEqual([process.execPath, ["a b"]]);
  for (const system of ["linux", "darwin"] as const) {
    const [command, args] = limitedCommand({ ...options, system }, ["a b"]);
    expect([command, args[0], ...args.slice(2)]).toEqual(["/bin/sh", "-c", process.execPath, "a b"]);
    expect(args[1]).toContain("ulimit -d ");
  }
});
