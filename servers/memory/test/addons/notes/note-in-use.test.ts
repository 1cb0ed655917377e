// Notes that another program has open while they are replaced, as virus scanners and sync clients do on Windows.
import { readdirSync, writeFileSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { NoteFolder } from "../../../src/addons/notes/note-folder.ts";
import { failingRenames } from "../../support/failing-renames.ts";

test("replaces and removes a note as soon as no other program has it open", async () => {
  await using folder = tempFolder({ "a.md": "old" });
  const notes = await NoteFolder.open(folder.path, failingRenames("win32", 2));
  expect(await notes.write("a.md", "new", notes.stampOf("a.md"))).toBe(true);
  expect(folder.read("a.md")).toBe("new");
  const others = await NoteFolder.open(folder.path, failingRenames("win32", 2));
  expect(await others.remove("a.md", others.stampOf("a.md") ?? "")).toBe(true);
  expect(folder.read(".trash/a.md")).toBe("new");
});

test("keeps a note that its editor saves meanwhile", async () => {
  await using folder = tempFolder({ "a.md": "old" });
  const save = (): void => writeFileSync(folder.at("a.md"), "of the editor");
  const notes = await NoteFolder.open(folder.path, failingRenames("win32", 1, save));
  expect(await notes.write("a.md", "new", notes.stampOf("a.md"))).toBe(false);
  writeFileSync(folder.at("a.md"), "old");
  const others = await NoteFolder.open(folder.path, failingRenames("win32", 1, save));
  expect(await others.remove("a.md", others.stampOf("a.md") ?? "")).toBe(false);
  expect([folder.read("a.md"), readdirSync(folder.path).toSorted()]).toEqual(["of the editor", [".trash", "a.md"]]);
});
