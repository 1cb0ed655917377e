// Walks along relations from an entity, nearest first, in pieces; with `to`, the shortest ways there.
import { relationsAtName, type Direction } from "./neighbourhood.ts";
import { clip, GraphError } from "../errors.ts";
import type { Relation } from "../model.ts";
import { didYouMean } from "./open-nodes.ts";
import { entityNamed } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { weighRelation } from "./json-size.ts";

export const DIRECTIONS = ["both", "out", "in"] as const;
export const MAX_DEPTH = 10;
export const TRAVERSE_LIMIT = 200;

export interface TraverseOptions {
  readonly start: string;
  readonly direction: Direction;
  readonly relationTypes?: readonly string[] | undefined;
  readonly depth: number;
  readonly limit?: number | undefined;
  readonly to?: string | undefined;
  readonly room: number;
}

export type Node = {
  name: string;
  /** Missing where a relation names what is no entity. */
  entityType?: string;
  depth: number;
};

export interface Traversed {
  nodes: Node[];
  edges: Relation[];
  /** The shortest way to `to`, as names. */
  path?: string[];
  truncated: boolean;
}

/** Looked at on the way to `to`, before it is given up. */
const MOST_VISITED = 200_000;
const NODE_BYTES = 130;

export function* traverse(store: Store, options: TraverseOptions): Generator<number, Traversed> {
  const { start, direction, relationTypes = [], depth, limit = TRAVERSE_LIMIT, to } = options;
  const first = entityNamed(store, start);
  if (first === undefined) throw unknown(store, start);
  if (to !== undefined && entityNamed(store, to) === undefined) throw unknown(store, to);
  const wanted = new Set(relationTypes);
  const seen = new Map<string, { depth: number; from?: string }>([[start, { depth: 0 }]]);
  const edges = new Map<number, Relation>();
  let truncated = false;
  let room = options.room;
  let visited = 0;
  // A Map is walked on while it grows: nearest first.
  for (const [name, { depth: here }] of seen) {
    if (here === depth || (to !== undefined && seen.has(to))) break;
    for (const { id, source, target, type } of relationsAtName(store, name, direction)) {
      if (++visited > MOST_VISITED) truncated = true;
      if (truncated && to === undefined) break;
      if (visited > MOST_VISITED) break;
      if (wanted.size > 0 && !wanted.has(type)) continue;
      const other = source === name ? target : source;
      const relation = { from: source, to: target, relationType: type };
      const isNew = !seen.has(other);
      if (to === undefined) {
        const weight = (edges.has(id) ? 0 : weighRelation(relation)) + (isNew ? NODE_BYTES + 3 * other.length : 0);
        if ((isNew && seen.size >= limit) || weight > room) {
          truncated = true;
          continue;
        }
        room -= weight;
        edges.set(id, relation);
      }
      if (isNew) seen.set(other, { depth: here + 1, from: name });
    }
    yield seen.size;
    if (visited > MOST_VISITED) break;
  }
  if (to !== undefined) return wayTo(store, to, seen, { wanted, direction, truncated });
  return { nodes: [...seen].map(([name, { depth }]) => nodeOf(store, name, depth)), edges: [...edges.values()], truncated };
}

interface Way {
  wanted: ReadonlySet<string>;
  direction: Direction;
  truncated: boolean;
}

function wayTo(
  store: Store,
  to: string,
  seen: ReadonlyMap<string, { depth: number; from?: string }>,
  { wanted, direction, truncated }: Way,
): Traversed {
  const path: string[] = [];
  for (let at: string | undefined = seen.has(to) ? to : undefined; at !== undefined; at = seen.get(at)?.from) path.unshift(at);
  const edges = path.flatMap((name, at): Relation[] => {
    const next = path[at + 1];
    if (next === undefined) return [];
    const all = [...relationsAtName(store, name, direction)].filter(({ type }) => wanted.size === 0 || wanted.has(type));
    const row = all.find(({ source, target }) => (source === name ? target : source) === next);
    return row === undefined ? [] : [{ from: row.source, to: row.target, relationType: row.type }];
  });
  return { nodes: path.map((name, depth) => nodeOf(store, name, depth)), edges, path, truncated: truncated && path.length === 0 };
}

function nodeOf(store: Store, name: string, depth: number): Node {
  const type = entityNamed(store, name)?.type;
  return { name, ...(type !== undefined && { entityType: type }), depth };
}

function unknown(store: Store, name: string): GraphError {
  const remedy = didYouMean(store, name) ?? "search_nodes finds what there is.";
  return new GraphError("not-found", `Entity with name ${clip(name)} not found. ${remedy}`);
}
