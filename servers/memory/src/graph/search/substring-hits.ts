// Hits that contain the whole query as a substring of a name, type or observation, as in the reference server, and those whose former name it is.
// Ordered by tier, newest first within each. Rows are read as they are needed, so that a page costs what it shows.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import type { FoundObservation, TextSearch } from "../rows/texts.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";
import { factsForText, type TextQuery } from "./text-facts.ts";
import { termsOf } from "./words/query-terms.ts";
import { formerlyNamed } from "./words/former-names.ts";
import { TIERS, type FoundBy, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";

interface Match {
  entity: EntityRow;
  /** The id of the matching row. */
  id: number;
  observation?: string;
}

/** Matches of one tier with lower ids than `before`. */
type FindMatches = (rows: Rows, query: string, before: number | undefined, search: TextSearch) => Generator<Match>;

interface Search {
  readonly tier: number;
  readonly score: number;
  readonly why: string;
  readonly by?: FoundBy;
  readonly find: FindMatches;
}

const SEARCHES: readonly Search[] = [
  { tier: TIERS.exactName, score: 1, why: "Its name is the query.", find: findByExactName },
  { tier: TIERS.name, score: 0.9, why: "Its name contains the query.", find: findByName },
  { tier: TIERS.formerName, score: 0.85, why: "Its former name is the query.", by: "other words", find: findByFormerName },
  { tier: TIERS.type, score: 0.8, why: "Its type contains the query.", find: findByType },
  { tier: TIERS.observation, score: 0.7, why: "An observation contains the query.", find: findByObservation },
];

/** Hits after a position, in order. No entity is a hit twice, not even on different pages. */
export function* substringHits(rows: Rows, { text, allows }: SearchQuery, after: HitPosition | undefined): Generator<Hit> {
  const search = rows.texts.search(text);
  let former: ReadonlySet<number> | undefined;
  let query: TextQuery | undefined;
  try {
    for (const { tier, score, why, by, find } of SEARCHES) {
      if (after !== undefined && after[0] > tier) continue;
      const before = after?.[0] === tier ? after[1] : undefined;
      if (tier > TIERS.formerName) former ??= new Set(formerlyNamed(rows, text).map(({ id }) => id));
      for (const { entity, id, observation } of find(rows, text, before, search))
        if (allows(entity) && former?.has(entity.id) !== true)
          yield {
            entity,
            position: [tier, id],
            score,
            why,
            by,
            lacks: [],
            ...(observation !== undefined && { observation }),
            facts: () => factsForText(rows, entity, (query ??= { text, terms: termsOf(text) }), score, tier <= TIERS.formerName),
          };
    }
  } finally {
    search.close();
  }
}

/** Equal but for case. */
function* findByExactName(rows: Rows, query: string, before: number | undefined): Generator<Match> {
  for (const entity of rows.entities.withKey(similarityKey(query)).reverse())
    if (fold(entity.name) === query && (before === undefined || entity.id < before)) yield { entity, id: entity.id };
}

function* findByName(_rows: Rows, query: string, before: number | undefined, search: TextSearch): Generator<Match> {
  for (const entity of search.names(before)) if (fold(entity.name) !== query) yield { entity, id: entity.id };
}

function* findByFormerName(rows: Rows, query: string, before: number | undefined): Generator<Match> {
  for (const entity of formerlyNamed(rows, query))
    if (!fold(entity.name).includes(query) && (before === undefined || entity.id < before)) yield { entity, id: entity.id };
}

function* findByType(_rows: Rows, query: string, before: number | undefined, search: TextSearch): Generator<Match> {
  for (const entity of search.ofTypes(before)) if (!fold(entity.name).includes(query)) yield { entity, id: entity.id };
}

function* findByObservation(rows: Rows, query: string, before: number | undefined, search: TextSearch): Generator<Match> {
  const wantedBy = (batch: readonly FoundObservation[]) => ({ ids: batch.map(({ entity }) => entity) });
  for (const { id, entity: owner, text } of rows.inBatches(search.observations(before), wantedBy)) {
    const entity = rows.entities.byId(owner);
    if (entity === undefined || fold(entity.name).includes(query) || fold(entity.type).includes(query)) continue;
    // The newest matching observation decides the position of its entity.
    if (!rows.texts.hasNewerMatch(owner, id, query)) yield { entity, id, observation: text };
  }
}
