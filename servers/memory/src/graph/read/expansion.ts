// Parts of the graph for the graph view: the neighbours of one entity, and the relations among entities that are shown already.
import { takeWithin } from "@oarlock/domain-kit";
import type { Relation } from "../model.ts";
import { toRelation, type RelationRow } from "../rows/relations.ts";
import type { Rows } from "../rows/rows.ts";
import { checkItemCount } from "../validation.ts";
import { bytesOfRelation } from "./json-size.ts";
import { relationsAt } from "./neighbourhood.ts";
import { pastOf, type Past } from "./past-relations.ts";
import { checkExists } from "./traversal.ts";

/** Relations that are read for one result. */
const MAX_VISITED = 200_000;
/** Relations on a page of neighbours, where the caller gives no limit. */
const DEFAULT_LIMIT = 100;

export type Neighbour = {
  name: string;
  /** Missing where no entity has the name. */
  entityType?: string;
};

export interface Expansion {
  nodes: Neighbour[];
  /** Those between the entity and `nodes`. */
  relations: Relation[];
  /** How many relations the entity has. */
  total: number;
  /** How many relations this page and earlier ones have shown; missing on the last page. */
  next?: number;
}

export interface ExpansionOptions {
  readonly entityName: string;
  /** A time: the graph as it was then. Default: now. */
  readonly asOf?: string | undefined;
  /** How many relations earlier pages have shown. */
  readonly skip?: number | undefined;
  /** Most relations. */
  readonly limit?: number | undefined;
  readonly maxBytes: number;
}

/** One page of the relations of an entity, with the entities at their other ends. */
export function expand(rows: Rows, { entityName, asOf, skip = 0, limit = DEFAULT_LIMIT, maxBytes }: ExpansionOptions): Expansion {
  return rows.read(() => {
    const past = pastOf(rows, asOf);
    const present = past?.names.find(entityName)?.name ?? entityName;
    const all = [...relationsById(relationsAt(rows, present, "both", past?.relations)).values()].sort(byAge);
    if (all.length === 0 && past === undefined) checkExists(rows, entityName);
    const wanted = all.slice(skip, skip + limit);
    const fitting = takeWithin(wanted, maxBytes, (row) => bytesOfRelation(toRelation(row)));
    const visible = fitting.length > 0 ? fitting : wanted.slice(0, 1); // an empty page would be followed by the same page
    const others = new Set(visible.map(({ source, target }) => (source === present ? target : source)));
    others.delete(present);
    rows.prepare({ names: others, asOf: past?.seq });
    const nodes = [...others].map((name): Neighbour => {
      const entity = rows.entities.named(name, past?.seq);
      if (entity === undefined) return { name };
      return { name: past?.names.nameOf(entity) ?? name, entityType: entity.type };
    });
    const next = skip + visible.length;
    return { nodes, relations: visible.map((row) => relationOf(row, past)), total: all.length, ...(next < all.length && { next }) };
  });
}

export interface AmongOptions {
  readonly names: readonly string[];
  /** A time: the graph as it was then. Default: now. */
  readonly asOf?: string | undefined;
  readonly maxBytes: number;
}

/** The relations with both ends among the names, as far as they fit. Yields the number of relations that were found so far. */
export function* relationsAmong(
  rows: Rows,
  { names, asOf, maxBytes }: AmongOptions,
): Generator<number, { relations: Relation[]; truncated: boolean }> {
  checkItemCount(names.length);
  const past = pastOf(rows, asOf);
  const present = new Set(names.map((name) => past?.names.find(name)?.name ?? name));
  const found: RelationRow[] = [];
  let visited = 0;
  if (past !== undefined) rows.prepare({ relationsAt: present }); // some of them held then
  for (const name of rows.inBatches(present, (batch) => ({ relationsAt: batch, asOf: past?.seq }))) {
    for (const row of relationsAt(rows, name, "out", past?.relations)) {
      if (present.has(row.target)) found.push(row);
      if (++visited === MAX_VISITED) break;
    }
    if (visited >= MAX_VISITED) break;
    yield found.length;
  }
  const all = found.sort(byAge).map((row) => relationOf(row, past));
  const relations = takeWithin(all, maxBytes, bytesOfRelation);
  return { relations, truncated: visited >= MAX_VISITED || relations.length < all.length };
}

const relationOf = (row: RelationRow, past: Past | undefined): Relation => past?.relations.relationOf(row) ?? toRelation(row);

const byAge = (a: RelationRow, b: RelationRow): number => a.id - b.id;

/** A relation of an entity with itself is among those that start and those that end there. */
function relationsById(rows: Iterable<RelationRow>): Map<number, RelationRow> {
  const found = new Map<number, RelationRow>();
  for (const row of rows) {
    found.set(row.id, row);
    if (found.size === MAX_VISITED) break;
  }
  return found;
}
