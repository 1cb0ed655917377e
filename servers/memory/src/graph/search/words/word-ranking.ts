// The ranking by the words of the query: how many of them an entity has, how rare they are, where it has them, and in which form.
import { clip } from "@oarlock/domain-kit";
import { FORM_WEIGHTS } from "./folded-text.ts";
import { ALL_WORDS_SCORE } from "../hit.ts";
import type { Term } from "./query-terms.ts";
import { LEVELS, type RankedEntity, type Ranking } from "../ranking.ts";
import type { Place, TermMatch, WordMatch } from "./word-matches.ts";

/** One word in a name is less than two in observations. */
const PLACE_WEIGHTS: Readonly<Record<Place, number>> = { name: 1.8, type: 1.4, observation: 1 };

/** How much a term says, from 1 to 2: rare ones say more. Counted in the candidates, so that all stores agree. */
export function rarities(terms: readonly Term[], matches: readonly WordMatch[]): ReadonlyMap<Term, number> {
  const counts = new Map<Term, number>();
  for (const { matches: found } of matches) for (const { term } of found) counts.set(term, (counts.get(term) ?? 0) + 1);
  const all = Math.log(1 + matches.length);
  return new Map(terms.map((term) => [term, 1 + Math.log((1 + matches.length) / (1 + (counts.get(term) ?? 0))) / Math.max(all, 1)]));
}

export function rankByWords(terms: readonly Term[], matches: readonly WordMatch[]): Ranking {
  const rarity = rarities(terms, matches);
  const weigh = ({ term, place, kind }: TermMatch): number => (rarity.get(term) ?? 1) * PLACE_WEIGHTS[place] * FORM_WEIGHTS[kind];
  const entities = matches.map(({ entity, matches: found, observation }): RankedEntity => {
    const merit = found.reduce((sum, match) => sum + weigh(match), 0);
    const share = found.length / terms.length;
    return {
      id: entity.id,
      merit: Math.round(100 * merit) / 100,
      score: share === 1 ? ALL_WORDS_SCORE : Math.round(50 * share) / 100,
      level: share === 1 ? LEVELS.all : LEVELS.some,
      reason: explain(terms, found),
      observation,
    };
  });
  entities.sort((a, b) => b.score - a.score || b.merit - a.merit || b.id - a.id);
  return { weight: 1, entities };
}

const MAX_EXPLAINED = 3;
const MAX_WORD_LENGTH = 30;
const PLACES: Readonly<Record<Place, string>> = { name: "its name", type: "its type", observation: "an observation" };

function explain(terms: readonly Term[], found: readonly TermMatch[]): string {
  const parts = found.slice(0, MAX_EXPLAINED).map(explainMatch);
  if (found.length > MAX_EXPLAINED) parts.push(`and ${found.length - MAX_EXPLAINED} more`);
  const which =
    terms.length === 1
      ? "Has"
      : found.length === terms.length
        ? `Has all ${terms.length} words:`
        : `Has ${found.length} of ${terms.length} words:`;
  return `${which} ${parts.join(", ")}.`;
}

/** `living as lives in an observation`. */
export function explainMatch({ term, kind, found, place }: TermMatch): string {
  const word = clip(term.word, MAX_WORD_LENGTH);
  const form = clip(found, MAX_WORD_LENGTH);
  const where = `in ${PLACES[place]}`;
  if (kind === "inflected") return `${word} as ${form} ${where}`;
  if (kind === "similar") return `${form}, spelled like ${word}, ${where}`;
  if (kind === "related") return `${form}, by its relation to ${word}, ${where}`;
  if (kind === "former") return `${form}, formerly ${word}, ${where}`;
  if (kind === "synonym") return `${form}, another word for ${word}, ${where}`;
  if (kind === "broader") return `${form}, a wider word than ${word}, ${where}`;
  return `${word} ${where}`;
}
