import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { needs } from "../../testing/src/checks/needs.ts";
import { makeFolders } from "../src/index.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "oarlock-folders-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("makes every missing folder with the mode", () => {
  makeFolders(join(root, "a/b/c"), 0o700);
  for (const path of ["a", "a/b", "a/b/c"]) expect(statSync(join(root, path)).mode & 0o777).toBe(0o700);
});

test("keeps an existing folder unchanged", () => {
  chmodSync(root, 0o750);
  makeFolders(root, 0o700);
  expect(statSync(root).mode & 0o777).toBe(0o750);
});

test("reports a file in place of a folder", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolders(join(root, "file/below"))).toThrow(expect.objectContaining({ code: "ENOTDIR" }));
});

test("fails below /proc", needs("/proc"), () => {
  expect(() => makeFolders("/proc/oarlock/below")).toThrow(expect.objectContaining({ code: "ENOENT" }));
});
