// The ranking by relations: entities near those that the words find, where relations and neighbours have the other words. "Where does the
// sister of Ada live?" finds Bea, who is a sister of Ada and lives in Porto.
import { clip } from "@oarlock/domain-kit";
import { relationsAt } from "../read/neighbourhood.ts";
import type { EntityRow } from "../rows/entities.ts";
import { describeValidity, holdsAt, timesOfRelation } from "../rows/fact-times.ts";
import type { RelationRow } from "../rows/relations.ts";
import type { Rows } from "../rows/rows.ts";
import { FoldedText } from "./words/folded-text.ts";
import { ALL_WITH_RELATIONS_SCORE, type SearchQuery } from "./hit.ts";
import { explain, isOwnWord } from "./words/explanation.ts";
import type { Term } from "./words/query-terms.ts";
import type { FactRanking } from "./fact-ranking.ts";
import { matchEntity, type WordMatch } from "./words/word-matches.ts";

/** Relations that are followed. */
const MAX_STEPS = 2;
/** Entities whose relations are read, at each step. */
const MAX_SOURCES = 8;
/** Relations of one entity that are read. */
const MAX_RELATIONS = 200;
const MAX_RANKED = 100;
/** Of what its own texts say, for what a relation or a neighbour says. */
const RELATION_SHARE = 0.8;
/** The same for a relation that has ended. */
const ENDED_SHARE = 0.4;
const MAX_NAME_LENGTH = 60;

interface Reached {
  readonly entity: EntityRow;
  /** Terms that the way to the entity or its name has. */
  readonly onWay: ReadonlySet<Term>;
  /** Terms that it says itself: what a question asks for, rather than whom it names. */
  readonly own: ReadonlySet<Term>;
  /** Of what its own texts say, for what the way says. */
  readonly share: number;
  /** The last relation of the way. */
  readonly relation: RelationRow;
  readonly match: WordMatch;
}

export interface RelatedEntity {
  readonly match: WordMatch;
  /** Terms that it has by its relations, and what each adds of what it would add in a fact. */
  readonly shares: ReadonlyMap<Term, number>;
  /** From 0 to 1, for the caller. */
  readonly score: number;
  readonly reason: string;
}

/** Entities by their ids. `matches`: what the words have found, best first. */
export function findByRelations(
  rows: Rows,
  query: SearchQuery,
  terms: readonly Term[],
  matches: readonly WordMatch[],
  ranking: FactRanking,
): ReadonlyMap<number, RelatedEntity> {
  if (terms.length < 2) return new Map();
  const rarity = new Map(terms.map((term) => [term, ranking.rarityOf(term)]));
  const reached = new Map<number, Reached>();
  let frontier = startsOf(matches).map(({ entity, matches: found }): Source => {
    return { entity, terms: new Set(found.map(({ term }) => term)), share: RELATION_SHARE };
  });
  const started = new Set(frontier.map(({ entity }) => entity.id));
  for (let step = 0; step < MAX_STEPS && frontier.length > 0; step++) {
    const next = neighboursOf(rows, terms, frontier);
    for (const one of next) if (weigh(one, rarity) > weigh(reached.get(one.entity.id), rarity)) reached.set(one.entity.id, one);
    // Only ways whose relations are in the query go on.
    frontier = next
      .filter(({ entity, relation }) => !started.has(entity.id) && termsOfRelation(relation, terms).length > 0)
      .slice(0, MAX_SOURCES)
      .map(({ entity, onWay, own, share }) => ({ entity, terms: new Set([...onWay, ...own]), share }));
    for (const { entity } of frontier) started.add(entity.id);
  }
  const best = [...reached.values()]
    .filter(({ entity }) => query.allows(entity))
    .sort((a, b) => weigh(b, rarity) - weigh(a, rarity) || b.entity.id - a.entity.id)
    .slice(0, MAX_RANKED);
  return new Map(best.map((one) => [one.entity.id, toRelated(one, terms)]));
}

/** The best of those that the query names, and the best of all. */
function startsOf(matches: readonly WordMatch[]): readonly WordMatch[] {
  const named = matches.filter(({ matches: found }) => found.some(({ place }) => place === "name"));
  return [...new Set([...named.slice(0, MAX_SOURCES / 2), ...matches])].slice(0, MAX_SOURCES);
}

