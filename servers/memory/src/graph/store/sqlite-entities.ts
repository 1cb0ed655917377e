// Entities in SQLite.
import type { Counted } from "../model.ts";
import type { EndedName, EntityRow, EntityRows, EntityVersion, NewEntityRow } from "../rows/entities.ts";
import type { SqlConnection } from "../sqlite/sql-connection.ts";
import { similarityKey } from "../text-index/normalization.ts";
import type { TextIndex } from "../text-index/text-index.ts";
import { isStorable } from "../validation.ts";
import { chunksAfter, entitiesWithTextsAfter } from "./chunks.ts";
import { markMirrorStale } from "./stale-mirror.ts";
import { logEntityChange, logMovedRelations, moveRelations } from "./moves.ts";

const selectEntity = (type: string): string => `SELECT e.id, e.name, ${type} AS type, e.extra FROM entity e JOIN type t ON t.id = e.type`;

/** Selects an EntityRow; needs a WHERE clause on `e`. */
export const SELECT_ENTITY = selectEntity("t.name");

const CURRENT = `${SELECT_ENTITY} WHERE e.name = ?1 AND e.ended IS NULL`;
/** The type as of call ?2: the old value of the first type change after it. */
export const SELECT_ENTITY_AS_OF = selectEntity(
  "ifnull((SELECT past FROM turn WHERE entity = e.id AND kind = 'type' AND seq > ?2 ORDER BY id LIMIT 1), t.name)",
);
const AS_OF = `${SELECT_ENTITY_AS_OF} WHERE e.name = ?1 AND e.ended IS NULL AND e.created <= ?2
  UNION ALL ${SELECT_ENTITY_AS_OF} WHERE e.name = ?1 AND e.ended > ?2 AND e.created <= ?2`;
const BY_ID_AS_OF = `${SELECT_ENTITY_AS_OF} WHERE e.id = ?1 AND e.created <= ?2 AND (e.ended IS NULL OR e.ended > ?2)`;

/**
 * Entities that had the name before, or into which such entities were merged, directly or through others. CROSS JOIN keeps SQLite from going
 * through all entities in the order of the result.
 */
const FORMERLY_NAMED = `WITH RECURSIVE now (id) AS (SELECT entity FROM turn WHERE past = ? AND kind IN ('name', 'merged')
    UNION SELECT t.entity FROM now JOIN entity e ON e.id = now.id JOIN turn t ON t.kind = 'merged' AND t.past = e.name AND t.seq = e.ended)
  SELECT e.name FROM now CROSS JOIN entity e ON e.id = now.id WHERE e.ended IS NULL ORDER BY e.id DESC LIMIT ?`;

/** In two queries, because current and past rows have indexes of their own. */
const SELECT_VERSIONS = "SELECT e.id, e.created, e.ended, t.name AS type FROM entity e JOIN type t ON t.id = e.type WHERE e.name = ?1";
const VERSIONS = `${SELECT_VERSIONS} AND e.ended IS NULL UNION ALL ${SELECT_VERSIONS} AND e.ended IS NOT NULL`;

const TYPE_COUNTS = `SELECT t.name AS name, e.count AS count FROM (
    SELECT type, count(*) AS count FROM entity INDEXED BY entity_type WHERE ended IS NULL GROUP BY type) e
  JOIN type t ON t.id = e.type ORDER BY e.count DESC, t.name LIMIT ?`;

const IS_NEW = `SELECT 1 FROM entity WHERE id = ?1 AND created >= ?2 AND created < ?3
  UNION ALL SELECT 1 FROM observation WHERE entity = ?1 AND ended IS NULL AND created >= ?2 AND created < ?3 LIMIT 1`;

const UNLIMITED = -1;

export class SqliteEntities implements EntityRows {
  readonly #sql: SqlConnection;
  readonly #textIndex: TextIndex;

  constructor(sql: SqlConnection, textIndex: TextIndex) {
    this.#sql = sql;
    this.#textIndex = textIndex;
  }

  named(name: string, asOf?: number): EntityRow | undefined {
    if (!isStorable(name)) return undefined;
    return asOf === undefined ? this.#sql.get<EntityRow>(CURRENT, name) : this.#sql.get<EntityRow>(AS_OF, name, asOf);
  }

  namedAsOf(name: string, asOf: number): EntityRow[] {
    return isStorable(name) ? this.#sql.all<EntityRow>(AS_OF, name, asOf) : [];
  }

  byId(id: number, asOf?: number): EntityRow | undefined {
    return asOf === undefined
      ? this.#sql.get<EntityRow>(`${SELECT_ENTITY} WHERE e.id = ? AND e.ended IS NULL`, id)
      : this.#sql.get<EntityRow>(BY_ID_AS_OF, id, asOf);
  }

  withKey(key: string, most: number = UNLIMITED): EntityRow[] {
    return this.#sql.all<EntityRow>(`${SELECT_ENTITY} WHERE e.key = ? AND e.ended IS NULL ORDER BY e.id LIMIT ?`, key, most);
  }

  namesByKey(start: string, most: number): string[] {
    const select = "SELECT name FROM entity WHERE key >= ? AND key < ? AND ended IS NULL ORDER BY key LIMIT ?";
    return this.#sql.all<{ name: string }>(select, start, `${start}\u{10ffff}`, most).map(({ name }) => name);
  }

