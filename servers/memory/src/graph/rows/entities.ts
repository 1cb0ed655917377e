// Rows of entities.
import type { Counted } from "../model.ts";

export interface EntityRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** Unknown fields of its record in the JSONL file, as a JSON object; its tags are among them (tags.ts). */
  readonly extra: string | null;
  /** The observations, where they were read together with the entity. */
  readonly texts?: readonly string[];
}

export interface NewEntityRow {
  name: string;
  entityType: string;
  /** Unknown fields of its record in the JSONL file, as a JSON object. */
  extra?: string | undefined;
}

/** A present or past entity with a name. */
export interface EntityVersion {
  readonly id: number;
  readonly created: number;
  /** Null for the current one. */
  readonly ended: number | null;
  readonly type: string;
}

/** The name of an entity that exists no more, and the call that ended it. */
export interface EndedName {
  readonly name: string;
  readonly ended: number;
}

export interface EntityRows {
  /** The entity with this name, now or as of the call `asOf`. `name` is the present name. */
  named(name: string, asOf?: number): EntityRow | undefined;
  /** Entities of a call `asOf` that have this name today, or had it when they ended. */
  namedAsOf(name: string, asOf: number): EntityRow[];
  /** The entity with this id, now or as of the call `asOf`. */
  byId(id: number, asOf?: number): EntityRow | undefined;
  /** Names that are the same but for case, accents, blanks and punctuation (see similarityKey), oldest first. */
  withKey(key: string, most?: number): EntityRow[];
  /** Names whose keys start with `start`, in the order of their keys. */
  namesByKey(start: string, most: number): string[];
  /** The keys of present names that start with `start`, in order. They cost less than the names. */
  keysFrom(start: string, most: number): string[];
  /** Present names of entities that had the name before, or into which such entities were merged, newest first. */
  formerlyNamed(name: string, most: number): string[];
  /** Names that entities had before a rename or a merge, newest first. */
  formerNames(most: number): readonly string[];
  /** Deleted and merged entities, last ended first. */
  lastEnded(most: number): EndedName[];
  newest(most: number): { id: number; name: string; created: number }[];
  /** Current entities with higher ids, in the order of their creation. `hasTexts`: with their observations where these are short. */
  createdAfter(id: number, hasTexts: boolean): Iterable<EntityRow>;
  /** In the order of their creation. */
  ofType(type: string): Iterable<EntityRow>;
  /** Types with their numbers of entities, most frequent first. */
  typeCounts(most: number): Counted[];
  /** The current entity, then past ones, that have or had the name last. */
  versions(name: string): EntityVersion[];
  /** Whether the entity or one of its observations is of a call from `first` up to, and not including, `end`. */
  isNewWithin(id: number, first: number, end: number): boolean;

  /** Returns the id. */
  insert(seq: number, entity: NewEntityRow): number;
  /** Ends an entity, but neither its observations nor its relations. */
  end(seq: number, entity: Pick<EntityRow, "id" | "name">): void;
  /** No entity may have the new name. Relations follow, past ones too. */
  rename(seq: number, entity: EntityRow, newName: string): void;
  changeType(seq: number, entity: EntityRow, newType: string): void;
  /** Moves the relations of an entity to another one, and ends the entity. */
  mergeInto(seq: number, from: EntityRow, into: EntityRow): void;
  setExtra(id: number, extra: string): void;
}
