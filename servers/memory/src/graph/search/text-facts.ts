// The facts of an entity that contains the whole query: those that contain it too first, then those with its words, then
// the newest where it is named.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { fold } from "../text-index/normalization.ts";
import { FactRanking } from "./fact-ranking.ts";
import type { HitFact } from "./hit.ts";
import type { Term } from "./words/query-terms.ts";
import { matchEntity } from "./words/word-matches.ts";

/** Each further fact of an entity counts so much of the one before it: the best of other entities come between them. */
const NEXT_SHARE = 0.9;

export interface TextQuery {
  /** Folded. */
  readonly text: string;
  readonly terms: readonly Term[];
}

/** `score`: of the hit. `isNamed`: its name has the query, so that all of its facts are about it. */
export function factsForText(rows: Rows, entity: EntityRow, { text, terms }: TextQuery, score: number, isNamed: boolean): HitFact[] {
  const match = matchEntity(rows, entity, terms);
  const { facts } = new FactRanking(terms, { entities: [match], common: new Set() }, 1).rank(match);
  const ranked = new Map(facts.map((fact) => [fact.row.id, fact]));
  const sorted = match.facts
    .map(({ row }) => ({ row, isWhole: fold(row.text).includes(text), words: ranked.get(row.id)?.score ?? 0 }))
    .filter(({ isWhole, words }) => isNamed || isWhole || words > 0)
    .sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.words - a.words || b.row.id - a.row.id);
  let weight = score / NEXT_SHARE;
  return sorted.map(({ row }) => ({ row, weight: (weight *= NEXT_SHARE), parts: ranked.get(row.id)?.parts }));
}
