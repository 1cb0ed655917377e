// Adds meaning to the ranking by words: how near the texts are to the query. The vectors have been compared before the read.
import type { SemanticMatch } from "../semantic-index.ts";
import { byMerit, type RankedFact, type RankedFacts } from "./fact-ranking.ts";
import { ALL_WORDS_SCORE, type ScoreParts } from "./hit.ts";
import type { WordMatch } from "./words/word-matches.ts";

/** The reason of hits that have no word of the query, or few. */
export const NEAR_IN_MEANING = "Near in meaning.";

/** However near, it is not sure that the entity has all words. */
const MAX_SIMILARITY = ALL_WORDS_SCORE - 0.01;

interface RankedMatch extends RankedFacts {
  readonly match: WordMatch;
}

export const entitiesOf = (meaning: readonly SemanticMatch[]): ReadonlySet<number> => new Set(meaning.map(({ entity }) => entity));

/**
 * Scores by words, of which the best counts as one, and similarities, which are at most one, are added for each fact: both say how well a fact
 * answers. `similarity`: of the nearest text, for the caller.
 */
export function addMeaning(ranked: readonly RankedMatch[], meaning: readonly SemanticMatch[]): (RankedMatch & { similarity: number })[] {
  if (meaning.length === 0) return ranked.map((one) => ({ ...one, similarity: 0 }));
  const best = Math.max(Number.MIN_VALUE, ...ranked.map(({ merit }) => merit.score));
  const near = new Map(meaning.map(({ entity, observation, similarity }) => [observation ?? -entity, similarity]));
  return ranked.map(({ match, merit, facts }) => {
    const byWords = new Map(facts.map((fact) => [fact.row.id, fact]));
    const all = match.facts.flatMap(({ row, terms }): RankedFact[] => {
      const similarity = near.get(row.id);
      const words = byWords.get(row.id);
      if (similarity === undefined && words === undefined) return [];
      const score = (words?.score ?? 0) / best + (similarity ?? 0);
      const parts = { ...sharesOf(words?.parts, best), meaning: similarity ?? 0 };
      return [{ row, level: parts.level, score, hasWord: similarity !== undefined || terms.length > 0, parts }];
    });
    all.sort((a, b) => byMerit(a, b) || b.row.id - a.row.id);
    const named = { level: merit.level, score: merit.score / best + (near.get(-match.entity.id) ?? 0) };
    const [first = named] = all;
    const nearest = Math.max(0, near.get(-match.entity.id) ?? 0, ...match.facts.map(({ row }) => near.get(row.id) ?? 0));
    const similarity = Math.round(100 * Math.min(MAX_SIMILARITY, nearest)) / 100;
    return { match, merit: byMerit(first, named) <= 0 ? first : named, facts: all, similarity };
  });
}

const sharesOf = (parts: ScoreParts | undefined, best: number): Omit<ScoreParts, "meaning"> => ({
  level: parts?.level ?? 0,
  words: (parts?.words ?? 0) / best,
  name: (parts?.name ?? 0) / best,
  around: (parts?.around ?? 0) / best,
});