interface Source {
  readonly entity: EntityRow;
  readonly terms: ReadonlySet<Term>;
  /** As of what is reached from there. */
  readonly share: number;
}

/** Neighbours that have a term that their source does not have, themselves or by their relation. */
function neighboursOf(rows: Rows, terms: readonly Term[], sources: readonly Source[]): Reached[] {
  rows.prepare({ relationsAt: sources.map(({ entity }) => entity.name) });
  const ways = sources.flatMap((source) =>
    firstRelations(rows, source.entity.name).map((relation) => ({ source, relation, name: otherEnd(relation, source.entity.name) })),
  );
  rows.prepare({ names: ways.map(({ name }) => name) });
  const targets = ways.flatMap(({ source, relation, name }) => {
    const entity = rows.entities.named(name);
    return entity === undefined || entity.id === source.entity.id ? [] : [{ source, relation, entity }];
  });
  rows.prepare({ observationsOf: targets.map(({ entity }) => entity.id) });
  const known = new Map<number, WordMatch>();
  return targets.flatMap(({ source, relation, entity }) => {
    const match = known.get(entity.id) ?? matchEntity(rows, entity, terms);
    known.set(entity.id, match);
    const termsIn = (isInName: boolean): Term[] =>
      match.matches.filter((found) => isOwnWord(found) && (found.place === "name") === isInName).map(({ term }) => term);
    const [named, own] = [termsIn(true), termsIn(false)];
    // What a question names, and what adds no further word, is where it starts.
    if (named.length > 0 && own.length === 0) return [];
    const onWay = new Set([...source.terms, ...termsOfRelation(relation, terms), ...named]);
    if (onWay.size === source.terms.size && own.every((term) => source.terms.has(term))) return [];
    const share = hasEnded(relation) ? ENDED_SHARE : source.share;
    return [{ entity, onWay, own: new Set(own), share, relation, match }];
  });
}

function firstRelations(rows: Rows, name: string): RelationRow[] {
  const relations: RelationRow[] = [];
  for (const relation of relationsAt(rows, name)) if (relations.push(relation) === MAX_RELATIONS) break;
  return relations;
}

function hasEnded(relation: RelationRow): boolean {
  const times = timesOfRelation(relation);
  return times.validTo !== undefined && !holdsAt(times, Date.now());
}

const otherEnd = ({ source, target }: RelationRow, name: string): string => (source === name ? target : source);

/** Terms in the type of a relation, such as `works_at`. */
export function termsOfRelation({ type }: RelationRow, terms: readonly Term[]): Term[] {
  const text = new FoldedText(type.replaceAll(/[_-]+/gu, " "));
  return terms.filter((term) => text.formOf(term) !== undefined);
}

function weigh(reached: Reached | undefined, rarity: ReadonlyMap<Term, number>): number {
  if (reached === undefined) return 0;
  let weight = 0;
  for (const [term, value] of rarity) weight += reached.own.has(term) ? value : reached.onWay.has(term) ? reached.share * value : 0;
  return weight;
}

function toRelated({ match, onWay, own, share, relation }: Reached, terms: readonly Term[]): RelatedEntity {
  const { source, target, type } = relation;
  const [from, to, by] = [source, target, type].map((text) => clip(text, MAX_NAME_LENGTH));
  const validity = describeValidity(timesOfRelation(relation));
  const itself = new Set(match.matches.map(({ term }) => term));
  const found = match.matches.filter(({ term }) => own.has(term) || onWay.has(term));
  const byRelation = terms.filter((term) => onWay.has(term) && !itself.has(term));
  return {
    match,
    shares: new Map(byRelation.map((term) => [term, share])),
    score: Math.floor((100 * ALL_WITH_RELATIONS_SCORE * (found.length + byRelation.length)) / terms.length) / 100,
    reason: explain(terms, found, { terms: byRelation, relation: `${from} → ${by} → ${to}${validity === "" ? "" : ` (${validity})`}` }),
  };
}
