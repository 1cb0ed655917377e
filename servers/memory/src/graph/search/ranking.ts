// Rankings, and how several of them become one list: by reciprocal rank, so that they need no common scale.
//
// To add a ranking: write a function of type `RankEntities` in a file of its own. Where it needs nothing but the
// rows and the query, call it in wordRankings of ranked-hits.ts. Where it needs something that is not in the rows, such as the vector of the query,
// compute that before the read, and hand the function over in `SearchOptions.rankings` (search.ts). It runs in the transaction of the search, so
// it must not wait. On Postgres it may run several times: read rows together with `rows.prepare`.
import type { Rows } from "../rows/rows.ts";
import type { SearchQuery } from "./hit.ts";

/** Which words of the query an entity has: all itself, all together with its relations, or some, or none. */
export const LEVELS = { all: 2, withRelations: 1, some: 0 } as const;

export interface RankedEntity {
  readonly id: number;
  /** Higher is better. Entities with the same merit share a rank. */
  readonly merit: number;
  /** One short sentence for the caller, such as `Has 2 of 3 words: …`. */
  readonly reason: string;
  /** From 0 to 1, for the caller. */
  readonly score: number;
  /** Entities of a higher level come first, whatever their ranks. Default LEVELS.some. */
  readonly level?: number;
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

/** An entity with the ranks of all rankings that have it. Reason, score and observation are those of the ranking with its highest score. */
export interface FusedEntity extends Omit<RankedEntity, "merit" | "level"> {
  /** The level, and what the ranks add to it, which is below 1. */
  readonly rank: number;
}

/** From the literature: large enough that the first of one ranking does not outweigh good places in two. */
const RANK_OFFSET = 60;

/** All entities of the rankings, in no order. */
export function fuseRankings(rankings: readonly Ranking[]): FusedEntity[] {
  const fused = new Map<number, FusedEntity>();
  const levels = new Map<number, number>();
  for (const { weight, entities } of rankings) {
    let rank = 0;
    for (const [index, { merit, level = LEVELS.some, ...entity }] of entities.entries()) {
      if (merit !== entities[index - 1]?.merit) rank++;
      const known = fused.get(entity.id);
      const best = known !== undefined && known.score >= entity.score ? known : entity;
      fused.set(entity.id, { ...best, rank: (known?.rank ?? 0) + weight / (RANK_OFFSET + rank) });
      levels.set(entity.id, Math.max(level, levels.get(entity.id) ?? 0));
    }
  }
  return [...fused.values()].map((entity) => ({ ...entity, rank: entity.rank + (levels.get(entity.id) ?? 0) }));
}
