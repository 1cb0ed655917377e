import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { childProcesses, openFiles, tempFolder } from "@oarlock/testing";

test.runIf(process.platform === "linux")("lists the open files of a process", async () => {
  await using folder = tempFolder({ "a.txt": "" });
  const descriptor = openSync(folder.at("a.txt"), "r");
  expect(openFiles(process.pid)).toContain(folder.at("a.txt"));
  closeSync(descriptor);
  expect(openFiles(process.pid)).not.toContain(folder.at("a.txt"));
});

test.runIf(process.platform === "linux")("lists the children of a process", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  expect(childProcesses(process.pid)).toContain(child.pid);
  child.kill();
  await once(child, "exit");
  expect(childProcesses(process.pid)).not.toContain(child.pid);
});
