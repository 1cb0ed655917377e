// Ranks entities by meaning: those whose texts are nearest to the query. The vectors have been compared before the read.
import type { SemanticMatch } from "../semantic-index.ts";
import { ALL_WORDS_SCORE } from "./hit.ts";
import type { RankEntities, RankedEntity } from "./ranking.ts";

/** The reason of hits that have no word of the query, or few. */
export const NEAR_IN_MEANING = "Near in meaning.";

/**
 * Below that of the words, which are certain where they match, while every text has some place in this ranking. With the same weight it displaces
 * hits with other forms of the words: recall@5 falls from 1.00 to 0.82 for such questions (tooling/bench/src/recall.ts). From 0.3 to 0.7 none falls.
 */
const WEIGHT = 0.5;
/** However near, it is not sure that the entity has all words. */
const MAX_SCORE = ALL_WORDS_SCORE - 0.01;

export const rankByMeaning =
  (matches: readonly SemanticMatch[]): RankEntities =>
  (rows) => {
    const entities = matches.flatMap(({ entity, observation: id, similarity }): RankedEntity[] => {
      const observation = id === undefined ? undefined : rows.observations.of(entity).find((row) => row.id === id)?.text;
      // The text may have ended since its vector was made.
      if (id !== undefined && observation === undefined) return [];
      const score = Math.round(Math.min(similarity, MAX_SCORE) * 100) / 100;
      return [{ id: entity, merit: similarity, reason: NEAR_IN_MEANING, score, observation }];
    });
    return { weight: WEIGHT, entities };
  };
