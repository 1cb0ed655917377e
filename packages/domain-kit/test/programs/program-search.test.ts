/** Tests how programs and variables are found. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { needs } from "../../../testing/src/checks/needs.ts";
import { findProgram } from "../../src/programs/program-search.ts";
import { mergeVariables, variableOf } from "../../src/programs/system.ts";

test("finds a program by its path and in PATH, but no folder and no file that is not executable", needs("shell scripts"), () => {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-programs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["tool", "text"]) writeFileSync(join(folder, name), "#!/bin/sh\n");
  chmodSync(join(folder, "tool"), 0o755);
  mkdirSync(join(folder, "sub"));
  const find = (command: string): string | undefined =>
    findProgram(command, { platform: "linux", env: { PATH: `:/nowhere:${folder}` }, cwd: folder });
  for (const command of ["tool", "./tool", join(folder, "tool")]) expect(find(command)).toBe(join(folder, "tool"));
  for (const command of ["text", "sub", "./sub", "missing", "/nowhere/tool"]) expect(find(command)).toBeUndefined();
});

test("ignores the case of a variable's name on Windows only", () => {
  const env = { Path: "a", LANG: undefined };
  expect(variableOf("PATH", { platform: "win32", env })).toBe("a");
  expect(variableOf("PATH", { platform: "linux", env })).toBeUndefined();
  expect(mergeVariables(env, { PATH: "b" }, "win32")).toEqual({ LANG: undefined, PATH: "b" });
  expect(mergeVariables(env, { PATH: undefined }, "win32")).toEqual({ LANG: undefined, PATH: undefined });
  expect(mergeVariables(env, { PATH: "b" }, "darwin")).toEqual({ ...env, PATH: "b" });
});
