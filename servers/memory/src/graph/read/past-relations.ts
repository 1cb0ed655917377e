// Relations as of a call: at the entities and under the names that they had then.
import type { Relation } from "../model.ts";
import type { RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import type { PastNames } from "./past-names.ts";

export type End = "source" | "target";

/** Before the first merge that moved it since the call, an end was at an entity of this name, which the call `seq` merged. */
interface FormerEnd {
  readonly name: string;
  readonly seq: number;
}

interface MovedEnd {
  relation: number;
  seq: number;
  end: End;
  past: string;
}

const SELECT = "SELECT id, source, target, type FROM relation";
const selectAt = (end: End): string =>
  `${SELECT} WHERE ${end} = ?1 AND ended IS NULL AND created <= ?2
   UNION ALL ${SELECT} WHERE ${end} = ?1 AND ended > ?2 AND created <= ?2`;
const SELECT_AT: Readonly<Record<End, string>> = { source: selectAt("source"), target: selectAt("target") };
const SELECT_BY_ID = `${SELECT} WHERE id = ?1 AND created <= ?2 AND (ended IS NULL OR ended > ?2)`;

export class PastRelations {
  readonly seq: number;
  readonly #store: Store;
  readonly #names: PastNames;
  /** By relation. */
  readonly #formerEnds = new Map<number, Partial<Record<End, FormerEnd>>>();
  /** The relations that were at a name, by end and name. */
  readonly #movedFrom: Readonly<Record<End, Map<string, number[]>>> = { source: new Map(), target: new Map() };

  constructor(store: Store, seq: number, names: PastNames) {
    this.#store = store;
    this.seq = seq;
    this.#names = names;
    const select = `SELECT -entity AS relation, seq, kind AS end, past FROM turn WHERE seq > ? AND kind IN ('source', 'target') ORDER BY id DESC`;
    // The oldest move comes last and overwrites the others.
    for (const { relation, end, past, seq: movedAt } of store.all<MovedEnd>(select, seq)) {
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
  *relationsAt(end: End, name: string): Generator<RelationRow> {
    for (const row of this.#store.iterate<RelationRow>(SELECT_AT[end], name, this.seq))
      if (this.#formerEnds.get(row.id)?.[end] === undefined) yield this.#withFormerEnds(row);
    for (const id of this.#movedFrom[end].get(name) ?? []) {
      const row = this.#store.get<RelationRow>(SELECT_BY_ID, id, this.seq);
      if (row !== undefined) yield this.#withFormerEnds(row);
    }
  }

  /** Under the names of that time. */
  relationOf({ id, source, target, type }: RelationRow): Relation {
    const ends = this.#formerEnds.get(id);
    return { from: this.#nameOf(ends?.source, source), to: this.#nameOf(ends?.target, target), relationType: type };
  }

  #withFormerEnds(row: RelationRow): RelationRow {
    const ends = this.#formerEnds.get(row.id);
    return ends === undefined ? row : { ...row, source: ends.source?.name ?? row.source, target: ends.target?.name ?? row.target };
  }

  #nameOf(former: FormerEnd | undefined, name: string): string {
    if (former === undefined) return this.#names.nameOfEnd(name);
    const merged = this.#store.get<{ id: number }>("SELECT id FROM entity WHERE name = ? AND ended = ?", former.name, former.seq);
    return merged === undefined ? former.name : this.#names.nameOf({ id: merged.id, name: former.name });
  }
}
