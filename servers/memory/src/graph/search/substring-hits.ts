// The hits that the reference server has too: names, types and observations that hold the whole query as it stands. In order: the
// very name, names, types, observations, each newest first. They are read as they are needed, so a page costs what it shows.
import { entitiesLike, idsWith } from "./candidates.ts";
import { fold } from "../text-index/normalization.ts";
import { ENTITY, entityOf, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

export interface Hit {
  readonly entity: EntityRow;
  /** Where it stands in the order. */
  readonly place: Place;
  /** From 0 to 1, higher is nearer. */
  readonly score: number;
  /** The observation that fits, where neither name nor type do. */
  readonly observation?: string;
}

/** A step of the order, and the id of what fits; or a rank, and the id of the entity. */
export type Place = readonly [tier: number, place: number, id?: number];

/** The steps in which hits come. */
export const TIERS = { exact: 0, name: 1, type: 2, observation: 3, words: 4 } as const;
const SCORES: readonly number[] = [1, 0.9, 0.8, 0.7];

export interface Wanted {
  /** Folded. */
  readonly query: string;
  /** Whether an entity is let in at all. */
  allows(entity: EntityRow): boolean;
}

/** Hits behind a place, in order; no entity comes twice, also not on different pages. */
export function* literalHits(store: Store, wanted: Wanted, after: Place | undefined): Generator<Hit> {
  for (const [tier, walk] of WALKS.entries()) {
    if (after !== undefined && after[0] > tier) continue;
    const from = after?.[0] === tier ? after[1] : undefined;
    for (const { entity, id, observation } of walk(store, wanted.query, from)) {
      if (wanted.allows(entity))
        yield { entity, place: [tier, id], score: SCORES[tier] ?? 0, ...(observation !== undefined && { observation }) };
    }
  }
}

interface Found {
  entity: EntityRow;
  id: number;
  observation?: string;
}

type Walk = (store: Store, query: string, from: number | undefined) => Generator<Found>;

const WALKS: readonly Walk[] = [exactly, names, types, observations];

/** The very name, but for case. */
function* exactly(store: Store, query: string, from: number | undefined): Generator<Found> {
  for (const entity of entitiesLike(store, query)) {
    if (fold(entity.name) === query && (from === undefined || entity.id < from)) yield { entity, id: entity.id };
  }
}

function* names(store: Store, query: string, from: number | undefined): Generator<Found> {
  for (const id of idsWith(store, "name", query, from)) {
    const entity = entityOf(store, id);
    if (entity === undefined) continue;
    const name = fold(entity.name);
    if (name !== query && name.includes(query)) yield { entity, id };
  }
}

function* types(store: Store, query: string, from: number | undefined): Generator<Found> {
  const ids: number[] = [];
  for (const id of idsWith(store, "type", query)) {
    const name = store.get<{ name: string }>("SELECT name FROM type WHERE id = ?", id)?.name;
    if (name !== undefined && fold(name).includes(query)) ids.push(id);
  }
  if (ids.length === 0) return;
  const sql = `${ENTITY} WHERE e.type IN (SELECT value FROM json_each(?)) AND e.id < ? AND e.ended IS NULL ORDER BY e.id DESC`;
  for (const entity of store.each<EntityRow>(sql, JSON.stringify(ids), from ?? Number.MAX_SAFE_INTEGER)) {
    if (!fold(entity.name).includes(query)) yield { entity, id: entity.id };
  }
}

function* observations(store: Store, query: string, from: number | undefined): Generator<Found> {
  for (const id of idsWith(store, "observation", query, from)) {
    const row = store.get<{ entity: number; text: string }>("SELECT entity, text FROM observation WHERE id = ? AND ended IS NULL", id);
    if (row === undefined || !fold(row.text).includes(query)) continue;
    const entity = entityOf(store, row.entity);
    if (entity === undefined || fold(entity.name).includes(query) || fold(entity.type).includes(query)) continue;
    if (!hasNewer(store, row.entity, id, query)) yield { entity, id, observation: row.text };
  }
}

/** An entity stands where its newest observation that fits has put it. */
function hasNewer(store: Store, entity: number, id: number, query: string): boolean {
  const sql = "SELECT text FROM observation WHERE entity = ? AND ended IS NULL AND id > ? ORDER BY id DESC";
  for (const { text } of store.each<{ text: string }>(sql, entity, id)) if (fold(text).includes(query)) return true;
  return false;
}
