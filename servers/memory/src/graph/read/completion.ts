// Completion of names and types for what a user has typed so far.
import { findEntityById } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { candidateIds } from "../text-index/candidates.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";

/** One more than the protocol allows in a reply, so that the reply can say that there are more. */
const MAX_NAMES = 101;
const MAX_CANDIDATES = 1000;
const MAX_TYPES = 5000;

/** Names of entities that start with the text, then those that contain it; the newest names where nothing is typed. */
export function completeName(store: Store, typed: string): string[] {
  return store.read(() => {
    if (typed === "") return newestNames(store, MAX_NAMES);
    const found = new Set<string>();
    const key = similarityKey(typed);
    const select = "SELECT name FROM entity WHERE key >= ? AND key < ? AND ended IS NULL ORDER BY key LIMIT ?";
    for (const { name } of store.all<{ name: string }>(select, key, `${key}\u{10ffff}`, MAX_NAMES)) found.add(name);
    const folded = fold(typed);
    let checked = 0;
    for (const id of candidateIds(store, "name", folded)) {
      if (found.size >= MAX_NAMES || ++checked > MAX_CANDIDATES) break;
      const name = findEntityById(store, id)?.name;
      if (name !== undefined && fold(name).includes(folded)) found.add(name);
    }
    return [...found];
  });
}

/** Names of the entities that were created last, newest first. */
export const newestNames = (store: Store, most: number): string[] =>
  store.read(() =>
    store.all<{ name: string }>("SELECT name FROM entity WHERE ended IS NULL ORDER BY id DESC LIMIT ?", most).map(({ name }) => name),
  );

/** Types of entities, most frequent first. */
export const completeType = (store: Store, typed: string): string[] =>
  matching(
    store.all<{ name: string }>(
      `SELECT t.name AS name FROM entity e INDEXED BY entity_type JOIN type t ON t.id = e.type WHERE e.ended IS NULL
       GROUP BY e.type ORDER BY count(*) DESC, t.name LIMIT ${MAX_TYPES}`,
    ),
    typed,
  );

/** Types of relations, most frequent first. */
export const completeRelationType = (store: Store, typed: string): string[] =>
  matching(
    store.all<{ name: string }>(
      `SELECT type AS name FROM relation WHERE ended IS NULL GROUP BY type ORDER BY count(*) DESC, type LIMIT ${MAX_TYPES}`,
    ),
    typed,
  );

/** Those that start with the text, then those that contain it. */
function matching(rows: readonly { name: string }[], typed: string): string[] {
  const wanted = fold(typed);
  const names = rows.map(({ name }) => name).filter((name) => fold(name).includes(wanted));
  return [...names.filter((name) => fold(name).startsWith(wanted)), ...names.filter((name) => !fold(name).startsWith(wanted))];
}
