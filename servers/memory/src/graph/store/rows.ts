// The rows that everything else reads and writes: one statement each, and the indexes kept in step with the tables.
import { isStorable } from "../model.ts";
import { keyOf } from "../text-index/normalization.ts";
import type { Store } from "./store.ts";

export interface EntityRow {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** Its observations, where they came along. */
  readonly texts?: readonly string[];
}

export interface RelationRow {
  readonly id: number;
  readonly source: string;
  readonly target: string;
  readonly type: string;
}

const withType = (type: string): string => `SELECT e.id, e.name, ${type} AS type FROM entity e JOIN type t ON t.id = e.type`;

/** Rows of entities; which ones is for a WHERE behind it to say. */
export const ENTITY = withType("t.name");

const NAMED = `${ENTITY} WHERE e.name = ?1 AND e.ended IS NULL`;
/** With the type that it had then: the first turn since tells of it. */
const THEN = withType("ifnull((SELECT past FROM turn WHERE entity = e.id AND kind = 'type' AND seq > ?2 ORDER BY id LIMIT 1), t.name)");
const NAMED_THEN = `${THEN} WHERE e.name = ?1 AND e.ended IS NULL AND e.created <= ?2
  UNION ALL ${THEN} WHERE e.name = ?1 AND e.ended > ?2 AND e.created <= ?2 LIMIT 1`;

/** The entity that has the name, now or as of a call. */
export function entityNamed(store: Store, name: string, at?: number): EntityRow | undefined {
  if (!isStorable(name)) return undefined;
  return at === undefined ? store.get<EntityRow>(NAMED, name) : store.get<EntityRow>(NAMED_THEN, name, at);
}

export const entityOf = (store: Store, id: number): EntityRow | undefined =>
  store.get<EntityRow>(`${ENTITY} WHERE e.id = ? AND e.ended IS NULL`, id);

/** So many rows are taken at a time: stepping from row to row takes twice as long, and all would not fit into memory. */
const CHUNK = 256;
/** Longer texts are asked for one by one, so that a chunk of them stays small. In bytes. */
const SHORT = 2000;

/** Rows behind an id, which is their first column, a chunk at a time. */
function* chunksAfter<Row extends [id: number, ...unknown[]]>(store: Store, sql: string, id: number): Generator<Row[]> {
  for (let last: number | undefined = id; last !== undefined;) {
    const rows: Row[] = store.rows(`${sql} LIMIT ${CHUNK}`, last);
    yield rows;
    last = rows.length < CHUNK ? undefined : rows.at(-1)?.[0];
  }
}

/** Entities in the order in which they came, behind an id. */
export function* entitiesAfter(store: Store, id: number): Generator<EntityRow> {
  const sql = `${ENTITY} WHERE e.id > ? AND e.ended IS NULL ORDER BY e.id`;
  for (const rows of chunksAfter<[number, string, string]>(store, sql, id))
    for (const [at, name, type] of rows) yield { id: at, name, type };
}

/** Relations in the order in which they came, behind an id. */
export function* relationsAfter(store: Store, id: number): Generator<RelationRow> {
  const sql = "SELECT id, source, target, type FROM relation WHERE id > ? AND ended IS NULL ORDER BY id";
  for (const rows of chunksAfter<[number, string, string, string]>(store, sql, id))
    for (const [at, source, target, type] of rows) yield { id: at, source, target, type };
}

/** Entities with their observations, where those are short and not too many for a chunk: asking for each takes far longer. */
export function* entitiesWithTextsAfter(store: Store, id: number): Generator<EntityRow> {
  let known = textsAfter(store, id);
  for (const row of entitiesAfter(store, id)) {
    if (row.id > known.until) known = textsAfter(store, row.id - 1);
    const texts = row.id > known.until ? undefined : (known.of.get(row.id) ?? []);
    yield texts === undefined || texts.includes(null) ? row : { ...row, texts: texts as string[] };
  }
}

