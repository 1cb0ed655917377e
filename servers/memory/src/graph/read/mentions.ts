// Where a name or text is still mentioned, as after a purge, which removes what is named and not what others say about it.
import type { Rows } from "../rows/rows.ts";
import { fold } from "../text-index/normalization.ts";

/** Names and texts that are looked for, observations that are read for each, and entities that are listed. */
const MAX_NEEDLES = 20;
const MAX_READ = 200;
const MAX_ENTITIES = 20;
/** Shorter ones are found everywhere by chance. */
const MIN_LENGTH = 3;

/** Names of the entities whose name or observations contain one of the texts as a whole. */
export function mentionsOf(rows: Rows, texts: readonly string[]): string[] {
  return rows.read(() => {
    const found = new Set<string>();
    for (const text of texts.slice(0, MAX_NEEDLES)) {
      const needle = fold(text.trim());
      if (Array.from(needle).length < MIN_LENGTH) continue;
      for (const name of mentionsOfOne(rows, needle)) if (found.add(name).size >= MAX_ENTITIES) return [...found];
    }
    return [...found];
  });
}

function* mentionsOfOne(rows: Rows, needle: string): Generator<string> {
  const search = rows.texts.search(needle);
  try {
    let left = MAX_READ;
    for (const { name } of search.names()) {
      if (left-- === 0) break;
      if (hasWhole(fold(name), needle)) yield name;
    }
    left = MAX_READ;
    for (const { entity, text } of search.observations()) {
      if (left-- === 0) break;
      const name = hasWhole(fold(text), needle) ? rows.entities.byId(entity)?.name : undefined;
      if (name !== undefined) yield name;
    }
  } finally {
    search.close();
  }
}

/** Not within a longer word. */
function hasWhole(text: string, needle: string): boolean {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + 1))
    if (!/[\p{L}\p{N}]$/u.test(text.slice(0, at)) && !/^[\p{L}\p{N}]/u.test(text.slice(at + needle.length))) return true;
  return false;
}
