// Follows relations from an entity, nearest first, or finds the shortest path to another entity.
import { toRelation } from "../rows/relations.ts";
import { clip } from "@oarlock/domain-kit";
import { GraphError } from "../errors.ts";
import type { Relation } from "../model.ts";
import type { Rows } from "../rows/rows.ts";
import { bytesOfRelation } from "./json-size.ts";
import { relationsAt, type Direction } from "./neighbourhood.ts";
import { typeFilter, typesAt } from "./relation-types.ts";
import { didYouMean } from "./suggestions.ts";

export const DIRECTIONS = ["both", "out", "in"] as const;
export const MAX_DEPTH = 10;
export const DEFAULT_TRAVERSAL_LIMIT = 200;

/** Relations that are followed in one call. */
const MAX_VISITED = 200_000;
/** Bytes of a node besides its name. */
const NODE_BYTES = 130;

export interface TraversalOptions {
  readonly start: string;
  readonly direction: Direction;
  readonly relationTypes?: readonly string[] | undefined;
  readonly depth: number;
  /** Most nodes. */
  readonly limit?: number | undefined;
  /** Find the shortest path to this entity, instead of everything near. */
  readonly to?: string | undefined;
  readonly maxBytes: number;
}

export type Node = {
  name: string;
  /** Missing where no entity has the name. */
  entityType?: string;
  depth: number;
};

export interface Traversal {
  nodes: Node[];
  edges: Relation[];
  /** The names on the shortest path; empty where there is none. Only with `to`. */
  path?: string[];
  /** The types of the relations at the start, where none is of the requested ones. */
  typesHere?: string[];
  truncated: boolean;
}

/** How a name was reached. */
interface Visit {
  readonly depth: number;
  readonly from?: string;
}

/** Yields the number of names that were found so far. */
export function* traverse(rows: Rows, options: TraversalOptions): Generator<number, Traversal> {
  const { start, to } = options;
  for (const name of to === undefined ? [start] : [start, to]) checkExists(rows, name);
  return to === undefined ? yield* nearby(rows, options) : yield* shortestPath(rows, options, to);
}

function* nearby(rows: Rows, options: TraversalOptions): Generator<number, Traversal> {
  const { start, depth, limit = DEFAULT_TRAVERSAL_LIMIT } = options;
  const visits = new Map<string, Visit>([[start, { depth: 0 }]]);
  const edges = new Map<number, Relation>();
  let truncated = false;
  let bytesLeft = options.maxBytes;
  let visited = 0;
  // A Map can grow while it is iterated, and keeps the order of insertion: this is a breadth-first search.
  for (const [name, visit] of inLevels(rows, visits)) {
    if (visit.depth === depth || truncated) break;
    for (const { id, other, relation } of step(rows, name, options)) {
      truncated = ++visited > MAX_VISITED;
      if (truncated) break;
      if (relation === undefined) continue;
      const isNew = !visits.has(other);
      const bytes = (edges.has(id) ? 0 : bytesOfRelation(relation)) + (isNew ? NODE_BYTES + 3 * other.length : 0);
      truncated = (isNew && visits.size >= limit) || bytes > bytesLeft;
      if (truncated) break;
      bytesLeft -= bytes;
      edges.set(id, relation);
      if (isNew) visits.set(other, { depth: visit.depth + 1 });
    }
    yield visits.size;
  }
  const typesHere = edges.size > 0 || (options.relationTypes ?? []).length === 0 ? undefined : typesAt(rows, [start], options);
  rows.prepare({ names: visits.keys() });
  return {
    nodes: [...visits].map(([name, { depth }]) => nodeOf(rows, name, depth)),
    edges: [...edges.values()],
    ...(typesHere && { typesHere }),
    truncated,
  };
}

function* shortestPath(rows: Rows, options: TraversalOptions, to: string): Generator<number, Traversal> {
  const visits = new Map<string, Visit>([[options.start, { depth: 0 }]]);
  let visited = 0;
  for (const [name, { depth }] of inLevels(rows, visits)) {
    if (depth === options.depth || visited > MAX_VISITED || visits.has(to)) break;
    for (const { other, relation } of step(rows, name, options)) {
      if (++visited > MAX_VISITED) break;
      if (relation !== undefined && !visits.has(other)) visits.set(other, { depth: depth + 1, from: name });
    }
    yield visits.size;
  }
  const path: string[] = [];
  for (let name = visits.has(to) ? to : undefined; name !== undefined; name = visits.get(name)?.from) path.unshift(name);
  const edges = path.flatMap((name, index): Relation[] => {
    for (const { other, relation } of step(rows, name, options)) if (other === path[index + 1] && relation !== undefined) return [relation];
    return [];
  });
  rows.prepare({ names: path });
  const truncated = visited > MAX_VISITED && path.length === 0;
  return { nodes: path.map((name, depth) => nodeOf(rows, name, depth)), edges, path, truncated };
}

/** The visits with those that are added in the meantime: a Map can grow while it is iterated. Relations are prepared level by level. */
function* inLevels(rows: Rows, visits: ReadonlyMap<string, Visit>): Generator<[name: string, visit: Visit]> {
  let level = -1;
  for (const [name, visit] of visits) {
    if (visit.depth > level) {
      level = visit.depth;
      rows.prepare({ relationsAt: visits.keys() });
    }
    yield [name, visit];
  }
}

/** The relations at a name with their other end. `relation` is undefined where its type is not wanted. */
function* step(
  rows: Rows,
  name: string,
  { direction, relationTypes }: TraversalOptions,
): Generator<{ id: number; other: string; relation: Relation | undefined }> {
  const isWanted = typeFilter(relationTypes);
  for (const row of relationsAt(rows, name, direction)) {
    const other = row.source === name ? row.target : row.source;
    yield { id: row.id, other, relation: isWanted(row.type) ? toRelation(row) : undefined };
  }
}

function nodeOf(rows: Rows, name: string, depth: number): Node {
  const entityType = rows.entities.named(name)?.type;
  return { name, ...(entityType !== undefined && { entityType }), depth };
}

/** Throws a GraphError that suggests similar names. */
export function checkExists(rows: Rows, name: string): void {
  if (rows.entities.named(name) !== undefined) return;
  const remedy = didYouMean(rows, name) ?? "Use search_nodes to find entities.";
  throw new GraphError("not-found", `Entity with name ${clip(name)} not found. ${remedy}`);
}
