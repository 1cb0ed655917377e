// Hits that do not contain the whole query: found by several rankings, which are fused. Entities with all words come first, then those that have
// them together with their relations.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { fold } from "../text-index/normalization.ts";
import { asWholeWords, withCorrections, withSynonyms } from "./words/alternatives.ts";
import { withFormerNames } from "./words/former-names.ts";
import { TIERS, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";
import { termsOf, type Term } from "./words/query-terms.ts";
import { preferenceRankings, preferenceReason, type Preference } from "./preferences.ts";
import { fuseRankings, type FusedEntity, type RankEntities, type Ranking } from "./ranking.ts";
import { rankByRelations } from "./relation-ranking.ts";
import { tieBreakers } from "./tie-breakers.ts";
import { matchEntities, type WordMatch } from "./words/word-matches.ts";
import { rankByWords } from "./words/word-ranking.ts";

export interface RankingOptions {
  /** Rankings besides those by words. */
  readonly rankings?: readonly RankEntities[] | undefined;
  readonly preference?: Preference | undefined;
}

/** Hits after a position, best first, without those that contain the whole query. */
export function* rankedHits(
  rows: Rows,
  query: SearchQuery,
  after: HitPosition | undefined,
  { rankings: more = [], preference = "match" }: RankingOptions = {},
): Generator<Hit> {
  const rankings = [...wordRankings(rows, query), ...more.map((rank) => rank(rows, query))];
  const found = fuseAndSort(rankings);
  const preferences = preferenceRankings(rows, found, preference);
  const entities = preferences.length === 0 ? found : fuseAndSort([...rankings, ...preferences]);
  const following = after?.[0] === TIERS.ranked ? entities.filter((entity) => isBehind(entity, after)) : entities;
  const toWanted = (batch: readonly { id: number }[]) => ({ ids: batch.map(({ id }) => id), observationsOf: batch.map(({ id }) => id) });
  for (const { id, rank, score, reason, observation } of rows.inBatches(following, toWanted)) {
    const entity = rows.entities.byId(id);
    if (entity === undefined || !query.allows(entity) || contains(rows, entity, query.text)) continue;
    const why = reason + preferenceReason(rows, entity, preference);
    yield { entity, position: [TIERS.ranked, rank, id], score, why, ...(observation !== undefined && { observation }) };
  }
}

const fuseAndSort = (rankings: readonly Ranking[]): FusedEntity[] => fuseRankings(rankings).sort((a, b) => b.rank - a.rank || b.id - a.id);

const isBehind = ({ rank, id }: FusedEntity, [, lastRank, lastEntity = 0]: HitPosition): boolean =>
  rank < lastRank || (rank === lastRank && id < lastEntity);

/** The rankings that need nothing but the words: by what entities say themselves, by their relations, and two that decide between equals. */
function wordRankings(rows: Rows, query: SearchQuery): Ranking[] {
  let terms: readonly Term[] = termsOf(query.text);
  let matches: readonly WordMatch[] = matchEntities(rows, query, terms);
  for (const extend of [asWholeWords, withFormerNames, withCorrections, withSynonyms]) {
    const extended = extend(rows, terms, matches);
    if (extended === terms) continue;
    terms = extended;
    matches = matchEntities(rows, query, terms);
  }
  const byWords = rankByWords(terms, matches);
  const matchOf = new Map(matches.map((match) => [match.entity.id, match]));
  const best = byWords.entities.flatMap(({ id }) => matchOf.get(id) ?? []);
  return [byWords, rankByRelations(rows, query, terms, best), ...tieBreakers(rows, best)];
}

const contains = (rows: Rows, { id, name, type }: EntityRow, text: string): boolean =>
  fold(name).includes(text) || fold(type).includes(text) || rows.observations.of(id).some((one) => fold(one.text).includes(text));
