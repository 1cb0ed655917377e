// A snapshot: the graph as of a call. History grows, except by purge, so a snapshot can be read over several queries without a transaction.
// Renames update rows; for entities they are undone here with the help of the log of entity changes (`turn`). So entities have past names,
// relations present ones.
import type { Entity } from "../model.ts";
import type { EntityRow } from "../rows/entities.ts";
import type { ObservationRow } from "../rows/observations.ts";
import type { RelationRow } from "../rows/relations.ts";
import { SELECT_ENTITY_AS_OF } from "../store/sqlite-entities.ts";
import type { Store } from "../store/store.ts";

export interface SnapshotEntity extends Entity {
  id: number;
  /** Unknown fields of its record in the JSONL file, as a JSON object. */
  extra: string | null;
  /** Of the observations that have times of their own, by text. */
  times?: ReadonlyMap<string, string>;
}

type TimedText = Pick<ObservationRow, "text" | "times">;

/** Which rows existed at the call `?2`. */
const EXISTED = "created <= ?2 AND (ended IS NULL OR ended > ?2)";
const ENTITY_EXISTED = "e.created <= ?2 AND (e.ended IS NULL OR e.ended > ?2)";

const ENTITIES_PER_PAGE = 200;
const IDS_PER_PAGE = 2000;
const RELATIONS_PER_PAGE = 500;

export class Snapshot {
  readonly #store: Store;
  readonly #seq: number;
  /** Former names of entities that have another name now, by id, and the other way round. */
  readonly #formerNames = new Map<number, string>();
  readonly #idsByFormerName = new Map<string, number>();
  /** Former name → id of the entity it was merged into. */
  readonly #mergedLater = new Map<string, number>();

  constructor(store: Store, seq: number) {
    this.#store = store;
    this.#seq = seq;
    // The oldest change comes last and overwrites the others.
    for (const { entity, past, created } of store.calls.renamesSince(seq)) if (created <= seq) this.#formerNames.set(entity, past);
    for (const [id, name] of this.#formerNames) this.#idsByFormerName.set(name, id);
    const merges = "SELECT entity, past FROM turn WHERE kind = 'merged' AND seq > ? ORDER BY id DESC";
    for (const { entity, past } of store.all<{ entity: number; past: string }>(merges, seq)) this.#mergedLater.set(past, entity);
  }

  entityNamed(name: string): SnapshotEntity | undefined {
    const renamed = this.#idsByFormerName.get(name);
    if (renamed !== undefined) return this.entity(renamed);
    const row = this.#store.entities.named(name, this.#seq);
    return row === undefined || this.#formerNames.has(row.id) ? undefined : this.#toEntity(row);
  }

  entity(id: number): SnapshotEntity | undefined {
    const row = this.#store.entities.byId(id, this.#seq);
    return row && this.#toEntity(row);
  }

  /** All entities in the order of their creation, page by page. */
  *entities(): Generator<SnapshotEntity[]> {
    const select = `${SELECT_ENTITY_AS_OF} WHERE e.id > ?1 AND ${ENTITY_EXISTED} ORDER BY e.id LIMIT ${ENTITIES_PER_PAGE}`;
    for (const { rows, after, last } of this.#pages<EntityRow>(select)) {
      const observations = this.#observations(after, last);
      yield rows.map((row) => this.#toEntity(row, observations.get(row.id) ?? []));
    }
  }

  /** The ids of all entities in the order of their creation, page by page. */
  *entityIds(): Generator<number[]> {
    const select = `SELECT id FROM entity WHERE id > ?1 AND ${EXISTED} ORDER BY id LIMIT ${IDS_PER_PAGE}`;
    for (const { rows } of this.#pages<{ id: number }>(select)) yield rows.map(({ id }) => id);
  }

  /** All relations in the order of their creation, page by page, with the names that their ends have now. */
  *relations(): Generator<RelationRow[]> {
    const select = `SELECT id, source, target, type, extra FROM relation WHERE id > ?1 AND ${EXISTED} ORDER BY id LIMIT ${RELATIONS_PER_PAGE}`;
    for (const { rows } of this.#pages<RelationRow>(select)) yield rows;
  }

  /** By the names that its ends have now. */
  relation(source: string, target: string, type: string): { id: number; extra: string | null } | undefined {
    const select = "SELECT id, extra FROM relation WHERE source = ?1 AND target = ?2 AND type = ?3 AND created <= ?4";
    const find = (condition: string) =>
      this.#store.get<{ id: number; extra: string | null }>(`${select} AND ${condition}`, source, target, type, this.#seq);
    return find("ended IS NULL") ?? find("ended > ?4");
  }

  /** The present name of the entity that had this name. */
  presentName(name: string): string {
    let id = this.#idsByFormerName.get(name) ?? this.#mergedLater.get(name);
    let present = name;
    // An entity that was merged into another may have been merged with it into a third one.
    for (const seen = new Set<number>(); id !== undefined && !seen.has(id);) {
      seen.add(id);
      const row = this.#store.get<{ name: string; ended: number | null }>("SELECT name, ended FROM entity WHERE id = ?", id);
      present = row?.name ?? present;
      id = row === undefined || row.ended === null ? undefined : this.#mergedLater.get(present);
    }
    return present;
  }

  /** Records of the JSONL file that are neither entities nor relations. */
  records(): { id: number; line: string }[] {
    return this.#store.all("SELECT id, line FROM record WHERE created <= ?1 AND (ended IS NULL OR ended > ?1) ORDER BY id", this.#seq);
  }

  /** Pages of a SELECT for rows with ids above `?1` as of `?2`. `after` and `last`: between which ids a page is. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  *#pages<Row extends { id: number }>(select: string): Generator<{ rows: Row[]; after: number; last: number }> {
    for (let after = 0; ;) {
      const rows = this.#store.all<Row>(select, after, this.#seq);
      const last = rows.at(-1)?.id;
      if (last === undefined) return;
      yield { rows, after, last };
      after = last;
    }
  }

  #toEntity({ id, name, type, extra }: EntityRow, rows: readonly TimedText[] = this.#store.observations.of(id, this.#seq)): SnapshotEntity {
    const times = new Map(rows.flatMap((row) => (typeof row.times === "string" ? [[row.text, row.times] as const] : [])));
    return {
      id,
      name: this.#formerNames.get(id) ?? name,
      entityType: type,
      observations: rows.map(({ text }) => text),
      extra,
      ...(times.size > 0 && { times }),
    };
  }

  /** Observations by entity, for the entities with ids above `after` up to `last`. */
  #observations(after: number, last: number): Map<number, TimedText[]> {
    const select = "SELECT entity, id, text, times FROM observation WHERE entity > ?1 AND entity <= ?2 AND created <= ?3";
    const rows = this.#store.all<TimedText & { entity: number }>(
      `${select} AND ended IS NULL UNION ALL ${select} AND ended > ?3 ORDER BY id`,
      after,
      last,
      this.#seq,
    );
    return Map.groupBy(rows, ({ entity }) => entity);
  }
}
