// The whole graph in pages: entities in the order in which they came, then relations.
import { openCursor, sealCursor } from "./cursors.ts";
import type { Relation } from "../model.ts";
import { entitiesAfter, entitiesWithTextsAfter, relationsAfter } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { Filling, type Detail, type ShownEntity } from "./page-builder.ts";
import { weighRelation } from "./json-size.ts";

export type Totals = { entities: number; relations: number };

export interface GraphPage {
  entities: ShownEntity[];
  relations: Relation[];
  total: Totals;
  truncated: boolean;
  nextCursor?: string;
}

export interface ReadOptions {
  readonly detail: Detail;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  /** What the page may weigh in the reply. */
  readonly room: number;
}

interface Counted extends Totals {
  readonly stamp: string;
}

/** Counting looks at everything: whoever reads page after page would pay for the whole graph with each. */
const counted = new WeakMap<Store, Counted>();

export function totals(store: Store): Totals {
  const stamp = store.stamp();
  let known = counted.get(store);
  if (known?.stamp !== stamp) {
    known = {
      stamp,
      entities: countOf(store, "SELECT count(*) AS count FROM entity INDEXED BY entity_name WHERE ended IS NULL"),
      relations: countOf(store, "SELECT count(*) AS count FROM relation INDEXED BY relation_ends WHERE ended IS NULL"),
    };
    counted.set(store, known);
  }
  return { entities: known.entities, relations: known.relations };
}

const countOf = (store: Store, sql: string): number => store.get<{ count: number }>(sql)?.count ?? 0;

/** Where a page begins: behind a relation, or behind an entity; of the divided entity `skip` observations were told. */
type At = readonly [kind: "e" | "r", after: number, divided: number, skip: number];

export function readGraph(store: Store, { detail, limit = Number.POSITIVE_INFINITY, cursor, room }: ReadOptions): GraphPage {
  const question = ["read_graph", detail];
  return store.read(() => {
    const start: At = cursor === undefined ? ["e", 0, 0, 0] : (openCursor(store, question, cursor) as At); // sealed by us
    const { page, next } = pageFrom(store, start, { detail, limit, room });
    return next === undefined ? page : { ...page, truncated: true, nextCursor: sealCursor(store, question, next) };
  });
}

interface Bounds {
  detail: Detail;
  limit: number;
  room: number;
}

function pageFrom(
  store: Store,
  [kind, after, divided, skip]: At,
  { detail, limit, room }: Bounds,
): { page: GraphPage; next: At | undefined } {
  const filling = new Filling(store, room, { detail });
  const page: GraphPage = { entities: filling.entities, relations: [], total: totals(store), truncated: false };
  if (kind === "r") return { page, next: addRelations(store, page, after, { limit, room }) };
  let last = after;
  for (const row of detail === "names" ? entitiesAfter(store, after) : entitiesWithTextsAfter(store, after)) {
    if (filling.entities.length >= limit) return { page, next: ["e", last, 0, 0] };
    const added = filling.add(row, row.id === divided ? skip : 0);
    if (!added.done) return { page, next: ["e", last, row.id, added.skip] };
    last = row.id;
  }
  // By name alone there are no relations: they are what makes a graph heavy.
  if (detail === "names") return { page, next: undefined };
  return { page, next: addRelations(store, page, 0, { limit: limit - page.entities.length, room: filling.room }) };
}

function addRelations(store: Store, page: GraphPage, after: number, { limit, room }: { limit: number; room: number }): At | undefined {
  let last = after;
  for (const { id, source, target, type } of relationsAfter(store, after)) {
    const relation: Relation = { from: source, to: target, relationType: type };
    const weight = weighRelation(relation);
    const isFirst = page.relations.length === 0 && page.entities.length === 0;
    if (!isFirst && (page.relations.length >= limit || weight > room)) return ["r", last, 0, 0];
    room -= weight;
    page.relations.push(relation);
    last = id;
  }
  return undefined;
}
