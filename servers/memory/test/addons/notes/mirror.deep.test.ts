// The Markdown mirror of a process.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { entity } from "../../support/graphs.ts";
import { startServer } from "../../support/server-process.ts";
import { bin } from "../../support/targets.ts";

test("--mirror names the folder of notes", async () => {
  await using folder = tempFolder();
  await using server = await startServer(folder.at("m.db"), ["--mirror", folder.at("notes")]);
  await server.does("create_entities", { entities: [entity("Ada", "person", "lives in Lisbon")] });
  await server.close();
  expect(readFileSync(folder.at("notes/Ada.md"), "utf8")).toContain("- lives in Lisbon");
});

test("refuses --mirror with --read-only", async () => {
  await using folder = tempFolder();
  await using server = startRaw(bin(["--db", folder.at("m.db"), "--mirror", folder.at("notes"), "--read-only"]));
  expect(await server.exit()).toMatchObject({ code: 2 });
  expect(server.stderr).toContain("--mirror brings changes of notes into the memory, which --read-only forbids.");
});

test("deletes nothing when the folder is lost", async () => {
  await using folder = tempFolder();
  const notes = folder.at("notes");
  const notesIn = (): string[] => readdirSync(notes).filter((file) => file.endsWith(".md"));
  await using server = await startServer(folder.at("m.db"), ["--mirror", notes]);
  await server.does("create_entities", { entities: [entity("Ada", "t", "x"), entity("Bob", "t")] });
  await expect.poll(notesIn).toHaveLength(2);
  rmSync(notes, { recursive: true });
  mkdirSync(notes);
  await expect.poll(notesIn).toHaveLength(2);
  expect((await server.graph()).entities).toEqual([entity("Ada", "t", "x"), entity("Bob", "t")]);
});
