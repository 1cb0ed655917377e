// The JSONL file on the disk: no link is followed, in its folder neither (L5).
import { closeSync, constants, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { LateAppends } from "../../../src/graph/jsonl/late-appends.ts";
import { keepDamagedLines } from "../../../src/graph/jsonl/damaged-lines.ts";
import { openMemoryFile } from "../../../src/graph/memory-files.ts";
import { appendTo, NewVersion, removeTemporaryFiles } from "../../../src/graph/jsonl/mirror-file.ts";

const damage = { number: 1, reason: "not JSON", raw: Buffer.from("x") };

/** A link to a file elsewhere has the name of the JSONL file. */
function linkedFile(): TempFolder {
  const folder = tempFolder({ "victim.jsonl": "untouched" });
  mkdirSync(folder.at("notes"));
  symlinkSync(folder.at("victim.jsonl"), folder.at("notes/m.jsonl"));
  return folder;
}

/** The folder of the JSONL file has become a link to another one. */
function linkedFolder(): TempFolder {
  const folder = tempFolder();
  for (const name of ["notes", "outside"]) {
    mkdirSync(folder.at(name));
    writeFileSync(folder.at(`${name}/m.jsonl`), "untouched");
  }
  renameSync(folder.at("notes"), folder.at("moved"));
  symlinkSync(folder.at("outside"), folder.at("notes"));
  return folder;
}

test("neither reads nor appends to a link with its name", async () => {
  await using folder = linkedFile();
  const path = folder.at("notes/m.jsonl");
  expect(() => openMemoryFile(path, constants.O_RDONLY)).toThrow("File m.jsonl is a symbolic link");
  expect(() => appendTo(path, Buffer.from("x"), { creates: true })).toThrow("File m.jsonl is a symbolic link");
  symlinkSync(folder.at("victim.jsonl"), `${path}.damaged`);
  expect(() => keepDamagedLines(path, [damage])).toThrow("File m.jsonl.damaged is a symbolic link");
  expect(() => new LateAppends(path).keepOldFile()).toThrow("File m.jsonl is a symbolic link");
  using written = await NewVersion.write(path, ["new"]);
  await written.takePlace();
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(readFileSync(folder.at("victim.jsonl"), "utf8")).toBe("untouched");
});

test("does not enter a folder once it is a link", async () => {
  await using folder = linkedFolder();
  const path = folder.at("notes/m.jsonl");
  for (const act of [
    () => closeSync(openMemoryFile(path, constants.O_RDONLY)),
    () => appendTo(path, Buffer.from("x"), { creates: true }),
    () => keepDamagedLines(path, [damage]),
    () => removeTemporaryFiles(path),
    () => new LateAppends(path).keepOldFile(),
  ])
    expect(act).toThrow(/^Folder of m\.jsonl(\.damaged)? replaced: a link or a file has its name/);
  await expect(NewVersion.write(path, ["new"])).rejects.toThrow("Folder of m.jsonl replaced");
  expect(readdirSync(folder.at("outside"))).toEqual(["m.jsonl"]);
  expect(readFileSync(folder.at("outside/m.jsonl"), "utf8")).toBe("untouched");
});

test("leaves nothing behind of a new version that fails", async () => {
  await using folder = tempFolder({ "m.jsonl": "old" });
  const pieces = function* (): Generator<string> {
    yield "new";
    throw new Error("no more");
  };
  await expect(NewVersion.write(folder.at("m.jsonl"), pieces())).rejects.toThrow("no more");
  expect(readdirSync(folder.path)).toEqual(["m.jsonl"]);
});
