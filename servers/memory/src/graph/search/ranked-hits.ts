// Hits that do not contain the whole query, ordered by their best facts: by their words, by their relations and, where vectors are compared, by
// meaning.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import type { SemanticMatch } from "../semantic-index.ts";
import { fold } from "../text-index/normalization.ts";
import { byMerit, FactRanking, weightOf, type Merit, type RankedFact } from "./fact-ranking.ts";
import { ALL_WORDS_SCORE, TIERS, type Hit, type HitFact, type HitPosition, type SearchQuery } from "./hit.ts";
import { preferBest, preferenceReason, type Preference } from "./preferences.ts";
import { findByRelations } from "./relation-ranking.ts";
import { addMeaning, entitiesOf, NEAR_IN_MEANING } from "./semantic-ranking.ts";
import { byRank, withDegrees, type RankedEntity } from "./ranking.ts";
import { asWholeWords, withCorrections, withSynonyms } from "./words/alternatives.ts";
import { formerlyNamed, withFormerNames } from "./words/former-names.ts";
import { explain, hasOtherWords, isOwnWord, scoreOf } from "./words/explanation.ts";
import { termsOf, type Term } from "./words/query-terms.ts";
import { matchEntities, type WordMatch, type WordMatches } from "./words/word-matches.ts";

export interface RankingOptions {
  /** Texts that are near in meaning, compared before the read. */
  readonly meaning?: readonly SemanticMatch[] | undefined;
  readonly preference?: Preference | undefined;
}

/** Hits after a position, best first, without those that contain the whole query. */
export function* rankedHits(rows: Rows, query: SearchQuery, after: HitPosition | undefined, options: RankingOptions = {}): Generator<Hit> {
  const { preference = "match" } = options;
  const entities = preferBest(rows, rankEntities(rows, query, options), preference);
  const following = after?.[0] === TIERS.ranked ? entities.filter(({ place }) => byRank(after.slice(1), place) < 0) : entities;
  const former = new Set(formerlyNamed(rows, query.text).map(({ id }) => id));
  const toWanted = (batch: readonly RankedEntity[]) => ({ observationsOf: batch.map(({ match }) => match.entity.id) });
  for (const { match, facts, merit, place, callerScore, reason, by, lacks } of rows.inBatches(following, toWanted)) {
    const { entity } = match;
    if (former.has(entity.id) || contains(rows, entity, query.text)) continue;
    const observation = facts.find(({ hasWord }) => hasWord)?.row.text;
    yield {
      entity,
      position: [TIERS.ranked, ...place],
      score: callerScore,
      why: reason + preferenceReason(rows, entity, preference),
      by,
      lacks,
      ...(observation !== undefined && { observation }),
      // The first one has the place of its entity.
      facts: () => facts.map((fact, at) => toHitFact(fact, at === 0 ? merit : fact)),
    };
  }
}

const toHitFact = ({ row, parts }: RankedFact, merit: Merit): HitFact => ({ row, weight: ALL_WORDS_SCORE * weightOf(merit), parts });

/** In order. */
function rankEntities(rows: Rows, query: SearchQuery, { meaning = [] }: RankingOptions): RankedEntity[] {
  const { terms, found } = matchWords(rows, query, entitiesOf(meaning));
  const ranking = new FactRanking(terms, found, rows.totals().entities);
  const byWords = withoutNoise(found.entities, terms)
    .map((match) => ({ match, ...ranking.rank(match) }))
    .sort((a, b) => byMerit(a.merit, b.merit) || b.match.entity.id - a.match.entity.id);
  const best = byWords.map(({ match }) => match);
  const related = findByRelations(rows, query, terms, best, ranking);
  const known = new Map(best.map((match) => [match.entity.id, match]));
  const withRelations = [...related].map(([id, { match: reached, shares }]) => {
    const match = known.get(id) ?? reached;
    return { match, ...ranking.rank(match, shares) };
  });
  const ranked = [...byWords.filter(({ match }) => !related.has(match.entity.id)), ...withRelations];
  const entities = addMeaning(ranked, meaning).map(({ match, merit, facts, similarity }): RankedEntity => {
    const relation = related.get(match.entity.id);
    const reasons: Reason[] = [{ callerScore: similarity, reason: NEAR_IN_MEANING, by: "meaning" }];
    if (match.matches.length > 0)
      reasons.push({
        callerScore: scoreOf(terms, match.matches),
        reason: explain(terms, match.matches),
        by: hasOtherWords(match.matches) ? "other words" : undefined,
      });
    if (relation !== undefined) reasons.push({ callerScore: relation.score, reason: relation.reason, by: "relation" });
    const has = new Set([...match.matches.filter(isOwnWord).map(({ term }) => term), ...(relation?.shares.keys() ?? [])]);
    const strongest = reasons.reduce((most, one) => (one.callerScore >= most.callerScore ? one : most));
    return {
      match,
      merit,
      facts,
      ...strongest,
      lacks: terms.filter((term) => !has.has(term)),
      place: [merit.level, merit.score, match.facts.at(-1)?.row.created ?? 0, 0, match.entity.id],
    };
  });
  return withDegrees(rows, entities);
}

/** Where one has all words itself: without those that have words for their kinds only. */
function withoutNoise(found: readonly WordMatch[], terms: readonly Term[]): readonly WordMatch[] {
  const countOf = ({ matches }: WordMatch): number => matches.filter(isOwnWord).length;
  if (!found.some((one) => countOf(one) === terms.length)) return found;
  return found.filter((one) => one.matches.length === 0 || countOf(one) > 0);
}

type Reason = Pick<RankedEntity, "callerScore" | "reason" | "by">;

interface MatchedWords {
  readonly terms: readonly Term[];
  readonly found: WordMatches;
}

function matchWords(rows: Rows, query: SearchQuery, others: ReadonlySet<number>): MatchedWords {
  let terms: readonly Term[] = termsOf(query.text);
  let found = matchEntities(rows, query, terms, others);
  for (const extend of [asWholeWords, withFormerNames, withCorrections, withSynonyms]) {
    const extended = extend(rows, terms, found.entities);
    if (extended === terms) continue;
    terms = extended;
    found = matchEntities(rows, query, terms, others);
  }
  return { terms, found };
}

const contains = (rows: Rows, { id, name, type }: EntityRow, text: string): boolean =>
  fold(name).includes(text) || fold(type).includes(text) || rows.observations.of(id).some((one) => fold(one.text).includes(text));
