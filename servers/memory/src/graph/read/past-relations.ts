// Relations as of a moment: at the entities and under the names that they had at its last call. One with a time of its own is shown where it held
// then, whenever it was recorded.
import type { Relation } from "../model.ts";
import { toRelation, type End, type RelationRow } from "../rows/relations.ts";
import type { Rows } from "../rows/rows.ts";
import { holdsAt, timesOfRelation } from "../rows/fact-times.ts";
import { seqAsOf, timeUntil } from "../rows/times.ts";
import { PastNames } from "./past-names.ts";

/** Before the first merge that moved it since the call, an end was at an entity of this name, which the call `seq` merged. */
interface FormerEnd {
  readonly name: string;
  readonly seq: number;
}

export class PastRelations {
  readonly seq: number;
  readonly #rows: Rows;
  readonly #names: PastNames;
  readonly #time: number;
  /** By relation. */
  readonly #formerEnds = new Map<number, Partial<Record<End, FormerEnd>>>();
  /** The relations that were at a name, by end and name. */
  readonly #movedFrom: Readonly<Record<End, Map<string, number[]>>> = { source: new Map(), target: new Map() };

  /** `seq`: the last call up to `time`. */
  constructor(rows: Rows, names: PastNames, { seq, time }: { readonly seq: number; readonly time: number }) {
    this.#rows = rows;
    this.seq = seq;
    this.#time = time;
    this.#names = names;
    // The oldest move comes last and overwrites the others.
    for (const { relation, end, past, seq: movedAt } of rows.calls.movedEndsSince(seq)) {
      const ends = this.#formerEnds.get(relation) ?? {};
      ends[end] = { name: past, seq: movedAt };
      this.#formerEnds.set(relation, ends);
    }
    for (const [relation, ends] of this.#formerEnds) {
      for (const end of ["source", "target"] as const) {
        const name = ends[end]?.name;
        if (name !== undefined) this.#movedFrom[end].set(name, [...(this.#movedFrom[end].get(name) ?? []), relation]);
      }
    }
  }

  /** Relations with this end at an entity. A merged entity has the name that it had last, every other one that of today. */
  *at(end: End, name: string): Generator<RelationRow> {
    const known = new Set<number>();
    for (const row of this.#recordedAt(end, name)) if (known.add(row.id) && this.#didHold(row)) yield row;
    for (const row of this.#rows.relations.at(end, name))
      if (!known.has(row.id) && Object.keys(timesOfRelation(row)).length > 0 && this.#didHold(row)) yield row;
  }

  #didHold = (row: RelationRow): boolean => holdsAt(timesOfRelation(row), this.#time);

  *#recordedAt(end: End, name: string): Generator<RelationRow> {
    for (const row of this.#rows.relations.at(end, name, this.seq))
      if (this.#formerEnds.get(row.id)?.[end] === undefined) yield this.#withFormerEnds(row);
    for (const id of this.#movedFrom[end].get(name) ?? []) {
      const row = this.#rows.relations.byId(id, this.seq);
      if (row !== undefined) yield this.#withFormerEnds(row);
    }
  }

  /** Under the names of that time. */
  relationOf(row: RelationRow): Relation {
    const ends = this.#formerEnds.get(row.id);
    return { ...toRelation(row), from: this.#nameOf(ends?.source, row.source), to: this.#nameOf(ends?.target, row.target) };
  }

  #withFormerEnds(row: RelationRow): RelationRow {
    const ends = this.#formerEnds.get(row.id);
    return ends === undefined ? row : { ...row, source: ends.source?.name ?? row.source, target: ends.target?.name ?? row.target };
  }

  #nameOf(former: FormerEnd | undefined, name: string): string {
    if (former === undefined) return this.#names.nameOfEnd(name);
    const merged = this.#rows.calls.entityEndedBy(former.seq, former.name);
    return merged === undefined ? former.name : this.#names.nameOf({ id: merged, name: former.name });
  }
}

/** The memory as it was at a time. */
export interface Past {
  /** The last call up to `time`. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly names: PastNames;
  readonly relations: PastRelations;
}

/** Undefined for now. */
export function pastOf(rows: Rows, asOf: string | undefined): Past | undefined {
  if (asOf === undefined) return undefined;
  const [seq, time] = [seqAsOf(rows, asOf), timeUntil(asOf)];
  const names = new PastNames(rows, seq);
  return { seq, time, names, relations: new PastRelations(rows, names, { seq, time }) };
}
