// Which terms of a query an entity has, where, and in which form.
import type { EntityRow } from "../../rows/entities.ts";
import type { Rows } from "../../rows/rows.ts";
import { candidateEntities } from "./candidate-entities.ts";
import { FoldedText, FORM_WEIGHTS, type Form } from "./folded-text.ts";
import type { SearchQuery } from "../hit.ts";
import type { Term } from "./query-terms.ts";

/** Observations of one entity that are looked at, the newest. */
const MAX_OBSERVATIONS = 1000;

export type Place = "name" | "type" | "observation";

export interface TermMatch extends Form {
  readonly term: Term;
  readonly place: Place;
}

export interface WordMatch {
  readonly entity: EntityRow;
  /** One for each term that it has, in the order of the query. */
  readonly matches: readonly TermMatch[];
  /** The newest observation with the most terms. */
  readonly observation: string | undefined;
  /** The call that recorded its newest observation; 0 where it has none. */
  readonly changed: number;
}

/** Candidates with at least one of the terms. */
export function matchEntities(rows: Rows, query: SearchQuery, terms: readonly Term[]): WordMatch[] {
  const ids = candidateEntities(rows, terms);
  rows.prepare({ ids, observationsOf: ids });
  return [...ids].flatMap((id) => {
    const entity = rows.entities.byId(id);
    if (entity === undefined || !query.allows(entity)) return [];
    const match = matchEntity(rows, entity, terms);
    return match.matches.length > 0 ? [match] : [];
  });
}

export function matchEntity(rows: Rows, entity: EntityRow, terms: readonly Term[]): WordMatch {
  const found = new Map<Term, TermMatch>();
  for (const place of ["name", "type"] as const) {
    const text = new FoldedText(entity[place]);
    for (const term of terms) {
      const form = found.has(term) ? undefined : text.formOf(term);
      if (form !== undefined) found.set(term, { term, place, ...form });
    }
  }
  let best: { text: string; terms: number } | undefined;
  const observations = rows.observations.of(entity.id).slice(-MAX_OBSERVATIONS).reverse();
  for (const { text } of observations) {
    const folded = new FoldedText(text);
    let count = 0;
    for (const term of terms) {
      const form = folded.formOf(term);
      if (form === undefined) continue;
      count++;
      const known = found.get(term);
      if (known === undefined || (known.place === "observation" && FORM_WEIGHTS[form.kind] > FORM_WEIGHTS[known.kind]))
        found.set(term, { term, place: "observation", ...form });
    }
    if (count > (best?.terms ?? 0)) best = { text, terms: count };
  }
  return {
    entity,
    matches: terms.flatMap((term) => found.get(term) ?? []),
    observation: best?.text,
    changed: observations[0]?.created ?? 0,
  };
}
