// Rankings that decide between entities which match equally well: what changed last, and what has more relations.
import { relationsAt } from "../read/neighbourhood.ts";
import type { Rows } from "../rows/rows.ts";
import type { RankedEntity, Ranking } from "./ranking.ts";
import type { WordMatch } from "./words/word-matches.ts";

/** So small that they move nothing past a better match near the top. */
const WEIGHT = 0.02;
/** The best matches, which these rankings order. */
const MAX_RANKED = 30;
/** More relations than this count as this. */
const MAX_DEGREE = 50;

/** `matches`: best first. */
export function tieBreakers(rows: Rows, matches: readonly WordMatch[]): Ranking[] {
  if (matches.length < 2) return [];
  const best = matches.slice(0, MAX_RANKED);
  rows.prepare({ relationsAt: best.map(({ entity }) => entity.name) });
  return [toRanking(best, ({ changed }) => changed), toRanking(best, ({ entity }) => degreeOf(rows, entity.name))];
}

function toRanking(matches: readonly WordMatch[], meritOf: (match: WordMatch) => number): Ranking {
  const entities = matches.map((match): RankedEntity => ({ id: match.entity.id, merit: meritOf(match), score: 0, reason: "" }));
  return { weight: WEIGHT, entities: entities.sort((a, b) => b.merit - a.merit) };
}

function degreeOf(rows: Rows, name: string): number {
  let degree = 0;
  for (const _relation of relationsAt(rows, name)) if (++degree === MAX_DEGREE) break;
  return degree;
}
