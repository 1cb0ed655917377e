// Names, types and observations by what they contain. Texts are compared as `fold` has them.
import type { EntityRow } from "./entities.ts";

export type TextKind = "name" | "type" | "observation";

export const TEXT_KINDS: readonly TextKind[] = ["name", "type", "observation"];

export const byKind = <T>(make: (kind: TextKind) => T): Record<TextKind, T> => ({
  name: make("name"),
  type: make("type"),
  observation: make("observation"),
});

export interface FoundObservation {
  readonly id: number;
  readonly entity: number;
  readonly text: string;
}

/** A past observation and the present or last name of its entity. */
export interface PastText {
  readonly name: string;
  readonly text: string;
}

/** Finds the texts that contain a string, newest first: first names, then types, then observations. */
export interface TextSearch {
  /** `before`: only those with lower ids. */
  names(before?: number): Iterable<EntityRow>;
  /** Entities of the types that contain it. */
  ofTypes(before?: number): Iterable<EntityRow>;
  observations(before?: number): Iterable<FoundObservation>;
  /** Must be called at the end. */
  close(): void;
}

/** Past observations that are looked through. */
export const MAX_PAST_TEXTS = 3000;

export interface TextRows {
  search(folded: string): TextSearch;
  /** Whether an observation of the entity with a higher id contains the text, which a search has found in this one. */
  hasNewerMatch(entity: number, observation: number, folded: string): boolean;
  /** Ids of the newest texts that may hold all of the words. */
  firstIdsWithAll(kind: TextKind, words: readonly string[], most: number): number[];
  /** Ids of the newest texts of each kind that may hold one of the pieces. A piece of less than three characters is the only one. */
  firstIdsWithAny(pieces: readonly string[], most: number): Readonly<Record<TextKind, readonly number[]>>;
  /**
   * The newest texts of each kind, folded, that contain all pieces of one of the groups, read as they are needed. Pieces have three characters or
   * more.
   */
  withAny(groups: readonly (readonly string[])[], most: number): Iterable<string>;
  /** Of the observations that ended last, those that contain one of the pieces, last ended first. */
  pastWithAny(pieces: readonly string[], most: number): PastText[];
  /** An upper estimate of how many texts hold the word. */
  estimate(word: string): number;
  /** Whether at most a few texts in a hundred can hold the word. */
  mayBeRare(word: string): boolean;
  /** The entities of observations. */
  ownersOf(observations: readonly number[]): number[];
  /** Newest first. */
  entityIdsOfType(type: number, most: number): number[];
}
