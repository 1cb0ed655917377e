// A JSONL file, and notes, that another program has open while they are replaced, as virus scanners and sync clients do on Windows.
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { systemNameCalls, type NameCalls } from "@oarlock/domain-kit";
import { tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { Mirror } from "../../../src/graph/jsonl/mirror.ts";
import { NoteFolder } from "../../../src/addons/notes/note-folder.ts";
import { openStore } from "../../../src/graph/store/open-store.ts";
import { runAtOnce } from "../../../src/graph/store/time-slices.ts";
import { createEntities } from "../../../src/graph/write/creation.ts";
import { entity } from "../../support/graphs.ts";

/** The first renames fail. `meanwhile` is called for each of them. */
function failing(platform: NodeJS.Platform, times: number, meanwhile: () => void = () => undefined): NameCalls {
  let left = times;
  const rename = (from: string, to: string): void => {
    if (left-- <= 0) return renameSync(from, to);
    meanwhile();
    throw Object.assign(new Error("EPERM"), { code: "EPERM" });
  };
  return { ...systemNameCalls, platform, rename };
}

test("the JSONL file is replaced as soon as no other program has it open, and no copy stays beside it", async () => {
  await using folder = tempFolder({ "m.jsonl": "" });
  const [database, path] = [folder.at("m.db"), folder.at("m.jsonl")];
  const store = await openStore(database);
  const calls = failing("win32", 2);
  const mirror = new Mirror(store, { path, database, readOnly: false, calls, warn: expect.fail });
  await store.write("test", (call) => runAtOnce(createEntities(store, call, [entity("Ada", "person")])));
  await mirror.flush();
  expect(folder.read("m.jsonl")).toContain('"Ada"');
  expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await mirror.close();
  store.close();
});

test("no copy stays beside a JSONL file that cannot be replaced", async () => {
  await using folder = tempFolder({ "m.jsonl": "" });
  const [database, path] = [folder.at("m.db"), folder.at("m.jsonl")];
  const store = await openStore(database);
  const warnings: string[] = [];
  const options = { path, database, readOnly: false, calls: failing("linux", 1), warn: (text: string) => warnings.push(text) };
  const mirror = new Mirror(store, options);
  await store.write("test", (call) => runAtOnce(createEntities(store, call, [entity("Ada", "person")])));
  await mirror.flush();
  expect(warnings).toHaveLength(1);
  expect([folder.read("m.jsonl"), readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))]).toEqual(["", []]);
  await mirror.close();
  store.close();
});

test("a note is replaced and removed as soon as no other program has it open", async () => {
  await using folder = tempFolder({ "a.md": "old" });
  const notes = await NoteFolder.open(folder.path, failing("win32", 2));
  expect(await notes.write("a.md", "new", notes.stampOf("a.md"))).toBe(true);
  expect(folder.read("a.md")).toBe("new");
  const others = await NoteFolder.open(folder.path, failing("win32", 2));
  expect(await others.remove("a.md", others.stampOf("a.md") ?? "")).toBe(true);
  expect(folder.read(".trash/a.md")).toBe("new");
});

test("a note that its editor saves while it has it open is neither replaced nor removed", async () => {
  await using folder = tempFolder({ "a.md": "old" });
  const save = (): void => writeFileSync(folder.at("a.md"), "of the editor");
  const notes = await NoteFolder.open(folder.path, failing("win32", 1, save));
  expect(await notes.write("a.md", "new", notes.stampOf("a.md"))).toBe(false);
  writeFileSync(folder.at("a.md"), "old");
  const others = await NoteFolder.open(folder.path, failing("win32", 1, save));
  expect(await others.remove("a.md", others.stampOf("a.md") ?? "")).toBe(false);
  expect([folder.read("a.md"), readdirSync(folder.path).toSorted()]).toEqual(["of the editor", [".trash", "a.md"]]);
});
