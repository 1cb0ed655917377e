// A folder of Markdown notes, as basic-memory, Obsidian and `export --format markdown` write them: one entity for each note.
import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { linksIn } from "../wiki-links.ts";
import { NoteFolder } from "../note-folder.ts";
import { NoteIndex } from "../note-index.ts";
import { contentOf, NotesReader, type ReadNote } from "../notes-reader.ts";
import type { ImportedGraph } from "./imported-graph.ts";

/** `path`: the folder, or one note. */
export async function importMarkdownNotes(path: string, graph: ImportedGraph): Promise<void> {
  const isFolder = lstatSync(path).isDirectory();
  const folder = await NoteFolder.open(isFolder ? path : dirname(path));
  const reader = new NotesReader(folder, (warning) => graph.skip("note", warning));
  await reader.read(isFolder ? undefined : basename(path));
  const notes = [...reader.notes.values()];
  const index = new NoteIndex(notes.map(({ path, name, parsed }) => ({ path, name, permalink: parsed.permalink })));
  for (const note of notes) addNote(note, index, graph);
}

function addNote(note: ReadNote, index: NoteIndex, graph: ImportedGraph): void {
  const { name, entityType, tags, observations, relations, isEntity } = contentOf(note, index);
  if (isEntity) {
    const entity = graph.entity(name, entityType, note.path);
    for (const text of observations) entity?.observations.add(text);
    for (const tag of tags) entity?.tags.add(tag);
  }
  for (const { relationType, to } of relations) graph.relate(name, relationType, to, note.path);
  const { prose } = note.parsed;
  for (const target of linksIn(prose)) {
    const to = index.nameOf(target) ?? target;
    if (to !== name) graph.relate(name, "links_to", to, note.path);
  }
  if (/^(?!#{1,6} ).*\S/m.test(prose)) graph.skip(note.path, "its text that is neither an observation nor a relation");
}