/** A chunk of observations by their entities, and the last entity of which it has all. */
function textsAfter(store: Store, entity: number): { of: Map<number, (string | null)[]>; until: number } {
  const rows = store.rows<[number, string | null]>(
    `SELECT entity, CASE WHEN octet_length(text) <= ${SHORT} THEN text END FROM observation INDEXED BY observation_entity
     WHERE entity > ? AND ended IS NULL ORDER BY entity, id LIMIT ${CHUNK}`,
    entity,
  );
  const of = new Map<number, (string | null)[]>();
  for (const [at, text] of rows) {
    const texts = of.get(at);
    if (texts === undefined) of.set(at, [text]);
    else texts.push(text);
  }
  return { of, until: rows.length < CHUNK ? Number.POSITIVE_INFINITY : (rows.at(-1)?.[0] ?? 0) - 1 };
}

export interface ObservationRow {
  readonly id: number;
  readonly text: string;
}

export const observationsOf = (store: Store, entity: number): ObservationRow[] =>
  store.all<ObservationRow>("SELECT id, text FROM observation WHERE entity = ? AND ended IS NULL ORDER BY id", entity);

/** What was said of an entity as of a call. */
export const textsAt = (store: Store, entity: number, at: number): string[] =>
  store
    .all<{ text: string }>(
      `SELECT id, text FROM observation WHERE entity = ?1 AND ended IS NULL AND created <= ?2
       UNION ALL SELECT id, text FROM observation WHERE entity = ?1 AND ended > ?2 AND created <= ?2 ORDER BY id`,
      entity,
      at,
    )
    .map(({ text }) => text);

/** Gives the id of the type, which is made where it is new. */
export function typeId(store: Store, name: string): number {
  const known = store.get<{ id: number }>("SELECT id FROM type WHERE name = ?", name);
  if (known !== undefined) return known.id;
  const id = store.insert("INSERT INTO type (name) VALUES (?)", name);
  store.texts.add("type", id, name);
  return id;
}

export interface NewEntity {
  name: string;
  entityType: string;
  extra?: string | undefined;
}

export function insertEntity(store: Store, seq: number, { name, entityType, extra }: NewEntity): number {
  const id = store.insert(
    "INSERT INTO entity (name, key, type, created, extra) VALUES (?, ?, ?, ?, ?)",
    name,
    keyOf(name),
    typeId(store, entityType),
    seq,
    extra ?? null,
  );
  store.texts.add("name", id, name);
  return id;
}

export function insertObservation(store: Store, seq: number, entity: number, text: string): number {
  const id = store.insert("INSERT INTO observation (entity, text, created) VALUES (?, ?, ?)", entity, text, seq);
  store.texts.add("observation", id, text);
  return id;
}

export function insertRelation(store: Store, seq: number, source: string, target: string, type: string, extra?: string): number {
  return store.insert(
    "INSERT INTO relation (source, target, type, created, extra) VALUES (?, ?, ?, ?, ?)",
    source,
    target,
    type,
    seq,
    extra ?? null,
  );
}

/** An entity with all its observations; its relations are another matter. */
export function* endEntity(store: Store, seq: number, { id, name }: { id: number; name: string }): Generator<void> {
  store.run("UPDATE entity SET ended = ? WHERE id = ?", seq, id);
  store.texts.remove("name", id, name);
  for (const observation of observationsOf(store, id)) {
    endObservation(store, seq, observation);
    yield;
  }
}

export function endObservation(store: Store, seq: number, { id, text }: ObservationRow, successor?: number): void {
  store.run("UPDATE observation SET ended = ?, successor = ? WHERE id = ?", seq, successor ?? null, id);
  store.texts.remove("observation", id, text);
}

export const endRelation = (store: Store, seq: number, id: number): number =>
  store.run("UPDATE relation SET ended = ? WHERE id = ? AND ended IS NULL", seq, id);
