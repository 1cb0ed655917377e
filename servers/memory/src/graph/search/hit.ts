// What all kinds of search have in common: queries, hits and their order.
import type { EntityRow } from "../rows/entities.ts";
import type { ObservationRow } from "../rows/observations.ts";
import type { Term } from "./words/term.ts";

export const DEFAULT_SEARCH_LIMIT = 25;

export interface SearchQuery {
  /** Folded. */
  readonly text: string;
  /** Whether an entity may be a hit at all. */
  allows(entity: EntityRow): boolean;
}

/** What the score of a fact is added up from. */
export interface ScoreParts {
  /** 2: it has all words, itself or in the name of its entity; 1: together with what is around it; 0: some of them. Decides before the scores. */
  readonly level: number;
  /** Words of the query in the fact itself. */
  readonly words: number;
  /** Words in the name and type of its entity. */
  readonly name: number;
  /** Words in the facts beside it, in the others of its entity, and in relations and neighbours. */
  readonly around: number;
  /** Its similarity to the query. */
  readonly meaning: number;
}

export interface HitFact {
  readonly row: ObservationRow;
  /** Its place among the facts of all hits: higher ones are shown first. */
  readonly weight: number;
  /** Missing where the words are not in it. */
  readonly parts?: ScoreParts | undefined;
}

/** How an entity was found that does not have the words of the query itself. */
export type FoundBy = "other words" | "relation" | "meaning";

export interface Hit {
  readonly entity: EntityRow;
  readonly position: HitPosition;
  /** From 0 to 1; higher is better. */
  readonly score: number;
  /** One sentence that tells how it was found. */
  readonly why: string;
  /** Missing where it has words of the query. */
  readonly by?: FoundBy | undefined;
  /** Words of the query that it has neither itself nor by its relations. */
  readonly lacks: readonly Term[];
  /** The observation that matches, where neither the name nor the type does. */
  readonly observation?: string;
  /** Best first. Its observations must have been prepared. */
  facts(): readonly HitFact[];
}

/**
 * Where a hit is in the order of all hits: its tier; then the id of the matching row, or its rank (ranked-hits.ts). In a query of one word, the id is
 * followed by how many hits were passed over; and the tier `passedOver` by the position up to which they were, and the place of the hit there.
 */
export type HitPosition = readonly [tier: number, ...place: number[]];

/** The score of entities with all words; those with some of them have less. */
export const ALL_WORDS_SCORE = 0.6;
/** Of entities that have all words together with their relations and neighbours. */
export const ALL_WITH_RELATIONS_SCORE = 0.55;

/**
 * Hits are ordered by tiers: exact names first, then names with the whole query, former names that are the query, types and observations with it,
 * then those of them that were passed over (whole-words-first.ts), then what the ranking finds.
 */
export const TIERS = { exactName: 0, name: 1, formerName: 2, type: 3, observation: 4, passedOver: 5, ranked: 6 } as const;
