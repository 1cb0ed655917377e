import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { childProcesses } from "@oarlock/testing";

test.runIf(process.platform === "linux")("lists the children of a process", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  expect(childProcesses(process.pid)).toContain(child.pid);
  child.kill();
  await once(child, "exit");
  expect(childProcesses(process.pid)).not.toContain(child.pid);
});
