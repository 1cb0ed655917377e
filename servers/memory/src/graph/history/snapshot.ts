// The graph as of a call: what a mirror showed. History only grows, so this is the same whenever it is asked, without holding
// anybody up; a rename is the one thing that changes a row, and is undone here by the turns that tell of it.
import type { Entity } from "../model.ts";
import { textsAt, type RelationRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";

export interface PastEntity extends Entity {
  id: number;
  extra: string | null;
}

const ROW = "SELECT e.id, e.name, t.name AS type, e.extra FROM entity e JOIN type t ON t.id = e.type";

interface Row {
  id: number;
  name: string;
  type: string;
  extra: string | null;
}

interface Turn {
  entity: number;
  kind: string;
  past: string;
  created: number;
}

export class Past {
  readonly #store: Store;
  readonly seq: number;
  /** Entities that were called otherwise then. */
  readonly #names = new Map<string, number>();
  readonly #then = new Map<number, { name?: string; type?: string }>();
  /** Names of entities that have gone into others since, and which those are. */
  readonly #merged = new Map<string, number>();

  constructor(store: Store, seq: number) {
    this.#store = store;
    this.seq = seq;
    const turns =
      "SELECT turn.entity, kind, past, e.created FROM turn JOIN entity e ON e.id = turn.entity WHERE seq > ? ORDER BY turn.id DESC";
    for (const { entity, kind, past, created } of store.all<Turn>(turns, seq)) {
      if (kind === "merged") this.#merged.set(past, entity);
      // What did not exist then was not called anything.
      if (created > seq) continue;
      const then = this.#then.get(entity) ?? {};
      // The oldest comes last, and counts.
      if (kind === "name") then.name = past;
      if (kind === "type") then.type = past;
      this.#then.set(entity, then);
    }
    for (const [id, { name }] of this.#then) if (name !== undefined) this.#names.set(name, id);
  }

  entityNamed(name: string): PastEntity | undefined {
    const renamed = this.#names.get(name);
    const row =
      renamed === undefined
        ? (this.#store.get<Row>(`${ROW} WHERE e.name = ? AND e.ended IS NULL AND e.created <= ?`, name, this.seq) ??
          this.#store.get<Row>(`${ROW} WHERE e.name = ? AND e.ended > ? AND e.created <= ?`, name, this.seq, this.seq))
        : this.#store.get<Row>(`${ROW} WHERE e.id = ? AND e.created <= ?`, renamed, this.seq);
    if (row === undefined || (renamed === undefined && this.#then.get(row.id)?.name !== undefined)) return undefined;
    return this.#entity(row);
  }

  #entity({ id, name, type, extra }: Row, observations = textsAt(this.#store, id, this.seq)): PastEntity {
    const then = this.#then.get(id);
    return { id, name: then?.name ?? name, entityType: then?.type ?? type, observations, extra };
  }

  entity(id: number): PastEntity | undefined {
    const row = this.#store.get<Row>(`${ROW} WHERE e.id = ?1 AND e.created <= ?2 AND (e.ended IS NULL OR e.ended > ?2)`, id, this.seq);
    return row === undefined ? undefined : this.#entity(row);
  }

  /** In their order, some hundred at a time. */
  *entities(): Generator<PastEntity[]> {
    let after = 0;
    for (;;) {
      const rows = this.#store.all<Row>(
        `${ROW} WHERE e.id > ?1 AND e.created <= ?2 AND (e.ended IS NULL OR e.ended > ?2) ORDER BY e.id LIMIT 200`,
        after,
        this.seq,
      );
      const last = rows.at(-1)?.id;
      if (last === undefined) return;
      const texts = this.#between(after, last);
      yield rows.map((row) => this.#entity(row, texts.get(row.id) ?? []));
      after = last;
    }
  }

  /** Of all entities, in their order, some thousand at a time. */
  *ids(): Generator<number[]> {
    let after = 0;
    for (;;) {
      const ids = this.#store
        .all<{ id: number }>(
          "SELECT id FROM entity WHERE id > ?1 AND created <= ?2 AND (ended IS NULL OR ended > ?2) ORDER BY id LIMIT 2000",
          after,
          this.seq,
        )
        .map(({ id }) => id);
      const last = ids.at(-1);
      if (last === undefined) return;
      yield ids;
      after = last;
    }
  }

  #between(after: number, last: number): Map<number, string[]> {
    const texts = new Map<number, string[]>();
    const rows = this.#store.all<{ entity: number; text: string }>(
      `SELECT entity, id, text FROM observation WHERE entity > ?1 AND entity <= ?2 AND ended IS NULL AND created <= ?3
       UNION ALL SELECT entity, id, text FROM observation WHERE entity > ?1 AND entity <= ?2 AND ended > ?3 AND created <= ?3 ORDER BY id`,
      after,
      last,
      this.seq,
    );
    for (const { entity, text } of rows) {
      const own = texts.get(entity);
      if (own === undefined) texts.set(entity, [text]);
      else own.push(text);
    }
    return texts;
  }

  /** In their order, some hundred at a time; with the names that their ends have now. */
  *relations(): Generator<(RelationRow & { extra: string | null })[]> {
    let after = 0;
    for (;;) {
      const rows = this.#store.all<RelationRow & { extra: string | null }>(
        `SELECT id, source, target, type, extra FROM relation
         WHERE id > ?1 AND created <= ?2 AND (ended IS NULL OR ended > ?2) ORDER BY id LIMIT 500`,
        after,
        this.seq,
      );
      const last = rows.at(-1)?.id;
      if (last === undefined) return;
      yield rows;
      after = last;
    }
  }

  relation(source: string, target: string, type: string): { id: number; extra: string | null } | undefined {
    const sql = "SELECT id, extra FROM relation WHERE source = ? AND target = ? AND type = ?";
    return (
      this.#store.get<{ id: number; extra: string | null }>(`${sql} AND ended IS NULL AND created <= ?`, source, target, type, this.seq) ??
      this.#store.get<{ id: number; extra: string | null }>(
        `${sql} AND ended > ? AND created <= ?`,
        source,
        target,
        type,
        this.seq,
        this.seq,
      )
    );
  }

  /** What an end is called now that was called so then. */
  nameNow(name: string): string {
    let id = this.#names.get(name) ?? this.#merged.get(name);
    let now = name;
    // One that went into another may have gone into a third with that.
    for (const seen = new Set<number>(); id !== undefined && !seen.has(id);) {
      seen.add(id);
      const row = this.#store.get<{ name: string; ended: number | null }>("SELECT name, ended FROM entity WHERE id = ?", id);
      now = row?.name ?? now;
      id = row === undefined || row.ended === null ? undefined : this.#merged.get(now);
    }
    return now;
  }

  records(): { id: number; line: string }[] {
    return this.#store.all("SELECT id, line FROM record WHERE created <= ?1 AND (ended IS NULL OR ended > ?1) ORDER BY id", this.seq);
  }
}
