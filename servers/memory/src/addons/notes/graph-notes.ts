// What the notes of a graph contain: one for each entity, and one for each name that relations start at and no entity has.
import { tagsOf } from "../../graph/tags.ts";
import type { Rows } from "../../graph/rows/rows.ts";
import { formatFact } from "./timed-facts.ts";
import type { NoteContent } from "./note-content.ts";

type Contents = Map<string, NoteContent & { relations: { relationType: string; to: string }[] }>;

/** By name. Pauses after each row. */
export function* graphNotes(rows: Rows): Generator<void, ReadonlyMap<string, NoteContent>> {
  const notes: Contents = new Map();
  for (const { id, name, type, extra, texts } of rows.entities.createdAfter(0, true)) {
    const observations = texts ?? rows.observations.of(id).map(formatFact);
    notes.set(name, { name, entityType: type, tags: tagsOf(extra), observations, relations: [], isEntity: true });
    yield;
  }
  for (const { source, target, type } of rows.relations.createdAfter(0)) {
    let note = notes.get(source);
    if (note === undefined) {
      note = { name: source, entityType: "", tags: [], observations: [], relations: [], isEntity: false };
      notes.set(source, note);
    }
    note.relations.push({ relationType: type, to: target });
    yield;
  }
  return notes;
}
