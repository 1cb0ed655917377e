// Which types of relations a call means: `lives_in` and `livesIn` are "lives in" too.
import { similarityKey } from "../text-index/normalization.ts";
import type { Rows } from "../rows/rows.ts";
import { relationsAt, type Direction } from "./neighbourhood.ts";
import type { PastRelations } from "./past-relations.ts";

/** Whether a type is one of the given ones; each is where none is given. */
export function typeFilter(types: readonly string[] = []): (type: string) => boolean {
  if (types.length === 0) return () => true;
  const keys = new Set(types.map(similarityKey));
  const known = new Map<string, boolean>();
  return (type) => {
    const isWanted = known.get(type) ?? keys.has(similarityKey(type));
    known.set(type, isWanted);
    return isWanted;
  };
}

/** Relations of one entity that are looked at. */
const MAX_RELATIONS = 1000;
const MAX_TYPES = 10;

/** The types of the relations at some names, for a call whose types none of them has. */
export function typesAt(
  rows: Rows,
  names: readonly string[],
  { direction, past }: { direction?: Direction; past?: PastRelations | undefined } = {},
): string[] {
  const types = new Set<string>();
  rows.prepare({ relationsAt: names, asOf: past?.seq });
  for (const name of names) {
    let left = MAX_RELATIONS;
    for (const { type } of relationsAt(rows, name, direction, past)) if (types.add(type).size === MAX_TYPES || --left === 0) break;
    if (types.size === MAX_TYPES) break;
  }
  return [...types];
}
