// The relations that a page of matching facts shows: between its entities, and only those whose types have a word of the query, or all.
import { toRelation } from "../../rows/relations.ts";
import type { Relation } from "../../model.ts";
import { relationsAt } from "../../read/neighbourhood.ts";
import type { Rows } from "../../rows/rows.ts";
import { termsOfRelation } from "../relation-ranking.ts";
import { termsOf } from "../words/query-terms.ts";

/** Relations of one entity that are read. */
const MAX_RELATIONS = 1000;

interface RelationOptions {
  /** The folded query. */
  readonly text: string;
  readonly areAll: boolean;
}

/** In the order of their creation. */
export function matchingRelations(rows: Rows, names: readonly string[], { text, areAll }: RelationOptions): Relation[] {
  const terms = termsOf(text);
  rows.prepare({ relationsAt: names });
  const visible = new Set(names);
  const found = new Map<number, Relation>();
  for (const name of names) {
    let left = MAX_RELATIONS;
    for (const row of relationsAt(rows, name, "out")) {
      if (visible.has(row.target) && (areAll || termsOfRelation(row, terms).length > 0)) found.set(row.id, toRelation(row));
      if (--left === 0) break;
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, relation]) => relation);
}
