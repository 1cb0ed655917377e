// Random graphs of any names and texts, written as notes and read back.
import { readdirSync } from "node:fs";
import { tempFolder } from "@oarlock/testing";
import { array, assert, asyncProperty, constant, constantFrom, oneof, record, string, tuple, uniqueArray } from "fast-check";
import { expect } from "vitest";
import { fileKey } from "../../../src/addons/notes/file-names.ts";
import { sameContent, type NoteContent } from "../../../src/addons/notes/note-content.ts";
import { NoteFolder } from "../../../src/addons/notes/note-folder.ts";
import { contentOf, indexOf, NotesReader } from "../../../src/addons/notes/notes-reader.ts";
import { writeNotes } from "../../../src/addons/notes/notes-writer.ts";
import type { Repetition } from "../../support/repetition.ts";

const AWKWARD = [
  ...Array.from("/\\:*?\"<>|#^[]()'`.-_ \n\r\t\u0000\u200b\u2028éßİ日"),
  "..",
  "con",
  "COM1.x",
  "[[a|b]]",
  "- ",
  "## Relations",
  "```",
  "---",
  "<!-- -->",
  '"q"',
  "  ",
  "A",
  "a",
  "👩‍👩‍👧",
];
const text = oneof(
  array(constantFrom(...AWKWARD), { maxLength: 6 }).map((parts) => parts.join("")),
  string({ unit: "grapheme", maxLength: 20 }),
);
const name = text.filter((given) => given !== "");
const graph = record({ names: uniqueArray(name, { minLength: 1, maxLength: 6 }), others: array(name, { maxLength: 3 }) }).chain(
  ({ names, others }) =>
    tuple(
      ...names.map((own) =>
        record({
          name: constant(own),
          entityType: text,
          tags: uniqueArray(constantFrom("a", "b c", "2024", "true", "ü/ö"), { maxLength: 3 }),
          observations: array(text, { maxLength: 4 }),
          relations: uniqueArray(record({ relationType: text, to: constantFrom(...names, ...others) }), {
            maxLength: 3,
            selector: ({ relationType, to }) => JSON.stringify([relationType, to]),
          }),
          isEntity: constant(true),
        }),
      ),
    ),
);

async function roundTrip(notes: readonly NoteContent[], root: string): Promise<NoteContent[]> {
  const folder = await NoteFolder.open(root);
  const contents = new Map(notes.map((note) => [note.name, note]));
  await writeNotes(folder, contents, { present: [], removesOthers: false });
  const warnings: string[] = [];
  const reader = new NotesReader(folder, (warning) => warnings.push(warning));
  await reader.read();
  expect(warnings).toEqual([]);
  const index = indexOf(reader.notes.values());
  const again = await writeNotes(folder, contents, { present: [...reader.notes.values()], removesOthers: true });
  expect(again).toMatchObject({ written: 0, removed: 0 });
  return [...reader.notes.values()].map((note) => contentOf(note, index));
}

/** Fails where what is read is not what was written, for random graphs. */
export async function checkRoundTrips(options: Repetition): Promise<void> {
  await assert(asyncProperty(graph, checkRoundTrip), options);
}

export async function checkRoundTrip(notes: readonly NoteContent[]): Promise<void> {
  await using folder = tempFolder();
  const read = new Map((await roundTrip(notes, folder.at("notes"))).map((note) => [note.name, note]));
  expect([...read.keys()].toSorted()).toEqual(notes.map((note) => note.name).toSorted());
  for (const note of notes) {
    const found = read.get(note.name);
    expect(found).toEqual({ ...note, relations: expect.any(Array) as unknown });
    expect(found !== undefined && sameContent(found, note)).toBe(true);
  }
  const keys = readdirSync(folder.at("notes")).map((file) => fileKey(file));
  expect(new Set(keys).size).toBe(notes.length);
}
