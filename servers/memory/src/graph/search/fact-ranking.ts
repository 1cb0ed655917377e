// Ranks facts by BM25. A fact is looked at together with its entity: words of the name and type count too, and as weak evidence those of the
// facts beside it and of the other facts.
import type { ObservationRow } from "../rows/observations.ts";
import type { ScoreParts } from "./hit.ts";
import { FORM_WEIGHTS, type FormKind } from "./words/folded-text.ts";
import type { Term } from "./words/query-terms.ts";
import type { FactMatch, Place, TermMatch, WordMatch, WordMatches } from "./words/word-matches.ts";

/** The usual constants: how soon further occurrences stop counting, and how much the length of a fact counts. */
const K1 = 1.2;
const B = 0.75;
/** Of what a word in the fact itself adds: one in the name or type of its entity; one of the facts around; a filler word of the query. */
const ENTITY_SHARES: Readonly<Record<Place, number>> = { name: 0.5, type: 0.4, observation: 0.2 };
const CONTEXT_SHARE = 0.2;
const FILLER_SHARE = 0.1;
/** Of an entity whose facts say less than its name. One word in a name is less than two in a fact. */
const NAME_WEIGHTS: Readonly<Record<Place, number>> = { name: 1.8, type: 1.4, observation: CONTEXT_SHARE };
/** Facts before and after one that are around it. */
const NEIGHBOURS = 2;
/** Below this, scores are equal. */
const PRECISION = 1e6;

/** Where the words of the query are: all in the fact and the name of its entity, all in these and what is around, or only some. */
const LEVELS = { all: 2, around: 1, some: 0 } as const;

/** Higher levels come first, whatever the scores. */
export interface Merit {
  readonly level: number;
  readonly score: number;
}

export interface RankedFact extends Merit {
  readonly row: ObservationRow;
  /** Whether it has a word of the query itself. */
  readonly hasWord: boolean;
  readonly parts: ScoreParts;
}

export interface RankedFacts {
  /** That of the best fact, or of the name and type. */
  readonly merit: Merit;
  /** Best first, the newest of equal ones first. Facts without any evidence are not among them. */
  readonly facts: readonly RankedFact[];
}

export const byMerit = (a: Merit, b: Merit): number => b.level - a.level || b.score - a.score;

/** A merit as one number, from 0 to 1, in the same order. */
export const weightOf = ({ level, score }: Merit): number => (level + score / (1 + score)) / (LEVELS.all + 1);

export class FactRanking {
  readonly #terms: readonly Term[];
  readonly #rarity: ReadonlyMap<Term, Rarity>;
  readonly #fillers: ReadonlyMap<string, number>;
  readonly #meanLength: number;

  /** `total`: how many entities there are, those besides the candidates included. */
  constructor(terms: readonly Term[], { entities, common }: WordMatches, total: number) {
    const facts = entities.flatMap((match) => match.facts);
    this.#terms = terms;
    this.#meanLength = facts.reduce((sum, { row }) => sum + row.text.length, 0) / Math.max(1, facts.length);
    this.#rarity = rarities(terms, entities, common, total);
    this.#fillers = fillerRarities(facts);
  }

  /** How much a term says in a form: its inverse document frequency. */
  rarityOf(term: Term, kind: FormKind = "same"): number {
    const rarity = this.#rarity.get(term);
    return (OTHER_WORDS.has(kind) ? rarity?.withOthers : rarity?.own) ?? 0;
  }

