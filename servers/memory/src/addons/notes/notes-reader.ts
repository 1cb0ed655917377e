// Reads the notes of a folder: those that have changed since the last time are parsed again.
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../../graph/errors.ts";
import { checkContent } from "./apply-changes.ts";
import type { NoteBase } from "./note-base.ts";
import { relationKey, type NoteContent } from "./note-content.ts";
import type { NoteFile, NoteFolder } from "./note-folder.ts";
import { NoteIndex, stemOf, type IndexedNote } from "./note-index.ts";
import { parseNote, type ParsedNote } from "./note-parser.ts";
import { relationOf, type LinkTargets } from "./wiki-links.ts";

/** The type of the entity of a note that names none. */
export const DEFAULT_TYPE = "note";

export interface ReadNote {
  readonly path: string;
  readonly stamp: string;
  readonly text: string;
  readonly name: string;
  readonly parsed: ParsedNote;
}

export class NotesReader {
  /** Notes by path. */
  notes = new Map<string, ReadNote>();
  /** Paths of notes that are left as they are, because they cannot be read. */
  readonly unreadable = new Map<string, string>();
  readonly #folder: NoteFolder;
  readonly #warn: (message: string) => void;

  constructor(folder: NoteFolder, warn: (message: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /** `only`: reads this note and no other. */
  async read(only?: string): Promise<void> {
    const all = await this.#folder.notes();
    const files = only === undefined ? all : new Map([...all].filter(([path]) => path === only));
    const notes = new Map<string, ReadNote>();
    const names = new Set<string>();
    for (const path of this.unreadable.keys()) if (!files.has(path)) this.unreadable.delete(path);
    for (const file of files.values()) {
      if (this.unreadable.get(file.path) === file.stamp) continue;
      try {
        const known = this.notes.get(file.path);
        const note = known?.stamp === file.stamp ? known : await this.#readNote(file);
        if (names.has(note.name)) throw new GraphError("damaged", `another note has the title ${clip(note.name, 60)}: give it another one`);
        names.add(note.name);
        notes.set(file.path, note);
        this.unreadable.delete(file.path);
      } catch (error) {
        this.unreadable.set(file.path, file.stamp);
        if (!(error instanceof Error)) throw error;
        this.#warn(`Note ${clip(file.path)} not read: ${error.message.replace(/\.$/, "")}. It is left as it is.`);
      }
    }
    this.notes = notes;
  }

  async #readNote({ path, stamp }: NoteFile): Promise<ReadNote> {
    const text = await this.#folder.read(path);
    const parsed = parseNote(text);
    const name = parsed.title ?? stemOf(path).replace(/^.*\//, "");
    checkContent({ name, entityType: parsed.type ?? "", tags: [], observations: parsed.observations, relations: [], isEntity: true });
    return { path, stamp, text, name, parsed };
  }
}

export const indexOf = (notes: Iterable<ReadNote>, further: readonly IndexedNote[] = []): NoteIndex =>
  new NoteIndex([...[...notes].map(({ path, name, parsed }) => ({ path, name, permalink: parsed.permalink })), ...further]);

/** `before`: what the note contained, for what it does not name. */
export function contentOf({ name, parsed }: ReadNote, targets: LinkTargets, before?: NoteBase): NoteContent {
  const { type, tags, isEntity, observations, relations: linked } = parsed;
  const relations = new Map(linked.map((link) => relationOf(link, targets)).map((relation) => [relationKey(relation), relation]));
  return { name, entityType: type ?? before?.entityType ?? DEFAULT_TYPE, tags, isEntity, observations, relations: [...relations.values()] };
}
