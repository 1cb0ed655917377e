// The neighbourhood of entities: their relations, and the entities at the other ends.
import { takeWithin } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { findEntity, type EntityRow, type RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { bytesOfRelation } from "./json-size.ts";
import type { End, PastRelations } from "./past-relations.ts";

export type Direction = "both" | "out" | "in";

const SELECT = "SELECT id, source, target, type FROM relation";

const selectCurrent = (end: End): string => `${SELECT} WHERE ${end} = ? AND ended IS NULL`;
const CURRENT: Readonly<Record<End, string>> = { source: selectCurrent("source"), target: selectCurrent("target") };

/** Relations that start ("out") or end ("in") at a name, now or in the past. */
export function* relationsAt(store: Store, name: string, direction: Direction = "both", past?: PastRelations): Generator<RelationRow> {
  const select = (end: End): Generator<RelationRow> =>
    past === undefined ? store.iterate<RelationRow>(CURRENT[end], name) : past.relationsAt(end, name);
  if (direction !== "in") yield* select("source");
  if (direction !== "out") yield* select("target");
}

export const toRelation = ({ source, target, type }: RelationRow): Relation => ({ from: source, to: target, relationType: type });

export interface RelationOptions {
  /** Only these types; all where the list is empty. */
  readonly types?: readonly string[] | undefined;
  /** The relations of the past. Default: those of now. */
  readonly past?: PastRelations | undefined;
}

/** Relations of one entity that are read for one reply. */
const MAX_RELATIONS_PER_ENTITY = 20_000;

/** Relations with at least one end among the names, in the order of their creation, up to `maxBytes`. */
export function relationsWithin(
  store: Store,
  names: readonly string[],
  maxBytes: number,
  { types = [], past }: RelationOptions = {},
): { relations: Relation[]; omitted: number } {
  const found = new Map<number, Relation>();
  const wantedTypes = new Set(types);
  for (const name of names) {
    let left = MAX_RELATIONS_PER_ENTITY;
    for (const row of relationsAt(store, name, "both", past)) {
      if (wantedTypes.size === 0 || wantedTypes.has(row.type))
        found.set(row.id, past === undefined ? toRelation(row) : past.relationOf(row));
      if (--left === 0) break;
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b).map(([, relation]) => relation);
  const relations = takeWithin(sorted, maxBytes, bytesOfRelation);
  return { relations, omitted: sorted.length - relations.length };
}

const MAX_NEIGHBOURS = 1000;

/** Entities up to `depth` relations away, nearest first. `hasMore`: there are more than the limit. */
export function neighbours(
  store: Store,
  names: readonly string[],
  depth: number,
  { types = [], past }: RelationOptions = {},
): { rows: EntityRow[]; hasMore: boolean } {
  const wantedTypes = new Set(types);
  const seen = new Set(names);
  const rows: EntityRow[] = [];
  let frontier = [...names];
  for (let step = 0; step < depth && frontier.length > 0; step++) {
    const next: string[] = [];
    for (const name of frontier) {
      for (const { source, target, type } of relationsAt(store, name, "both", past)) {
        const other = source === name ? target : source;
        if (seen.has(other) || (wantedTypes.size > 0 && !wantedTypes.has(type))) continue;
        seen.add(other);
        next.push(other);
        const entity = findEntity(store, other, past?.seq);
        if (entity === undefined) continue;
        if (rows.length >= MAX_NEIGHBOURS) return { rows, hasMore: true };
        rows.push(entity);
      }
    }
    frontier = next;
  }
  return { rows, hasMore: false };
}