  keysFrom(start: string, most: number): string[] {
    const select = "SELECT key FROM entity WHERE key >= ? AND key < ? AND ended IS NULL ORDER BY key LIMIT ?";
    return this.#sql.tuples<[string]>(select, start, `${start}\u{10ffff}`, most).map(([key]) => key);
  }

  formerlyNamed(name: string, most: number): string[] {
    // Every creation asks, and hardly a name is a former one.
    if (this.#sql.get("SELECT 1 FROM turn WHERE past = ? LIMIT 1", name) === undefined) return [];
    return this.#sql.all<{ name: string }>(FORMERLY_NAMED, name, most).map((row) => row.name);
  }

  formerNames(most: number): readonly string[] {
    const select = "SELECT past FROM turn WHERE kind IN ('name', 'merged') GROUP BY past ORDER BY max(id) DESC LIMIT ?";
    return this.#sql.once(`former ${most}`, () => this.#sql.all<{ past: string }>(select, most).map(({ past }) => past));
  }

  lastEnded(most: number): EndedName[] {
    return this.#sql.all("SELECT name, ended FROM entity WHERE ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT ?", most);
  }

  newest(most: number): { id: number; name: string; created: number }[] {
    return this.#sql.all("SELECT id, name, created FROM entity WHERE ended IS NULL ORDER BY id DESC LIMIT ?", most);
  }

  createdAfter(id: number, hasTexts: boolean): Iterable<EntityRow> {
    return hasTexts ? entitiesWithTextsAfter(this.#sql, this.createdAfter(id, false), id) : this.#createdAfter(id);
  }

  *#createdAfter(after: number): Generator<EntityRow> {
    const sql = `${SELECT_ENTITY} WHERE e.id > ? AND e.ended IS NULL ORDER BY e.id`;
    for (const rows of chunksAfter<[number, string, string, string | null]>(this.#sql, sql, after))
      for (const [id, name, type, extra] of rows) yield { id, name, type, extra };
  }

  *ofType(type: string): Generator<EntityRow> {
    const id = this.#sql.get<{ id: number }>("SELECT id FROM type WHERE name = ?", type)?.id;
    if (id !== undefined) yield* this.#sql.iterate<EntityRow>(`${SELECT_ENTITY} WHERE e.type = ? AND e.ended IS NULL ORDER BY e.id`, id);
  }

  typeCounts(most: number): Counted[] {
    return this.#sql.all(TYPE_COUNTS, most);
  }

  versions(name: string): EntityVersion[] {
    return this.#sql.all(VERSIONS, name);
  }

  isNewWithin(id: number, first: number, end: number): boolean {
    return this.#sql.get(IS_NEW, id, first, end) !== undefined;
  }

  insert(seq: number, { name, entityType, extra }: NewEntityRow): number {
    const insert = "INSERT INTO entity (name, key, type, created, extra) VALUES (?, ?, ?, ?, ?)";
    const id = this.#sql.insert(insert, name, similarityKey(name), this.#typeId(entityType), seq, extra ?? null);
    this.#textIndex.add("name", id, name);
    return id;
  }

  end(seq: number, { id, name }: Pick<EntityRow, "id" | "name">): void {
    this.#sql.run("UPDATE entity SET ended = ? WHERE id = ?", seq, id);
    this.#textIndex.remove("name", id, name);
  }

  rename(seq: number, { id, name }: EntityRow, newName: string): void {
    this.#sql.run("UPDATE entity SET name = ?, key = ? WHERE id = ?", newName, similarityKey(newName), id);
    this.#textIndex.remove("name", id, name);
    this.#textIndex.add("name", id, newName);
    logEntityChange(this.#sql, seq, id, "name", name, newName);
    moveRelations(this.#sql, seq, { id, name }, newName);
  }

  changeType(seq: number, { id, type }: EntityRow, newType: string): void {
    if (type === newType) return;
    this.#sql.run("UPDATE entity SET type = ? WHERE id = ?", this.#typeId(newType), id);
    logEntityChange(this.#sql, seq, id, "type", type, newType);
  }

  mergeInto(seq: number, from: EntityRow, into: EntityRow): void {
    this.end(seq, from);
    // Relations between the two would relate the merged entity to itself.
    const endBetween = "UPDATE relation SET ended = ? WHERE source = ? AND target = ? AND ended IS NULL";
    this.#sql.run(endBetween, seq, from.name, into.name);
    this.#sql.run(endBetween, seq, into.name, from.name);
    logMovedRelations(this.#sql, seq, from, into.name);
    moveRelations(this.#sql, seq, from, into.name);
    logEntityChange(this.#sql, seq, into.id, "merged", from.name, into.name);
  }

  setExtra(id: number, extra: string): void {
    this.#sql.run("UPDATE entity SET extra = ? WHERE id = ?", extra, id);
    markMirrorStale(this.#sql);
  }

  /** The id of a type, which is created where it is new. */
  #typeId(name: string): number {
    const known = this.#sql.get<{ id: number }>("SELECT id FROM type WHERE name = ?", name);
    if (known !== undefined) return known.id;
    const id = this.#sql.insert("INSERT INTO type (name) VALUES (?)", name);
    this.#textIndex.add("type", id, name);
    return id;
  }
}
