import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createNewFile, TemporaryFile } from "../../src/index.ts";

function emptyFolder() {
  const path = mkdtempSync(join(tmpdir(), "temporary-file-"));
  return { path, at: (name: string) => join(path, name), [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

test("replaces a file in one step", async () => {
  using folder = emptyFolder();
  writeFileSync(folder.at("a"), "old");
  {
    using file = new TemporaryFile(folder);
    expect(file.name).toMatch(/^\.oarlock-[0-9a-f]{32}\.tmp$/);
    await file.write("new ");
    await file.write(Buffer.from("text"));
    await file.sync();
    expect(readFileSync(folder.at("a"), "utf8")).toBe("old");
    await file.replace("a");
  }
  expect(readFileSync(folder.at("a"), "utf8")).toBe("new text");
  expect(readdirSync(folder.path)).toEqual(["a"]);
  if (process.platform !== "win32") expect(statSync(folder.at("a")).mode & 0o777).toBe(0o600);
});

test("takes a free name and refuses an existing one", async () => {
  using folder = emptyFolder();
  writeFileSync(folder.at("a"), "old");
  {
    using file = new TemporaryFile(folder, { prefix: "b.", mode: 0o644 });
    expect(file.name).toMatch(/^b\./);
    await expect(file.takeName("a")).rejects.toThrow("EEXIST");
    await file.takeName("b");
  }
  expect(readdirSync(folder.path).toSorted()).toEqual(["a", "b"]);
});

test("leaves nothing behind after a failure", () => {
  using folder = emptyFolder();
  const write = (): void => {
    using _file = new TemporaryFile(folder);
    throw new Error("full");
  };
  expect(write).toThrow("full");
  expect(readdirSync(folder.path)).toEqual([]);
});

test("follows no link in place of a new file (L5)", () => {
  using folder = emptyFolder();
  symlinkSync(folder.at("victim"), folder.at("dangling"));
  expect(() => createNewFile(folder.at("dangling"), 0o600)).toThrow("EEXIST");
  expect(lstatSync(folder.at("victim"), { throwIfNoEntry: false })).toBeUndefined();
});
