// Runs the built command as people run it: its output and its exit code.
import { tempFolder } from "@oarlock/testing";
import { beforeAll, expect, test } from "vitest";
import { ran } from "../support/npm.ts";
import { BIN, requireBuilds } from "../support/repository.ts";

beforeAll(() => requireBuilds("packages/create-server"));

test("writes a server, and prints the next commands", { timeout: 60_000 }, async () => {
  await using folder = tempFolder();
  const { code, stdout, stderr } = await ran(process.execPath, [BIN, "tea", "--parts", "tool"], { cwd: folder.path });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^Wrote tea \(6 files\)\. Next:\n\n {2}cd tea\n {2}npm install\n/);
  expect(folder.read("tea/src/server.ts")).toContain("add_note");
});

test("exits with code 2 and one sentence on wrong usage", { timeout: 60_000 }, async () => {
  await using folder = tempFolder();
  const { code, stdout, stderr } = await ran(process.execPath, [BIN, "a", "--from", "svn"], { cwd: folder.path });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Error: Invalid value of --from: .*, received "svn"\.\n$/);
  expect(folder.tree()).toEqual({});
});
