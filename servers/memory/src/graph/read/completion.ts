// Completion of names and types for what a user has typed so far.
import type { Rows } from "../rows/rows.ts";
import { fold, similarityKey } from "../text-index/normalization.ts";

/** One more than the protocol allows in a reply, so that the reply can say that there are more. */
const MAX_NAMES = 101;
/** Names that contain the text and are read. */
const MAX_CONTAINING = 1000;
const MAX_TYPES = 5000;

/** Names of entities that start with the text, then those that contain it; the newest names where nothing is typed. */
export function completeName(rows: Rows, typed: string): string[] {
  return rows.read(() => {
    if (typed === "") return newestNames(rows, MAX_NAMES);
    const found = new Set<string>();
    for (const name of rows.entities.namesByKey(similarityKey(typed), MAX_NAMES)) found.add(name);
    const search = rows.texts.search(fold(typed));
    let left = MAX_CONTAINING;
    for (const { name } of search.names()) {
      if (found.size >= MAX_NAMES || left-- === 0) break;
      found.add(name);
    }
    search.close();
    return [...found];
  });
}

/** Names of the entities that were created last, newest first. */
export const newestNames = (rows: Rows, most: number): string[] => rows.read(() => rows.entities.newest(most).map(({ name }) => name));

/** Types of entities, most frequent first. */
export const completeType = (rows: Rows, typed: string): string[] => matching(rows.entities.typeCounts(MAX_TYPES), typed);

/** Types of relations, most frequent first. */
export const completeRelationType = (rows: Rows, typed: string): string[] => matching(rows.relations.typeCounts(MAX_TYPES), typed);

/** Those that start with the text, then those that contain it. */
function matching(rows: readonly { name: string }[], typed: string): string[] {
  const wanted = fold(typed);
  const names = rows.map(({ name }) => name).filter((name) => fold(name).includes(wanted));
  return [...names.filter((name) => fold(name).startsWith(wanted)), ...names.filter((name) => !fold(name).startsWith(wanted))];
}
