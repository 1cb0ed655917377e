import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { childProcesses, needs } from "@oarlock/testing";

test("lists the children of a process", needs("/proc"), async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  expect(childProcesses(process.pid)).toContain(child.pid);
  child.kill();
  await once(child, "exit");
  expect(childProcesses(process.pid)).not.toContain(child.pid);
});
