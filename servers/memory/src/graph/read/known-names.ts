// Names as the graph has them: one that is composed otherwise, such as "Zoe" with a combining diaeresis for "Zoë", is the same name.
import type { Rows } from "../rows/rows.ts";
import { similarityKey } from "../text-index/normalization.ts";

const ASCII = /^[\u0000-\u007f]*$/; // eslint-disable-line no-control-regex

/** Gives for each of the names the one of the entity that has it in some composition; others stay as they are. */
export function knownNames(rows: Rows, names: readonly string[]): (name: string) => string {
  const composed = [...new Set(names)].filter((name) => !ASCII.test(name) && name.isWellFormed());
  if (composed.length === 0) return (name) => name;
  rows.prepare({ names: composed, keys: composed.map(similarityKey) });
  const known = new Map<string, string>();
  for (const name of composed) {
    if (rows.entities.named(name) !== undefined) continue;
    const same = rows.entities.withKey(similarityKey(name)).find((row) => row.name.normalize() === name.normalize());
    if (same !== undefined) known.set(name, same.name);
  }
  return (name) => known.get(name) ?? name;
}
