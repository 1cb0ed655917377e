// The neighbourhood of entities: their relations, and the entities at the other ends.
import { takeWithin } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import type { EntityRow } from "../rows/entities.ts";
import { toRelation, type RelationRow } from "../rows/relations.ts";
import type { Rows } from "../rows/rows.ts";
import { bytesOfRelation } from "./json-size.ts";
import type { PastRelations } from "./past-relations.ts";

export type Direction = "both" | "out" | "in";

/** Relations that start ("out") or end ("in") at a name, now or in the past. */
export function* relationsAt(rows: Rows, name: string, direction: Direction = "both", past?: PastRelations): Generator<RelationRow> {
  const relations = past ?? rows.relations;
  if (direction !== "in") yield* relations.at("source", name);
  if (direction !== "out") yield* relations.at("target", name);
}

/** Relations as of a call also need those of now: some of them held then. */
function prepareRelations(rows: Rows, names: readonly string[], past: PastRelations | undefined): void {
  rows.prepare({ relationsAt: names });
  if (past !== undefined) rows.prepare({ relationsAt: names, asOf: past.seq });
}

export interface RelationOptions {
  /** Only relations of such types (relation-types.ts). */
  readonly isWanted?: (type: string) => boolean;
  /** The relations of the past. Default: those of now. */
  readonly past?: PastRelations | undefined;
  readonly bytesOf?: (relation: Relation) => number;
}

/** Relations of one entity that are read for one reply. */
const MAX_RELATIONS_PER_ENTITY = 20_000;

/** Relations with at least one end among the names, in the order of their creation, up to `maxBytes`. */
export function relationsWithin(
  rows: Rows,
  names: readonly string[],
  maxBytes: number,
  { isWanted = () => true, past, bytesOf = bytesOfRelation }: RelationOptions = {},
): { relations: Relation[]; omitted: number } {
  prepareRelations(rows, names, past);
  const found = new Map<number, Relation>();
  for (const name of names) {
    let left = MAX_RELATIONS_PER_ENTITY;
    for (const row of relationsAt(rows, name, "both", past)) {
      if (isWanted(row.type)) found.set(row.id, past === undefined ? toRelation(row) : past.relationOf(row));
      if (--left === 0) break;
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b).map(([, relation]) => relation);
  const relations = takeWithin(sorted, maxBytes, bytesOf);
  return { relations, omitted: sorted.length - relations.length };
}

const MAX_NEIGHBOURS = 1000;

/** Entities up to `depth` relations away, nearest first. `hasMore`: there are more than the limit. */
export function neighbours(
  rows: Rows,
  names: readonly string[],
  depth: number,
  { isWanted = () => true, past }: RelationOptions = {},
): { entities: EntityRow[]; hasMore: boolean } {
  const seen = new Set(names);
  const entities: EntityRow[] = [];
  let frontier = [...names];
  for (let step = 0; step < depth && frontier.length > 0; step++) {
    const next: string[] = [];
    prepareRelations(rows, frontier, past);
    for (const name of frontier) {
      for (const { source, target, type } of relationsAt(rows, name, "both", past)) {
        const other = source === name ? target : source;
        if (seen.has(other) || !isWanted(type)) continue;
        seen.add(other);
        next.push(other);
        const entity = rows.entities.named(other, past?.seq);
        if (entity === undefined) continue;
        if (entities.length >= MAX_NEIGHBOURS) return { entities, hasMore: true };
        entities.push(entity);
      }
    }
    frontier = next;
  }
  return { entities, hasMore: false };
}
