// The order of entities that the ranking finds: by their score, then by what changed last, by relations, and by age.
import { relationsAt } from "../read/neighbourhood.ts";
import type { Rows } from "../rows/rows.ts";
import type { RankedFacts } from "./fact-ranking.ts";
import type { FoundBy } from "./hit.ts";
import type { Term } from "./words/term.ts";
import type { WordMatch } from "./words/word-matches.ts";

/** The best ones, among which relations decide between equals. */
const MAX_RANKED = 30;
/** More relations than this count as this. */
const MAX_DEGREE = 50;

export interface RankedEntity extends RankedFacts {
  readonly match: WordMatch;
  /** From 0 to 1, for the caller. */
  readonly callerScore: number;
  /** One short sentence for the caller, such as `Has 2 of 3 words: …`. */
  readonly reason: string;
  readonly by: FoundBy | undefined;
  /** Terms that it has neither itself nor by its relations. */
  readonly lacks: readonly Term[];
  /** Its merit, the call of its newest fact, its relations where they decide, and its id. */
  readonly place: readonly [level: number, score: number, changed: number, degree: number, id: number];
}

/** Compares places: those with the higher numbers come first. */
export function byRank(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

/** In order. */
export function withDegrees(rows: Rows, entities: readonly RankedEntity[]): RankedEntity[] {
  const sorted = entities.toSorted((a, b) => byRank(a.place, b.place));
  const isEqual = (a: RankedEntity, b: RankedEntity | undefined): boolean =>
    a.place.slice(0, 3).every((value, at) => value === b?.place[at]);
  const equals = new Set(
    sorted.slice(0, MAX_RANKED).filter((one, index) => isEqual(one, sorted[index - 1]) || isEqual(one, sorted[index + 1])),
  );
  if (equals.size === 0) return sorted;
  rows.prepare({ relationsAt: [...equals].map(({ match }) => match.entity.name) });
  return sorted
    .map((one): RankedEntity => {
      const [level, score, changed, , id] = one.place;
      return equals.has(one) ? { ...one, place: [level, score, changed, degreeOf(rows, one.match.entity.name), id] } : one;
    })
    .sort((a, b) => byRank(a.place, b.place));
}

function degreeOf(rows: Rows, name: string): number {
  let degree = 0;
  for (const _relation of relationsAt(rows, name)) if (++degree === MAX_DEGREE) break;
  return degree;
}
