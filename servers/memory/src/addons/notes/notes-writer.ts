// Writes the notes of a graph into a folder: new ones, those whose content differs, and none of the others.
import { fileKey, uniqueStem } from "./file-names.ts";
import { sameContent, relationKey, type NoteContent } from "./note-content.ts";
import type { NoteFolder } from "./note-folder.ts";
import { NoteIndex, stemOf, type IndexedNote } from "./note-index.ts";
import { formatNote, type PresentNote } from "./note-writer.ts";
import { contentOf, type ReadNote } from "./notes-reader.ts";
import { relationOf, type LinkTargets } from "./wiki-links.ts";

export interface WrittenNotes {
  /** By path. */
  readonly contents: ReadonlyMap<string, NoteContent>;
  readonly written: number;
  readonly removed: number;
}

export interface WriteOptions {
  readonly present: readonly ReadNote[];
  /** Removes present notes of names that are not in `contents`. */
  readonly removesOthers: boolean;
}

export async function writeNotes(
  folder: NoteFolder,
  contents: ReadonlyMap<string, NoteContent>,
  { present, removesOthers }: WriteOptions,
): Promise<WrittenNotes> {
  const byName = new Map(present.map((note) => [note.name, note]));
  const paths = assignPaths(contents.keys(), byName, folder.names());
  const targets = new NoteIndex(
    [...paths].map(([name, path]): IndexedNote => ({ name, path, permalink: byName.get(name)?.parsed.permalink })),
  );
  const result = { contents: new Map<string, NoteContent>(), written: 0, removed: 0 };
  for (const [name, path] of paths) {
    const note = byName.get(name);
    const wanted = contents.get(name);
    if (wanted === undefined) continue;
    const current = note === undefined ? undefined : contentOf(note, targets);
    const isSame = current !== undefined && sameContent(inOrder(current, current), inOrder(wanted, current));
    const text = isSame ? note?.text : formatNote(inOrder(wanted, current), targets, note && presentNote(note, targets));
    if (text === undefined || text === note?.text) {
      result.contents.set(path, current ?? wanted);
      continue;
    }
    const isWritten = await folder.write(path, text, note?.stamp);
    // Otherwise another program has changed the note in the meantime: it is read first.
    if (isWritten) result.written++;
    const onDisk = isWritten ? wanted : current;
    if (onDisk !== undefined) result.contents.set(path, onDisk);
  }
  for (const note of removesOthers ? present : []) {
    if (contents.has(note.name)) continue;
    if (await folder.remove(note.path, note.stamp)) result.removed++;
  }
  return result;
}

/** Notes keep their files; a new one gets a file name that no other has. */
function assignPaths(names: Iterable<string>, present: ReadonlyMap<string, ReadNote>, taken: Iterable<string>): Map<string, string> {
  const keys = new Set([...taken, ...[...present.values()].map(({ path }) => path)].map((path) => fileKey(stemOf(path))));
  return new Map([...names].map((name) => [name, present.get(name)?.path ?? `${uniqueStem(name, keys)}.md`]));
}

/** Observations that the note has stay in their order. */
function inOrder(content: NoteContent, current: NoteContent | undefined): NoteContent {
  if (current === undefined) return content;
  const places = new Map(current.observations.map((text, at) => [text, at]));
  const placeOf = (text: string): number => places.get(text) ?? current.observations.length;
  return { ...content, observations: content.observations.toSorted((a, b) => placeOf(a) - placeOf(b)) };
}

function presentNote({ parsed }: ReadNote, targets: LinkTargets): PresentNote {
  const tails = new Map(parsed.relations.map((link) => [relationKey(relationOf(link, targets)), link.tail]));
  return { prose: parsed.prose, frontmatter: parsed.frontmatter, tails };
}
