// Overviews for readers without a query: the newest entities, all entities of a type, all relations of a type.
import { toRelation } from "../rows/relations.ts";
import { takeWithin } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";
import { bytesOfRelation } from "./json-size.ts";
import { relationsWithin } from "./neighbourhood.ts";
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
export function recentEntities(rows: Rows, maxBytes: number): Overview {
  return rows.read(() => {
    const newest = new Map<number, number>();
    const add = (entity: number, seq: number): void => void newest.set(entity, Math.max(newest.get(entity) ?? 0, seq));
    for (const { id, created } of rows.entities.newest(RECENT_ENTITIES)) add(id, created);
    for (const { entity, created } of rows.observations.newest(RECENT_OBSERVATIONS)) add(entity, created);
    const ids = [...newest]
      .sort(([a, seqA], [b, seqB]) => seqB - seqA || b - a)
      .slice(0, RECENT_ENTITIES)
      .map(([id]) => id);
    rows.prepare({ ids, observationsOf: ids });
    const entities = ids.flatMap((id) => rows.entities.byId(id) ?? []);
    return overviewOf(rows, entities, maxBytes, "summary");
  });
}

/** Undefined where no entity has the type. */
export function entitiesOfType(rows: Rows, type: string, maxBytes: number): Overview | undefined {
  return rows.read(() => {
    const overview = overviewOf(rows, rows.entities.ofType(type), maxBytes, "full");
    return overview.entities.length === 0 ? undefined : overview;
  });
}

function overviewOf(rows: Rows, entities: Iterable<EntityRow>, maxBytes: number, detail: "full" | "summary"): Overview {
  const page = new PageBuilder(rows, maxBytes * ENTITY_SHARE, { detail });
  let isFull = false;
  for (const entity of rows.inBatches(entities, (batch) => ({ observationsOf: batch.map(({ id }) => id) }))) {
    isFull = !page.add(entity).isComplete;
    if (isFull) break;
  }
  const names = page.entities.map(({ name }) => name);
  const { relations, omitted } = relationsWithin(rows, names, maxBytes * RELATION_SHARE + page.bytesLeft);
  return { entities: page.entities, relations, ...((isFull || omitted > 0) && { truncated: true }) };
}

/** Undefined where no relation has the type. */
export function relationsOfType(rows: Rows, type: string, maxBytes: number): Overview | undefined {
  const all = rows.relations.ofType(type, MAX_RELATIONS).map(toRelation);
  if (all.length === 0) return undefined;
  const relations = takeWithin(all, maxBytes, bytesOfRelation);
  return { entities: [], relations, ...(relations.length < all.length && { truncated: true }) };
}
