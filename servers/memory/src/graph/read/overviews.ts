// Overviews for readers without a query: the newest entities, all entities of a type, all relations of a type.
import { takeWithin } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { findEntityById, SELECT_ENTITY, type EntityRow, type RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { bytesOfRelation } from "./json-size.ts";
import { relationsWithin, toRelation } from "./neighbourhood.ts";
import { PageBuilder, type ShownEntity } from "./page-builder.ts";

export interface Overview {
  entities: ShownEntity[];
  relations: Relation[];
  /** There is more than fits. */
  truncated?: true;
}

/** Shares of the page that entities and relations may take; relations also get what entities have left. */
const ENTITY_SHARE = 0.75;
const RELATION_SHARE = 0.2;
const RECENT_ENTITIES = 25;
/** Observations that are looked at for recent entities. */
const RECENT_OBSERVATIONS = 500;
const MAX_RELATIONS = 10_000;

/** Entities that are new or have new observations, newest first, in short. */
export function recentEntities(store: Store, maxBytes: number): Overview {
  return store.read(() => {
    const newest = new Map<number, number>();
    const add = (entity: number, seq: number): void => void newest.set(entity, Math.max(newest.get(entity) ?? 0, seq));
    const entities = "SELECT id, created FROM entity WHERE ended IS NULL ORDER BY id DESC LIMIT ?";
    for (const { id, created } of store.all<{ id: number; created: number }>(entities, RECENT_ENTITIES)) add(id, created);
    const observations = "SELECT entity, created FROM observation WHERE ended IS NULL ORDER BY id DESC LIMIT ?";
    for (const { entity, created } of store.all<{ entity: number; created: number }>(observations, RECENT_OBSERVATIONS))
      add(entity, created);
    const rows = [...newest]
      .sort(([a, seqA], [b, seqB]) => seqB - seqA || b - a)
      .slice(0, RECENT_ENTITIES)
      .flatMap(([id]) => findEntityById(store, id) ?? []);
    return overviewOf(store, rows, maxBytes, "summary");
  });
}

/** Undefined where no entity has the type. */
export function entitiesOfType(store: Store, type: string, maxBytes: number): Overview | undefined {
  return store.read(() => {
    const id = store.get<{ id: number }>("SELECT id FROM type WHERE name = ?", type)?.id;
    if (id === undefined) return undefined;
    const rows = store.iterate<EntityRow>(`${SELECT_ENTITY} WHERE e.type = ? AND e.ended IS NULL ORDER BY e.id`, id);
    const overview = overviewOf(store, rows, maxBytes, "full");
    return overview.entities.length === 0 ? undefined : overview;
  });
}

function overviewOf(store: Store, rows: Iterable<EntityRow>, maxBytes: number, detail: "full" | "summary"): Overview {
  const page = new PageBuilder(store, maxBytes * ENTITY_SHARE, { detail });
  let isFull = false;
  for (const row of rows) {
    isFull = !page.add(row).isComplete;
    if (isFull) break;
  }
  const names = page.entities.map(({ name }) => name);
  const { relations, omitted } = relationsWithin(store, names, maxBytes * RELATION_SHARE + page.bytesLeft);
  return { entities: page.entities, relations, ...((isFull || omitted > 0) && { truncated: true }) };
}

/** Undefined where no relation has the type. */
export function relationsOfType(store: Store, type: string, maxBytes: number): Overview | undefined {
  const select = `SELECT id, source, target, type FROM relation WHERE type = ? AND ended IS NULL ORDER BY id LIMIT ${MAX_RELATIONS}`;
  const all = store.all<RelationRow>(select, type).map(toRelation);
  if (all.length === 0) return undefined;
  const relations = takeWithin(all, maxBytes, bytesOfRelation);
  return { entities: [], relations, ...(relations.length < all.length && { truncated: true }) };
}
