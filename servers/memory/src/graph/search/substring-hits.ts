// Hits that contain the whole query as a substring of a name, type or observation, as in the reference server. Ordered by tier, newest
// first within each. Rows are read as they are needed, so that a page costs what it shows.
import { findEntityById, SELECT_ENTITY, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { CandidateReader } from "../text-index/candidates.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";
import { TIERS, type Hit, type HitPosition, type SearchQuery } from "./hit.ts";

interface Match {
  entity: EntityRow;
  /** The id of the matching row. */
  id: number;
  observation?: string;
}

/** Matches of one tier with lower ids than `before`. */
type FindMatches = (store: Store, query: string, before: number | undefined, candidates: CandidateReader) => Generator<Match>;

const SEARCHES: readonly { readonly tier: number; readonly score: number; readonly find: FindMatches }[] = [
  { tier: TIERS.exactName, score: 1, find: findByExactName },
  { tier: TIERS.name, score: 0.9, find: findByName },
  { tier: TIERS.type, score: 0.8, find: findByType },
  { tier: TIERS.observation, score: 0.7, find: findByObservation },
];

/** Hits after a position, in order. No entity is a hit twice, not even on different pages. */
export function* substringHits(store: Store, { text, allows }: SearchQuery, after: HitPosition | undefined): Generator<Hit> {
  const candidates = new CandidateReader(store, text);
  try {
    for (const { tier, score, find } of SEARCHES) {
      if (after !== undefined && after[0] > tier) continue;
      const before = after?.[0] === tier ? after[1] : undefined;
      for (const { entity, id, observation } of find(store, text, before, candidates))
        if (allows(entity)) yield { entity, position: [tier, id], score, ...(observation !== undefined && { observation }) };
    }
  } finally {
    candidates.close();
  }
}

/** Equal but for case. */
function* findByExactName(store: Store, query: string, before: number | undefined): Generator<Match> {
  const sql = `${SELECT_ENTITY} WHERE e.key = ? AND e.ended IS NULL ORDER BY e.id DESC`;
  for (const entity of store.all<EntityRow>(sql, similarityKey(query)))
    if (fold(entity.name) === query && (before === undefined || entity.id < before)) yield { entity, id: entity.id };
}

function* findByName(store: Store, query: string, before: number | undefined, candidates: CandidateReader): Generator<Match> {
  for (const id of candidates.idsOf("name", before)) {
    const entity = findEntityById(store, id);
    if (entity === undefined) continue;
    const name = fold(entity.name);
    if (name !== query && name.includes(query)) yield { entity, id };
  }
}

function* findByType(store: Store, query: string, before: number | undefined, candidates: CandidateReader): Generator<Match> {
  const types: number[] = [];
  for (const id of candidates.idsOf("type")) {
    const name = store.get<{ name: string }>("SELECT name FROM type WHERE id = ?", id)?.name;
    if (name !== undefined && fold(name).includes(query)) types.push(id);
  }
  if (types.length === 0) return;
  const sql = `${SELECT_ENTITY} WHERE e.type IN (SELECT value FROM json_each(?)) AND e.id < ? AND e.ended IS NULL ORDER BY e.id DESC`;
  for (const entity of store.iterate<EntityRow>(sql, JSON.stringify(types), before ?? Number.MAX_SAFE_INTEGER))
    if (!fold(entity.name).includes(query)) yield { entity, id: entity.id };
}

function* findByObservation(store: Store, query: string, before: number | undefined, candidates: CandidateReader): Generator<Match> {
  const sql = "SELECT entity, text FROM observation WHERE id = ? AND ended IS NULL";
  for (const id of candidates.idsOf("observation", before)) {
    const row = store.get<{ entity: number; text: string }>(sql, id);
    if (row === undefined || !fold(row.text).includes(query)) continue;
    const entity = findEntityById(store, row.entity);
    if (entity === undefined || fold(entity.name).includes(query) || fold(entity.type).includes(query)) continue;
    if (!hasNewerMatch(store, row.entity, id, query)) yield { entity, id, observation: row.text };
  }
}

/** The newest matching observation decides the position of its entity. */
function hasNewerMatch(store: Store, entity: number, id: number, query: string): boolean {
  const sql = "SELECT text FROM observation WHERE entity = ? AND ended IS NULL AND id > ? ORDER BY id DESC";
  for (const { text } of store.iterate<{ text: string }>(sql, entity, id)) if (fold(text).includes(query)) return true;
  return false;
}
