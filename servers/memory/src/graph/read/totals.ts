// Counts of current entities and relations.
import type { Store } from "../store/store.ts";

export type Totals = { entities: number; relations: number };

/** The last counts of each store. Counting reads a whole index, which each page of the graph would pay for again. */
const cache = new WeakMap<Store, Totals & { readonly stamp: string }>();

export function totals(store: Store): Totals {
  const stamp = store.changeStamp();
  let counts = cache.get(store);
  if (counts?.stamp !== stamp) {
    counts = {
      stamp,
      entities: countOf(store, "SELECT count(*) AS count FROM entity INDEXED BY entity_name WHERE ended IS NULL"),
      relations: countOf(store, "SELECT count(*) AS count FROM relation INDEXED BY relation_ends WHERE ended IS NULL"),
    };
    cache.set(store, counts);
  }
  return { entities: counts.entities, relations: counts.relations };
}

const countOf = (store: Store, sql: string): number => store.get<{ count: number }>(sql)?.count ?? 0;
