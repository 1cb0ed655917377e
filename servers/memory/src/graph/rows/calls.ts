// The log of calls, and what it says about renames, merges and new types.
import type { End } from "./relations.ts";

export interface Call {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly client: string | null;
}

export interface Rename {
  readonly entity: number;
  readonly past: string;
  readonly present: string;
  /** The call that created the entity. */
  readonly created: number;
}

/** An end of a relation that a merge has moved. */
export interface MovedEnd {
  readonly relation: number;
  readonly seq: number;
  readonly end: End;
  readonly past: string;
}

/** A rename, a new type, or a merge of another entity into this one. */
export interface EntityChange {
  readonly seq: number;
  readonly kind: string;
  readonly past: string;
  readonly present: string;
}

/** With the present or last name of the entity. */
export interface NamedChange extends EntityChange {
  readonly entity: string;
}

export interface Calls {
  /** The number of the newest call; 0 where there is none. */
  last(): number;
  /** The first call at or after a time, or undefined. */
  firstSince(time: number): number | undefined;
  /** The last call up to a time, or undefined. */
  lastUntil(time: number): number | undefined;
  /** The last call whose deleted facts may have been removed from history; 0 where history is whole. */
  historyStart(): number;
  find(seq: number): Call | undefined;
  /** Newest first. */
  renamesSince(seq: number): Rename[];
  /** Newest first. */
  movedEndsSince(seq: number): MovedEnd[];
  /** The entity with this name that the call ended. */
  entityEndedBy(seq: number, name: string): number | undefined;
  /** Oldest first. */
  changesOf(entity: number): EntityChange[];
  /** The last ones of all entities, newest first. */
  lastChanges(most: number): NamedChange[];
  /** The name of the entity into which the call merged the one with this name. */
  mergedInto(seq: number, name: string): string | undefined;
}
