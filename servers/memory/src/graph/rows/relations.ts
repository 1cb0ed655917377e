// Rows of relations.
import type { Counted, Relation } from "../model.ts";
import { timesOfRelation } from "./fact-times.ts";

export type End = "source" | "target";

export interface RelationRow {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  readonly type: string;
  /** Unknown fields of its record in the JSONL file, as a JSON object; its times are among them (fact-times.ts). */
  readonly extra: string | null;
}

export const toRelation = (row: RelationRow): Relation => ({
  from: row.source,
  to: row.target,
  relationType: row.type,
  ...timesOfRelation(row),
});

/** A present or past relation. */
export interface RelationVersion extends RelationRow {
  readonly created: number;
  readonly ended: number | null;
}

export interface RelationRows {
  /** Relations with this end at a name, now or as of a call. */
  at(end: End, name: string, asOf?: number): Iterable<RelationRow>;
  byId(id: number, asOf: number): RelationRow | undefined;
  idOf(source: string, target: string, type: string): number | undefined;
  idsAt(name: string): number[];
  typesBetween(source: string, target: string): string[];
  /** Current relations with higher ids, in the order of their creation. */
  createdAfter(id: number): Iterable<RelationRow>;
  /** In the order of their creation. */
  ofType(type: string, most: number): RelationRow[];
  /** Types with their numbers of relations, most frequent first. */
  typeCounts(most: number): Counted[];
  /** All that start or end at a name, present ones first. */
  versionsAt(name: string): RelationVersion[];
  /** Those of the whole memory that were recorded last, and as many that ended last. In the order of their ids. */
  lastChanged(most: number): RelationVersion[];

  insert(seq: number, source: string, target: string, type: string, extra?: string): void;
  /** Returns how many relations ended: 0 or 1. */
  end(seq: number, id: number): number;
  setExtra(id: number, extra: string): void;
}
