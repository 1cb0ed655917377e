// Suggestions for names that no entity has.
import { clip, nearestNames } from "@oarlock/domain-kit";
import { findEntityById } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { candidateIds } from "../text-index/candidates.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";

const MAX_SUGGESTIONS = 3;
const MAX_NAME_LENGTH = 200;
const MAX_QUOTED_LENGTH = 60;

/** Entities that had the name before, or into which such entities were merged, directly or through others. */
const FORMERLY_NAMED = `WITH RECURSIVE now (id) AS (SELECT entity FROM turn WHERE past = ? AND kind IN ('name', 'merged')
    UNION SELECT t.entity FROM now JOIN entity e ON e.id = now.id JOIN turn t ON t.kind = 'merged' AND t.past = e.name AND t.seq = e.ended)
  SELECT e.name FROM now JOIN entity e ON e.id = now.id WHERE e.ended IS NULL ORDER BY e.id DESC LIMIT ?`;

const SIMILAR = "SELECT name FROM entity WHERE key >= ? AND key < ? AND ended IS NULL ORDER BY key LIMIT ?";

const SAME_START = "SELECT name FROM entity WHERE key >= ? AND key < ? AND ended IS NULL LIMIT 2000";

/**
 * Present names of entities that had the name before, then names that differ in case, accents or punctuation, start alike, or contain it.
 * Without any of them, names with the same first letter that differ by a few letters.
 */
export function suggestNames(store: Store, name: string): string[] {
  if (name === "" || name.length > MAX_NAME_LENGTH) return [];
  const key = similarityKey(name);
  const found = new Set<string>();
  for (const row of store.all<{ name: string }>(FORMERLY_NAMED, name, MAX_SUGGESTIONS)) found.add(row.name);
  for (const row of store.all<{ name: string }>(SIMILAR, key, `${key}\u{10ffff}`, MAX_SUGGESTIONS)) found.add(row.name);
  for (const part of [name, ...name.split(/\s+/u)].map(fold)) {
    if (found.size >= MAX_SUGGESTIONS || Array.from(part).length < 3) continue;
    for (const id of candidateIds(store, "name", part)) {
      const candidate = findEntityById(store, id)?.name;
      if (candidate !== undefined && fold(candidate).includes(part)) found.add(candidate);
      if (found.size >= MAX_SUGGESTIONS) break;
    }
  }
  if (found.size === 0) for (const near of namesWithTypos(store, name, key)) found.add(near);
  found.delete(name); // it exists now, but not at the time that the caller asked about
  return [...found].slice(0, MAX_SUGGESTIONS);
}

function namesWithTypos(store: Store, name: string, key: string): string[] {
  const [first] = key;
  if (first === undefined) return [];
  const rows = store.all<{ name: string }>(SAME_START, first, `${first}\u{10ffff}`);
  return nearestNames(
    name,
    rows.map((row) => row.name),
    MAX_SUGGESTIONS,
  );
}

/** The suggestions as a question, or undefined where there are none. */
export function didYouMean(store: Store, name: string): string | undefined {
  const names = suggestNames(store, name);
  return names.length === 0 ? undefined : `Did you mean ${names.map((one) => clip(one, MAX_QUOTED_LENGTH)).join(", ")}?`;
}
