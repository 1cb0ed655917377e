// Which terms of a query an entity has, where, and in which form.
import type { EntityRow } from "../../rows/entities.ts";
import type { ObservationRow } from "../../rows/observations.ts";
import type { Rows } from "../../rows/rows.ts";
import { candidateEntities } from "./candidate-entities.ts";
import { FoldedText, FORM_WEIGHTS, type Form } from "./folded-text.ts";
import type { SearchQuery } from "../hit.ts";
import { fillersOf, type Term } from "./query-terms.ts";

/** Observations of one entity that are looked at, the newest. */
const MAX_OBSERVATIONS = 1000;

export type Place = "name" | "type" | "observation";

export interface TermMatch extends Form {
  readonly term: Term;
  readonly place: Place;
}

/** A term in an observation. */
export interface FactTerm extends Form {
  readonly term: Term;
  /** How often the observation has the term. */
  readonly count: number;
}

export interface FactMatch {
  readonly row: ObservationRow;
  /** Empty where it has none. */
  readonly terms: readonly FactTerm[];
  /** Filler words of the query that stand beside them. */
  readonly fillers: readonly string[];
}

export interface WordMatch {
  readonly entity: EntityRow;
  /** One for each term that it has, in the order of the query. */
  readonly matches: readonly TermMatch[];
  /** All that are looked at, oldest first. */
  readonly facts: readonly FactMatch[];
}

export interface WordMatches {
  /** Candidates with at least one of the terms. */
  readonly entities: readonly WordMatch[];
  /** Terms of entities that may not be among the candidates. */
  readonly common: ReadonlySet<Term>;
}

/** `more`: entities that are candidates whatever they have. */
export function matchEntities(rows: Rows, query: SearchQuery, terms: readonly Term[], more: Iterable<number> = []): WordMatches {
  const { ids: found, common } = candidateEntities(rows, terms);
  const fillers = fillersOf(query.text);
  const others = new Set(more);
  const ids = new Set([...found, ...others]);
  rows.prepare({ ids, observationsOf: ids });
  const entities = [...ids].flatMap((id) => {
    const entity = rows.entities.byId(id);
    if (entity === undefined || !query.allows(entity)) return [];
    const match = matchEntity(rows, entity, terms, fillers);
    return match.matches.length > 0 || others.has(id) ? [match] : [];
  });
  return { entities, common };
}

export function matchEntity(rows: Rows, entity: EntityRow, terms: readonly Term[], fillers: readonly string[] = []): WordMatch {
  const found = new Map<Term, TermMatch>();
  for (const place of ["name", "type"] as const) {
    const text = new FoldedText(entity[place]);
    for (const term of terms) {
      const form = found.has(term) ? undefined : text.formOf(term);
      if (form !== undefined) found.set(term, { term, place, ...form });
    }
  }
  const facts = rows.observations
    .of(entity.id)
    .slice(-MAX_OBSERVATIONS)
    .map((row) => matchFact(row, terms, fillers));
  for (const { terms: inFact } of facts.toReversed())
    for (const { term, kind, found: form } of inFact) {
      const known = found.get(term);
      if (known === undefined || (known.place === "observation" && FORM_WEIGHTS[kind] > FORM_WEIGHTS[known.kind]))
        found.set(term, { term, place: "observation", kind, found: form });
    }
  return { entity, matches: terms.flatMap((term) => found.get(term) ?? []), facts };
}

function matchFact(row: ObservationRow, terms: readonly Term[], fillers: readonly string[]): FactMatch {
  const folded = new FoldedText(row.text);
  const found = terms.flatMap((term) => {
    const form = folded.formOf(term);
    return form === undefined ? [] : [{ term, ...form, count: folded.countOf(term) }];
  });
  return { row, terms: found, fillers: found.length === 0 ? [] : fillers.filter((word) => folded.words.includes(word)) };
}