  /** `shares`: what terms that the entity does not have itself add, of what they would add in a fact. */
  rank({ matches, facts }: Pick<WordMatch, "matches" | "facts">, shares: ReadonlyMap<Term, number> = new Map()): RankedFacts {
    const own = facts.map((fact) => this.#scoreOf(fact));
    const inName = matches.filter(({ place }) => place !== "observation");
    const named = inName.map(({ term }) => term);
    const fromName = this.#sum(inName, ENTITY_SHARES);
    const fromOthers = this.#sum(
      matches.filter(({ place }) => place === "observation"),
      ENTITY_SHARES,
      shares,
    );
    const ranked = facts.map(({ row, terms }, at): RankedFact => {
      const first = Math.max(0, at - NEIGHBOURS);
      const words = own[at] ?? 0;
      const beside = own.slice(first, at + NEIGHBOURS + 1).reduce((sum, score) => sum + score, -words);
      const around = CONTEXT_SHARE * beside + fromOthers;
      const has = new Set([...named, ...terms.map(({ term }) => term)]);
      const hasAround =
        terms.length === 0 ? [] : facts.slice(first, at + NEIGHBOURS + 1).flatMap((fact) => fact.terms.map(({ term }) => term));
      const level = this.#levelOf(has, [...hasAround, ...shares.keys()]);
      const parts = { level, words, name: fromName, around, meaning: 0 };
      return { row, level, score: round(words + fromName + around), hasWord: terms.length > 0, parts };
    });
    const sorted = ranked.filter(({ score }) => score > 0).sort((a, b) => byMerit(a, b) || b.row.id - a.row.id);
    const name = { level: this.#levelOf(new Set(named), shares.keys()), score: round(this.#sum(matches, NAME_WEIGHTS, shares)) };
    const [best = name] = sorted;
    return { merit: byMerit(best, name) <= 0 ? best : name, facts: sorted };
  }

  #scoreOf({ row, terms, fillers }: FactMatch): number {
    const length = 1 - B + (B * row.text.length) / Math.max(1, this.#meanLength);
    const weigh = (weight: number, count: number): number => (weight * count * (K1 + 1)) / (count + K1 * length);
    const telling = terms.reduce((sum, { term, kind, count }) => sum + weigh(this.rarityOf(term, kind) * FORM_WEIGHTS[kind], count), 0);
    return telling + fillers.reduce((sum, word) => sum + weigh(FILLER_SHARE * (this.#fillers.get(word) ?? 0), 1), 0);
  }

  #sum(matches: readonly TermMatch[], weights: Readonly<Record<Place, number>>, shares?: ReadonlyMap<Term, number>): number {
    let sum = 0;
    for (const { term, kind, place } of matches) sum += weights[place] * this.rarityOf(term, kind) * FORM_WEIGHTS[kind];
    for (const [term, share] of shares ?? []) sum += share * this.rarityOf(term);
    return sum;
  }

  #levelOf(has: ReadonlySet<Term>, around: Iterable<Term>): number {
    if (has.size === this.#terms.length) return LEVELS.all;
    return new Set([...has, ...around]).size === this.#terms.length ? LEVELS.around : LEVELS.some;
  }
}

const inverseFrequency = (all: number, count: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5));

/** Filler words are counted where they are looked for: in facts with other words. */
function fillerRarities(facts: readonly FactMatch[]): ReadonlyMap<string, number> {
  const found = facts.filter(({ terms }) => terms.length > 0);
  const counts = new Map<string, number>();
  for (const word of found.flatMap(({ fillers }) => fillers)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, inverseFrequency(found.length, count)]));
}

const round = (score: number): number => Math.round(score * PRECISION) / PRECISION;

/** Forms that are other words for the term: a rare word is not less telling because they are frequent. */
const OTHER_WORDS: ReadonlySet<FormKind> = new Set(["related", "synonym", "broader"]);

interface Rarity {
  /** Of the term itself. */
  readonly own: number;
  /** Of the term and other words for it. */
  readonly withOthers: number;
}

/**
 * Counted in the candidates, so that all stores agree: they are all that have the rare terms. A common term is in as large a share of the
 * others.
 */
function rarities(
  terms: readonly Term[],
  entities: readonly WordMatch[],
  common: ReadonlySet<Term>,
  total: number,
): ReadonlyMap<Term, Rarity> {
  const candidates = entities.reduce((sum, { facts }) => sum + Math.max(1, facts.length), 0);
  const all = Math.max(total, candidates);
  const own = new Map<Term, number>();
  const withOthers = new Map<Term, number>();
  const add = ({ term, kind }: { term: Term; kind: FormKind }, count: number): void => {
    withOthers.set(term, (withOthers.get(term) ?? 0) + count);
    if (!OTHER_WORDS.has(kind)) own.set(term, (own.get(term) ?? 0) + count);
  };
  for (const { matches, facts } of entities) {
    const named = matches.filter(({ place }) => place !== "observation");
    for (const match of named) add(match, Math.max(1, facts.length));
    const inName = new Set(named.map(({ term }) => term));
    for (const match of facts.flatMap((fact) => fact.terms)) if (!inName.has(match.term)) add(match, 1);
  }
  const rarityOf = (term: Term, count = 0): number =>
    inverseFrequency(all, common.has(term) ? Math.round((count / Math.max(1, candidates)) * all) : count);
  return new Map(terms.map((term) => [term, { own: rarityOf(term, own.get(term)), withOthers: rarityOf(term, withOthers.get(term)) }]));
}
