// Rankings, and how several of them become one list: by reciprocal rank, so that they need no common scale.
//
// To add a ranking (by meaning, by importance): write a function of type `RankEntities` in a file of its own. Where it needs nothing but the
// rows and the query, call it in wordRankings of ranked-hits.ts. Where it needs something that is not in the rows, such as the vector of the query,
// compute that before the read, and hand the function over in `SearchOptions.rankings` (search.ts). It runs in the transaction of the search, so
// it must not wait. On Postgres it may run several times: read rows together with `rows.prepare`.
import type { Rows } from "../rows/rows.ts";
import type { SearchQuery } from "./hit.ts";

export interface RankedEntity {
  readonly id: number;
  /** Higher is better. Entities with the same merit share a rank. */
  readonly merit: number;
  /** One short sentence for the caller, such as `Has 2 of 3 words: …`. */
  readonly reason: string;
  /** From 0 to 1, for the caller. ALL_WORDS_SCORE and above: the entity comes before all with less, whatever their ranks. */
  readonly score: number;
  /** The observation that matches. */
  readonly observation?: string | undefined;
}

export interface Ranking {
  /** How much its ranks count: 1 for the words. */
  readonly weight: number;
  /** Best first. A few hundred at most: each is read. */
  readonly entities: readonly RankedEntity[];
}

export type RankEntities = (rows: Rows, query: SearchQuery) => Ranking;

/** An entity with the ranks of all rankings that have it. The reason is that of the ranking that counts most for it. */
export interface FusedEntity extends Omit<RankedEntity, "merit"> {
  readonly rank: number;
}

/** From the literature: large enough that the first of one ranking does not outweigh good places in two. */
const RANK_OFFSET = 60;

/** All entities of the rankings, in no order. */
export function fuseRankings(rankings: readonly Ranking[]): FusedEntity[] {
  const fused = new Map<number, FusedEntity & { readonly best: number }>();
  for (const { weight, entities } of rankings) {
    let rank = 0;
    for (const [index, { merit, ...entity }] of entities.entries()) {
      if (merit !== entities[index - 1]?.merit) rank++;
      const share = weight / (RANK_OFFSET + rank);
      const known = fused.get(entity.id);
      const { best, score, ...rest } = known === undefined || share > known.best ? { ...entity, best: share } : known;
      const observation = rest.observation ?? known?.observation ?? entity.observation;
      fused.set(entity.id, {
        ...rest,
        best,
        score: Math.max(score, known?.score ?? 0, entity.score),
        rank: (known?.rank ?? 0) + share,
        ...(observation !== undefined && { observation }),
      });
    }
  }
  return [...fused.values()].map(({ best: _best, ...entity }) => entity);
}
