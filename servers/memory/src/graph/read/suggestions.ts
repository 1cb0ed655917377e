// Suggestions for names that no entity has.
import { clip, nearestNames } from "@oarlock/domain-kit";
import type { Rows } from "../rows/rows.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";

const MAX_SUGGESTIONS = 3;
/** Names with the same first two letters that are compared, and as many with the same first one. */
const MAX_COMPARED = 500;
const MAX_NAME_LENGTH = 200;
const MAX_QUOTED_LENGTH = 60;

/**
 * Present names of entities that had the name before, then names that differ in case, accents or punctuation, start alike, or contain it.
 * Without any of them, names with the same first letter that differ by a few letters.
 */
export function suggestNames(rows: Rows, name: string): string[] {
  if (name === "" || name.length > MAX_NAME_LENGTH) return [];
  const key = similarityKey(name);
  const found = new Set<string>();
  for (const former of rows.entities.formerlyNamed(name, MAX_SUGGESTIONS)) found.add(former);
  for (const similar of rows.entities.namesByKey(key, MAX_SUGGESTIONS)) found.add(similar);
  for (const part of [name, ...name.split(/\s+/u)].map(fold)) {
    if (found.size >= MAX_SUGGESTIONS || Array.from(part).length < 3) continue;
    const search = rows.texts.search(part);
    for (const entity of search.names()) if (found.add(entity.name).size >= MAX_SUGGESTIONS) break;
    search.close();
  }
  if (found.size === 0) for (const near of namesWithTypos(rows, key)) found.add(near);
  found.delete(name); // it exists now, but not at the time that the caller asked about
  return [...found].slice(0, MAX_SUGGESTIONS);
}

function namesWithTypos(rows: Rows, key: string): string[] {
  const letters = Array.from(key).slice(0, 2);
  const starts = new Set([letters.join(""), letters.slice(0, 1).join("")]);
  const compared = new Set([...starts].flatMap((start) => (start === "" ? [] : rows.entities.keysFrom(start, MAX_COMPARED))));
  const near = nearestNames(key, compared, MAX_SUGGESTIONS);
  return near.flatMap((one) => rows.entities.withKey(one, MAX_SUGGESTIONS).map((entity) => entity.name));
}

/** The suggestions as a question, or undefined where there are none. */
export function didYouMean(rows: Rows, name: string): string | undefined {
  const names = suggestNames(rows, name);
  return names.length === 0 ? undefined : `Did you mean ${names.map((one) => clip(one, MAX_QUOTED_LENGTH)).join(", ")}?`;
}
