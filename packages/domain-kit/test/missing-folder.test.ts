// missingFolder: the uppermost folder that is not there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { missingFolder } from "../src/index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "missing-folder-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("names the uppermost folder that does not exist", () => {
  mkdirSync(join(folder, "there"));
  writeFileSync(join(folder, "file"), "");
  expect(missingFolder(join(folder, "a/b/c.db"))).toBe(join(folder, "a"));
  expect(missingFolder(join(folder, "there/b/c.db"))).toBe(join(folder, "there/b"));
  for (const path of ["there/c.db", "c.db", "file/c.db"]) expect(missingFolder(join(folder, path))).toBeUndefined();
});
