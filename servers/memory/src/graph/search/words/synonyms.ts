// Synonyms that the graph itself knows: names that a relation of one of these types connects. Case, blanks and hyphens in types do not count.
import type { EntityRow } from "../../rows/entities.ts";
import type { Rows } from "../../rows/rows.ts";
import { fold } from "../../text-index/normalization.ts";
import { LANGUAGES } from "../languages/index.ts";

/** Both ends mean the same. */
const SAME: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ sameTypes }) => sameTypes));
/** The source is a kind of the target: a search for the target finds the source, but not the other way round. */
const KIND: ReadonlySet<string> = new Set(LANGUAGES.flatMap(({ kindTypes }) => kindTypes));

/** Green tea is a tea, which is a beverage. */
const MAX_STEPS = 2;
const MAX_NAMES = 20;
/** Relations of one entity that are looked at. */
const MAX_RELATIONS = 500;

const toKey = (type: string): string => fold(type).replaceAll(/[\s_-]+/gu, "_");

/** Names that mean the same as this entity, or a kind of it, nearest first. */
export function relatedNames(rows: Rows, { name }: EntityRow): string[] {
  const names = new Set([name]);
  let frontier = [name];
  for (let step = 0; step < MAX_STEPS && frontier.length > 0 && names.size <= MAX_NAMES; step++) {
    rows.prepare({ relationsAt: frontier });
    const next = frontier.flatMap((from) => namesFrom(rows, from)).filter((other) => !names.has(other));
    for (const other of next) names.add(other);
    frontier = next;
  }
  return [...names].slice(1, MAX_NAMES + 1);
}

function namesFrom(rows: Rows, name: string): string[] {
  const found: string[] = [];
  let left = MAX_RELATIONS;
  for (const { source, type } of rows.relations.at("target", name)) {
    if (SAME.has(toKey(type)) || KIND.has(toKey(type))) found.push(source);
    if (--left === 0) break;
  }
  left = MAX_RELATIONS;
  for (const { target, type } of rows.relations.at("source", name)) {
    if (SAME.has(toKey(type))) found.push(target);
    if (--left === 0) break;
  }
  return found;
}
