// New files of exports and backups on file systems without hard links, such as exFAT on a USB disk.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HeldFolder, systemNameCalls } from "@oarlock/domain-kit";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { writeNewFile } from "../../src/db/outside-files.ts";
import type { FilePlace } from "../../src/db/protocol/file-messages.ts";

const writeAt =
  (content: string) =>
  (place: FilePlace): Promise<void> => {
    using folder = HeldFolder.reopen(place.folder);
    writeFileSync(folder.at(place.name), content);
    return Promise.resolve();
  };

// EISDIR: CreateHardLink on FAT, by libuv. EINVAL, UNKNOWN: network drives. ENOTSUP: macOS. EPERM: Linux.
test.each(["EISDIR", "EINVAL", "UNKNOWN", "ENOTSUP", "EPERM"])("writes where link answers %s, and overwrites nothing", async (code) => {
  await using folder = tempFolder();
  const link = (): never => {
    throw Object.assign(new Error(code), { code });
  };
  const calls = { ...systemNameCalls, link };
  await writeNewFile(folder.path, "new.csv", writeAt("1"), calls);
  expect([folder.read("new.csv"), readdirSync(folder.path)]).toEqual(["1", ["new.csv"]]);
  await expect(writeNewFile(folder.path, "new.csv", writeAt("2"), calls)).rejects.toThrow("already exists");
  const taken = async (place: FilePlace): Promise<void> => {
    writeFileSync(join(folder.path, "late.csv"), "of another program");
    await writeAt("2")(place);
  };
  await expect(writeNewFile(folder.path, "late.csv", taken, calls)).rejects.toThrow("already exists");
  expect([folder.read("late.csv"), readdirSync(folder.path).toSorted()]).toEqual(["of another program", ["late.csv", "new.csv"]]);
});
