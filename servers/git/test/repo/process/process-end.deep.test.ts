// The end of a process beside a busy server, and on a Windows whose own program does not help.
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { endProcess, processEnd } from "../../../src/repo/process/process-end.ts";

test("loses no output of a busy server", async () => {
  const child = spawn("/bin/sh", ["-c", "head -c 80000 /dev/zero"], { stdio: "pipe" });
  let size = 0;
  child.stdout.on("data", (chunk: Buffer) => (size += chunk.length));
  // More than Node reads ahead, and less than it and the pipe hold together: the process ends, and output is left in the pipe.
  child.stdout.pause();
  const end = processEnd(child);
  // The server is busy when the process has ended: the timer of the grace is due before the rest is read.
  child.once("exit", () => {
    child.stdout.resume();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  });
  await end;
  expect(size).toBe(80_000);
});

test("ends the process itself when taskkill does not start", async () => {
  const machine = { platform: "win32", env: { SystemRoot: "D:\\none" } } as const;
  const child = spawn("/bin/sleep", ["20"], { stdio: "pipe" });
  endProcess(child, "SIGTERM", machine);
  await processEnd(child);
  expect(child.signalCode).toBe("SIGKILL");
  // Its number may be that of another process by now.
  expect(() => endProcess(child, "SIGKILL", machine)).not.toThrow();
});
