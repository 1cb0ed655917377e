// Names as of a call: renames since then are undone. The rows of entities and relations have the names of today.
import { entitiesAsOf, findEntityById, type EntityRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

interface Rename {
  entity: number;
  past: string;
  present: string;
  created: number;
}

export class PastNames {
  readonly #store: Store;
  readonly #seq: number;
  /** Entities that had another name, with that name, and the other way round. */
  readonly #names = new Map<number, string>();
  readonly #ids = new Map<string, number>();
  /** Names of today, with the names at that time, for the ends of relations. */
  readonly #ends = new Map<string, string>();

  constructor(store: Store, seq: number) {
    this.#store = store;
    this.#seq = seq;
    const select = `SELECT t.entity, t.past, e.name AS present, e.created FROM turn t JOIN entity e ON e.id = t.entity
      WHERE t.seq > ? AND t.kind = 'name' ORDER BY t.id DESC`;
    const renames = store.all<Rename>(select, seq);
    // The oldest rename comes last and overwrites the others. Entities that did not exist yet do not hide those that did.
    for (const { past, present, created } of renames) if (created > seq) this.#ends.set(present, past);
    for (const { entity, past, present, created } of renames) {
      if (created > seq) continue;
      this.#names.set(entity, past);
      this.#ends.set(present, past);
    }
    for (const [id, name] of this.#names) this.#ids.set(name, id);
  }

  /** The entity that had the name; otherwise the one that has it today. Its row has the name of today. */
  find(name: string): EntityRow | undefined {
    const id = this.#ids.get(name);
    const renamed = id === undefined ? undefined : findEntityById(this.#store, id, this.#seq);
    if (renamed !== undefined) return renamed;
    const rows = entitiesAsOf(this.#store, name, this.#seq);
    return rows.find((row) => !this.#names.has(row.id)) ?? rows[0];
  }

  nameOf({ id, name }: Pick<EntityRow, "id" | "name">): string {
    return this.#names.get(id) ?? name;
  }

  /** By the name of today, which the end of a relation has. */
  nameOfEnd(name: string): string {
    return this.#ends.get(name) ?? name;
  }
}
