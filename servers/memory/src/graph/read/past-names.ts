// Names as of a call: renames since then are undone. The rows of entities and relations have the names of today.
import type { EntityRow } from "../rows/entities.ts";
import type { Rows } from "../rows/rows.ts";

export class PastNames {
  readonly #rows: Rows;
  readonly #seq: number;
  /** Entities that had another name, with that name, and the other way round. */
  readonly #names = new Map<number, string>();
  readonly #ids = new Map<string, number>();
  /** Names of today, with the names at that time, for the ends of relations. */
  readonly #ends = new Map<string, string>();

  constructor(rows: Rows, seq: number) {
    this.#rows = rows;
    this.#seq = seq;
    const renames = rows.calls.renamesSince(seq);
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
    const renamed = id === undefined ? undefined : this.#rows.entities.byId(id, this.#seq);
    if (renamed !== undefined) return renamed;
    const entities = this.#rows.entities.namedAsOf(name, this.#seq);
    return entities.find((row) => !this.#names.has(row.id)) ?? entities[0];
  }

  nameOf({ id, name }: Pick<EntityRow, "id" | "name">): string {
    return this.#names.get(id) ?? name;
  }

  /** By the name of today, which the end of a relation has. */
  nameOfEnd(name: string): string {
    return this.#ends.get(name) ?? name;
  }
}
