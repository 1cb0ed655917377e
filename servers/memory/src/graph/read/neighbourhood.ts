// What is around entities: the relations at either end, and the entities behind them.
import type { Relation } from "../model.ts";
import { entityNamed, type EntityRow, type RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { thoseThatFit, weighRelation } from "./json-size.ts";

const COLUMNS = "id, source, target, type";
const NOW_OUT = `SELECT ${COLUMNS} FROM relation WHERE source = ? AND ended IS NULL`;
const NOW_IN = `SELECT ${COLUMNS} FROM relation WHERE target = ? AND ended IS NULL`;
const thenAt = (side: "source" | "target"): string =>
  `SELECT ${COLUMNS} FROM relation WHERE ${side} = ?1 AND ended IS NULL AND created <= ?2
   UNION ALL SELECT ${COLUMNS} FROM relation WHERE ${side} = ?1 AND ended > ?2 AND created <= ?2`;
const THEN = { source: thenAt("source"), target: thenAt("target") };

export type Direction = "both" | "out" | "in";

/** Relations that begin or end at a name, now or as of a call. */
export function* relationsAtName(store: Store, name: string, direction: Direction = "both", at?: number): Generator<RelationRow> {
  if (direction !== "in") yield* at === undefined ? store.each<RelationRow>(NOW_OUT, name) : store.each<RelationRow>(THEN.source, name, at);
  if (direction !== "out") yield* at === undefined ? store.each<RelationRow>(NOW_IN, name) : store.each<RelationRow>(THEN.target, name, at);
}

export interface RelationOptions {
  readonly room: number;
  readonly types?: readonly string[] | undefined;
  readonly at?: number | undefined;
}

/** The most relations of one entity that are looked at for one reply. */
const MOST = 20_000;

/** Relations with at least one of the names at an end, in the order in which they came, as many as there is room for. */
export function relationsOf(
  store: Store,
  names: readonly string[],
  { room, types = [], at }: RelationOptions,
): { relations: Relation[]; omitted: number } {
  const found = new Map<number, Relation>();
  const wanted = new Set(types);
  for (const name of names) {
    let left = MOST;
    for (const { id, source, target, type } of relationsAtName(store, name, "both", at)) {
      if (wanted.size === 0 || wanted.has(type)) found.set(id, { from: source, to: target, relationType: type });
      if (--left === 0) break;
    }
  }
  const sorted = [...found].sort(([a], [b]) => a - b).map(([, relation]) => relation);
  const relations = thoseThatFit(sorted, room, weighRelation);
  return { relations, omitted: sorted.length - relations.length };
}

const MOST_NEIGHBOURS = 1000;

export interface NeighbourOptions {
  readonly types?: readonly string[] | undefined;
  /** The call that the past is shown of; now, where it is left out. */
  readonly at?: number | undefined;
}

/** Entities that are up to `depth` relations away, nearest first; `more`: there are some beyond those. */
export function neighbours(
  store: Store,
  names: readonly string[],
  depth: number,
  { types = [], at }: NeighbourOptions = {},
): { rows: EntityRow[]; more: boolean } {
  const wanted = new Set(types);
  const seen = new Set(names);
  const rows: EntityRow[] = [];
  let edge = [...names];
  for (let step = 0; step < depth && edge.length > 0; step++) {
    const next: string[] = [];
    for (const name of edge) {
      for (const { source, target, type } of relationsAtName(store, name, "both", at)) {
        const other = source === name ? target : source;
        if (seen.has(other) || (wanted.size > 0 && !wanted.has(type))) continue;
        seen.add(other);
        next.push(other);
        const entity = entityNamed(store, other, at);
        if (entity === undefined) continue;
        if (rows.length >= MOST_NEIGHBOURS) return { rows, more: true };
        rows.push(entity);
      }
    }
    edge = next;
  }
  return { rows, more: false };
}
