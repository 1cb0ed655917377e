import { closeSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { needs, openFiles, tempFolder } from "@oarlock/testing";

test("lists the open files of a process", needs("/proc"), async () => {
  await using folder = tempFolder({ "a.txt": "" });
  const descriptor = openSync(folder.at("a.txt"), "r");
  expect(openFiles(process.pid)).toContain(folder.at("a.txt"));
  closeSync(descriptor);
  expect(openFiles(process.pid)).not.toContain(folder.at("a.txt"));
});
